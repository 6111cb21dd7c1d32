"""Entities by name: forms of names, aliases, coreference in tuples, linking within and across documents."""
