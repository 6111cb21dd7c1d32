import tupelo
from tupelo.integrations.lightrag import custom_kg

with tupelo.Graph.build({"note": "Ann Lee founded Acme in Oslo. Acme is in Oslo."}, "kg.duckdb") as kg:
    given = custom_kg(kg.triples())  # then: rag.insert_custom_kg(given)
for row in given["relationships"]:
    print(row["src_id"], "|", row["keywords"], "|", row["tgt_id"])
