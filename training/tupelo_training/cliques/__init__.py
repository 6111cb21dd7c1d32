"""The builder of knowledge-invariant cliques: paraphrases of a gold standard, checks, and a choice among them."""
