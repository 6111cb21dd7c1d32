"""Third-party parsers, if installed. Tupelo does not require any of them."""
