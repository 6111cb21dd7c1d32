import tupelo

score = tupelo.score("carb", "gold.tsv", "eager.tsv", matcher="strict", fixes=["extra-arguments-free"])
print(f"{score.f1:.4f} {score.signature}")

for precision, recall, threshold in score.curve[:3]:
    print(f"keep {threshold:.2f} and above: precision {precision:.3f}, recall {recall:.3f}")

# Records in memory are signed by a checksum of their content.
sure = [record for record in tupelo.read("eager.tsv").extractions if record.confidence >= 0.6]
print(tupelo.score("carb", "gold.tsv", sure))
