"""Figures, topics, dossiers and the data of pages about a graph."""
