"""Passages and answers for questions in plain English."""
