import tupelo
from tupelo.integrations.kggen import graph_json

graph = graph_json(tupelo.integrations.TripleReader().pipe(["Ann Lee founded Acme. She lives in Oslo."]))
print(graph["relations"])
