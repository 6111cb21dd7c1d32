import tupelo

score = tupelo.score("carb", "gold.tsv", "careful.tsv")
print(score)
print(f"F1 {score.f1:.3f}, AUC {score.auc:.3f}, best at confidence {score.threshold}")
