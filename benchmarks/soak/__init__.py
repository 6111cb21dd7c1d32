"""A soak of ordinary text: every line and paragraph at hand through all that reads text, without an error."""
