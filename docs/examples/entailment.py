import tupelo

(found,) = tupelo.infer("Ann Berg won the race against Bo Lund.", "Ann Berg raced against Bo Lund.")
print(found.pair.premise.relation)
print("the first entails the second rather than the reverse:", found.score > found.reverse)
