from tupelo.io.tuples import read_records
from tupelo.score import SCORERS

gold = read_records("gold.tsv", "carb")
predicted = read_records("careful.tsv", "tab")

carb = SCORERS.get("carb")()
score = carb.evaluate(gold, predicted).score()
print(f"F1 {score.f1:.3f}, AUC {score.auc:.3f}, best at confidence {score.threshold}")
