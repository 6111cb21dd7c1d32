"""The sentence encoder that ships, and the larger one that teachers are trained from."""
