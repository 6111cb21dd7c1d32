import json

import tupelo
from tupelo.integrations.hipporag import TupeloOpenIE, write_openie_results

texts = ["Ann Lee founded Acme in Oslo in 1998.", "Bob Moe lives in Bergen."]

# Beside HippoRAG's other files: <save_dir>/openie_results_ner_<llm name>.json
write_openie_results(tupelo.integrations.TripleReader().pipe(texts), "openie_results_ner_none.json")
with open("openie_results_ner_none.json", encoding="utf-8") as file:
    print(json.load(file)["docs"][1]["extracted_triples"])

# Or in the running program: hipporag.openie = TupeloOpenIE()
entities, triples = TupeloOpenIE().batch_openie({"chunk-1": {"content": texts[0]}})
print(entities["chunk-1"].unique_entities)
