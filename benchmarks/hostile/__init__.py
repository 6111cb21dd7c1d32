"""Does any text slow us down more than its length explains, or break us?

`texts` makes hostile texts, `growth` measures how the time of a function grows with the size of its input, and
`python -m benchmarks.hostile growth` measures every stage from text to tuple, graph and report.
"""
