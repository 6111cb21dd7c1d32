"""The models of facts: public data to arrays, training, export."""
