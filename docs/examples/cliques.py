import tupelo

built = tupelo.robustness.build("small-gold.tsv", tupelo.robustness.CliqueOptions(min_sentences=2), format="carb")
print(built)
for row in built.rows():
    print(f"{row['origin']}: {row['paraphrase']}")
print(tupelo.robustness.distances(built.cliques, "kernel"))
