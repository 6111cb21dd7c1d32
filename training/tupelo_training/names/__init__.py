"""Training of the linker of names."""
