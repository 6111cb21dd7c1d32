import tupelo

source = "Police said that three men robbed the van on Monday. Nobody was hurt."
checked = tupelo.check("Two men robbed the van. Nobody was hurt.", source)
print(checked)

# A checker keeps its models for the next text.
checker = tupelo.Checker()
for claim in checker("Three men robbed the van.", source).claims:
    print(claim.verdict.value, "|", claim.text)
