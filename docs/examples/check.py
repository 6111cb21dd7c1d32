import tupelo
from tupelo.facts.checker import Checker

checker = Checker(tupelo.load())
source = "Police said that three men robbed the van on Monday. Nobody was hurt."
checked = checker("Two men robbed the van. Nobody was hurt.", source)
print(checked.accuracy)
for claim in checked.claims:
    print(claim.verdict.value, "|", claim.text, "|", claim.reason)
