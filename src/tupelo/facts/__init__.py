"""Does a generated text agree with its source? Facts, values, and the evidence for every claim."""
