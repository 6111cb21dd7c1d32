"""The meaning of relation phrases: forms, families, inverses, opposites, kinds of arguments, rules."""
