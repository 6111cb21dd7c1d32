from tupelo.integrations.factuality import Factuality

factuality = Factuality()
source = "Police said that three men robbed the van on Monday. Nobody was hurt."

found = factuality.compute(
    predictions=["Two men robbed the van.", "Nobody was hurt.", ""], references=[source, source, source]
)
print(found["supported"], found["supported_shares"], found["unscored"], found["reasons"][2])

scores = factuality.score(docs=[source], claims=["Three men robbed the van. Nobody was hurt."])
print(scores.labels, len(scores.claim_probabilities[0]), scores.evidence[0][0])

row = factuality.process_results({"source": source}, ["Three men robbed the van."])
print(row["tupelo_factuality_supported"])
