"""The judge of the default extractor."""
