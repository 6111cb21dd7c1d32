from datetime import datetime

from tupelo.graph.evidence import evidence
from tupelo.graph.query import ask
from tupelo.graph.schema import stable_id
from tupelo.graph.store import create, open_graph

# `tupelo graph build` fills a graph from documents; here is one statement, by hand.
ann, acme, founded = (stable_id("entity", name) for name in ("Ann Lee", "Acme", "founded"))
text = "Ann Lee founded Acme in 1998."
nothing_changed = {"documents_changed": 0, "documents_removed": 0}
run = {"run_id": "r", "started": datetime(2026, 1, 1), "tupelo_version": "0.1.0", "documents_added": 1}
file = {"document_id": "d", "source": "note.txt", "media_type": "text/plain", "checksum": "", "characters": len(text)}
counts = {"mentions": 1, "documents": 1}
where = {"edge_id": "e", "tuple_id": "t", "sentence_id": "s", "document_id": "d"}

with create("small.duckdb") as store:
    with store.transaction():
        store.insert("runs", [run | nothing_changed])
        store.insert("documents", [file | {"run_id": "r"}])
        store.insert("sentences", [{"sentence_id": "s", "document_id": "d", "position": 0, "text": text}])
        store.insert("tuples", [{"tuple_id": "t", "sentence_id": "s", "position": 0, "relation": "founded"}])
        store.insert(
            "entities",
            [
                {"entity_id": key, "name": name, "kind": "name"} | counts
                for key, name in ((ann, "Ann Lee"), (acme, "Acme"))
            ],
        )
        relation = {"relation_id": founded, "name": "founded", "lemma": "found", "mentions": 1, "edges": 1}
        store.insert("relations", [relation])
        names = [(ann, "entity", "Ann Lee"), (acme, "entity", "Acme"), (founded, "relation", "founded")]
        store.insert(
            "aliases", [{"owner_id": key, "owner": owner, "text": name, "mentions": 1} for key, owner, name in names]
        )
        edge = {"subject_id": ann, "relation_id": founded, "object_id": acme, "negated": False, "confidence": 0.9}
        store.insert("edges", [edge | counts | {"edge_id": "e", "asserted": 1}])
        store.insert("qualifiers", [{"edge_id": "e", "role": "time", "text": "in 1998", "mentions": 1}])
        store.insert("provenance", [where])
    store.refresh()
    print("problems:", store.problems())

with open_graph("small.duckdb") as store:
    for answer in ask(store, ["?who founded ?company"]).rows:
        print(answer.bindings["who"].name, answer.bindings["company"].name, answer.confidence, answer.edges[0].times)
        for item in evidence(store, [answer.edges[0].id])[answer.edges[0].id]:
            print(f"{item.source}: {item.sentence}")
