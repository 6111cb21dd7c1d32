"""Tuples that careful readers judged: the files of `training/judged`, their tables, and how people add to them."""
