import tupelo

# Whatever is fluent and keeps the meaning, also where our extractor does not find the tuples again.
options = tupelo.robustness.CliqueOptions(min_sentences=2, tuples=0)
built = tupelo.robustness.build("small-mill.tsv", options, format="carb")
print(built)
for row in built.rows():
    print(f"{row['origin']}: {row['paraphrase']}")
print(tupelo.robustness.distances(built.cliques, "kernel"))
