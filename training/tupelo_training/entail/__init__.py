"""How the weights of the entailment model are made."""
