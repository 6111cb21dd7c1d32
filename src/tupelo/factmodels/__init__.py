"""Facts of a fixed schema: models that find them, and the metric that compares them."""
