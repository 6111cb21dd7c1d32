import tupelo
from tupelo.factmodels.extract import FactOptions

found = tupelo.facts(
    "Marie Curie was born in Warsaw, the capital of Poland.", options=FactOptions(min_confidence=0.7)
)
for fact in found:
    print(fact, "|", round(fact.confidence, 2))
print(found[0].evidence[0].text)
