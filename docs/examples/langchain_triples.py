import tupelo

from tupelo.integrations.langchain import TupeloGraphTransformer, TupeloRetriever  # isort: skip
from langchain_core.documents import Document

text = "Ann Lee founded Acme in Oslo in 1998."
(made,) = TupeloGraphTransformer().convert_to_graph_documents([Document(page_content=text)])
for one in made.relationships:  # for the add_graph_documents of a store
    print(one.source.id, one.type, one.target.id, one.properties["object_start"], one.properties["object_end"])

with tupelo.Graph.build({"note": text}, "kg.duckdb") as kg:
    print(TupeloRetriever(graph=kg, limit=1).invoke("Who founded Acme?")[0].page_content)
