import tupelo

nlp = tupelo.load()
for t in nlp.extract("Watson, elected in November 1998, has served as Minority Leader."):
    print(t)

found = nlp.extract("The mayor did not say that the bridge would open in May.")
for t in found:
    print(t, "| negated" if t.negated else "", "|", t.modality, "|", t.attribution)
print(found.to_arrow().select(["arg1", "stance", "arg1_spans"]).to_pylist())

# Many texts, each with a key of yours.
notes = [("Ann lives in Oslo.", "note 1"), ("Bob moved to Rome.", "note 2")]
for tuples, key in nlp.pipe(notes, as_tuples=True):
    print(key, *tuples)
