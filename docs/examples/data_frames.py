from tupelo.integrations.pandas import triples  # isort: skip
import pandas as pd

frame = pd.DataFrame({"text": ["Ann Lee founded Acme in Oslo.", "Bob Moe lives in Bergen."]})
print(triples(frame)[["id", "subject", "relation", "object"]].to_string(index=False))
