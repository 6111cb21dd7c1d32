"""How the shipped English model is made: data, network, training, export. Not part of the installed package."""
