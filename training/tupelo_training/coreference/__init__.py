"""Coreference over the frozen encoder: documents, teachers that read across sentences, and the head that ships."""

# What documents are from, and with `dev` what is kept aside of it.
SOURCES = (
    "gum-train",
    "litbank",
    "gap",
    "worlds",
    "filled",
    "raw",
    "gum-dev",
    "litbank-dev",
    "gap-dev",
    "worlds-dev",
)
