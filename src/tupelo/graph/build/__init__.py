"""Build and update a graph from documents, and take in corrections."""
