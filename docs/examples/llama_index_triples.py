import tupelo

from tupelo.integrations.llama_index import TupeloPathExtractor, TupeloRetriever  # isort: skip
from llama_index.core.schema import TextNode

text = "Ann Lee founded Acme in Oslo in 1998."

# PropertyGraphIndex(nodes, kg_extractors=[TupeloPathExtractor()], …) calls it like this:
(node,) = TupeloPathExtractor()([TextNode(text=text)])
for relation in node.metadata["relations"]:
    print(relation.source_id, "|", relation.label, "|", relation.target_id, "|", relation.properties["stance"])

with tupelo.Graph.build({"note": text}, "kg.duckdb") as kg:
    print(TupeloRetriever(kg, limit=1).retrieve("Who founded Acme?")[0].node.get_content())
