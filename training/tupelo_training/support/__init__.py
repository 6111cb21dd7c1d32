"""How the weights of the support model are made."""
