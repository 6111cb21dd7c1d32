import tupelo

source = "Police said that three men robbed the van on Monday. Nobody was hurt."
checked = tupelo.check("Two men robbed the van. Nobody was hurt.", source)
print(checked)
for claim in checked.claims:
    print(claim.verdict.value, "|", claim.text, "|", claim.reason)
