"""How the learned extractor is made: data preparation, network, training, selection, export."""
