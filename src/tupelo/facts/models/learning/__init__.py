"""Networks that learn, for `tupelo facts train` and the shipped weights. Needs the extra `train` (torch, onnx)."""
