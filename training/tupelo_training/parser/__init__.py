"""The analysis model: tags, dependencies, constituents and named entities."""
