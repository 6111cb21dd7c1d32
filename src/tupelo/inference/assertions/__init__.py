"""Assertions from syntactic n-grams, as Levy and Dagan (2016) extract them; see `steps`."""
