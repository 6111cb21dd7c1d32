from tupelo.infer.methods import METHODS
from tupelo.infer.methods import InferenceResources
from tupelo.infer.statements import read_statements

method = METHODS.get("learned")(InferenceResources())
pair = read_statements("X kills infection", "X is useful in infection")
forward, backward = method.scores([pair, pair.reversed()])
print(pair.premise.relation, "|", pair.hypothesis.relation)
print("the first entails the second rather than the reverse:", forward > backward)
