"""Language data: small modules, each with one kind of constant."""
