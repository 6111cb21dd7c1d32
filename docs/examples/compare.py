import tupelo

baseline, ours = tupelo.compare("carb", "gold.tsv", ["eager.tsv", "careful.tsv"], samples=1000, seed=12345).systems
gap = ours.differences["f1"]
print(f"{ours.system} against {baseline.system}: {gap.value:+.3f}, p = {gap.p_value:.3f}")
print(f"95 % of the resampled differences: {gap.low:+.3f} to {gap.high:+.3f}")
print(tupelo.leaderboard("carb", "gold.tsv", ["eager.tsv", "careful.tsv"]))
