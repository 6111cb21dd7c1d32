"""Does a text agree with its source? Claims, evidence, values and verdicts."""
