import asyncio

from tupelo.integrations.neo4j_graphrag import TupeloExtractor  # isort: skip
from neo4j_graphrag.components.types import TextChunk, TextChunks

chunks = TextChunks(chunks=[TextChunk(text="Ann Lee founded Acme in Oslo in 1998.", index=0)])
# In a pipeline: pipeline.add_component(TupeloExtractor(), "extractor")
graph = asyncio.run(TupeloExtractor().run(chunks))
print([(node.label, node.properties["name"]) for node in graph.nodes if "name" in node.properties])
print([relationship.type for relationship in graph.relationships])
