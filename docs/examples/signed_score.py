import tupelo

predicted = tupelo.read("eager.tsv", "tab")  # or records of your own, in memory
score = tupelo.score("carb", "gold.tsv", predicted, matcher="strict", fixes=["extra-arguments-free"])
print(f"{score.f1:.4f} {score.signature}")

for precision, recall, threshold in score.curve[:3]:
    print(f"keep {threshold:.2f} and above: precision {precision:.3f}, recall {recall:.3f}")
