import tupelo

notes = {"note": "Ann Lee founded Acme in Oslo in 1998.", "news": "Globex bought Acme. Bob did not leave Globex."}
with tupelo.Graph.build(notes, "kg.duckdb") as kg:
    print(kg)
    print(kg.query("?who founded ?company", evidence=1))
    for answer in kg.query("?firm ? Acme"):
        print(answer["firm"], answer["relation"], answer.edges[0].documents)
    kg.show("kg.html")
