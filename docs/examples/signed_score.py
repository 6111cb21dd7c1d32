from tupelo.io.tuples import read_records
from tupelo.score.carb import Carb

gold = read_records("gold.tsv", "carb")
predicted = read_records("eager.tsv", "tab")

metric = Carb(matcher="strict", fixes=["extra-arguments-free"])
score = metric.evaluate(gold, predicted).score()
print(f"{score.f1:.4f} {score.signature}")

for precision, recall, threshold in score.curve[:3]:
    print(f"keep {threshold:.2f} and above: precision {precision:.3f}, recall {recall:.3f}")
