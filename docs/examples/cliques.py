import tupelo

built = tupelo.cliques("small-gold.tsv", tupelo.CliqueOptions(min_sentences=2), format="carb")
print(built)
for row in built.rows():
    print(f"{row['origin']}: {row['paraphrase']}")
print(tupelo.clique_distances(built.cliques, "kernel"))
