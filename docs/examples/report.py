import tupelo

notes = {
    "note": "Ann Lee founded Acme in Oslo in 1998. She sold the firm in 2010. Acme builds ferries for Norway.",
    "news": "Globex bought Acme in 2010. Did Bob leave Globex? Bob Berg is the chairman of Globex.",
}
with tupelo.Graph.build(notes, "kg.duckdb") as kg:
    report = kg.report(title="Notes")
    for community in report.communities:
        print(f"{community.title}: {community.importance:.0%}")
        for fact in community.facts:
            print(f"  {fact}")
    kg.report("acme.html", entity="Acme")
