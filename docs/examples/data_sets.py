from tupelo.integrations.datasets import triples  # isort: skip
from datasets import Dataset

found = triples(Dataset.from_dict({"text": ["Ann Lee founded Acme in Oslo."]}))
print(found["relation"][:], found.features["times"])
