import tupelo

triples = [
    ("Ann Berg", "lives in", "Oslo", "Ann Berg lives in Oslo."),
    ("ann berg", "resides in", "the city of Oslo"),
    ("Oslo", "is the capital of", "Norway"),
]
found = tupelo.canonicalize(triples, method="tokens", tasks=["npc-e"])
print(found)
for cluster in found.entities:
    print(cluster.name, len(cluster.members))
