"""How the shipped English models are made: one package per model, and what they share beside them.

`options` (command lines), `loop` (one optimizer step, schedules, averaged weights), `weights` (arrays that travel
between programs) and `onnx_graphs` (weights to ONNX).
"""
