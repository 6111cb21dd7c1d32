"""Names of things: the form in which they are compared, tables of names, and whether two names may be one thing."""
