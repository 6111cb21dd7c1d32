from tupelo.io.tuples import read_records
from tupelo.score.carb import Carb
from tupelo.score.resample import compare_systems

gold = read_records("gold.tsv", "carb")
systems = {name: read_records(f"{name}.tsv", "tab") for name in ("eager", "careful")}
evaluations = [Carb().evaluate(gold, records) for records in systems.values()]

baseline, ours = compare_systems(list(systems), evaluations, samples=1000, seed=12345)
gap = ours.differences["f1"]
print(f"{ours.system} against {baseline.system}: {gap.value:+.3f}, p = {gap.p_value:.3f}")
print(f"95 % of the resampled differences: {gap.low:+.3f} to {gap.high:+.3f}")
