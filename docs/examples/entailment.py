import tupelo

(found,) = tupelo.infer([("X kills infection", "X is useful in infection")])
print(found.pair.premise.relation, "|", found.pair.hypothesis.relation)
print("the first entails the second rather than the reverse:", found.score > found.reverse)
