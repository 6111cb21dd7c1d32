"""What a relation phrase says: forms, families, inverses, opposites, kinds of arguments."""
