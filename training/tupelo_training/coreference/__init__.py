"""Coreference over the frozen encoder: documents, teachers that read across sentences, and the head that ships."""
