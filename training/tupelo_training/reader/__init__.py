"""The reader: marks the answer to a question in a passage (`prepare`, `train`, `export`)."""
