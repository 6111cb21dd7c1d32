from tupelo import TupeloError
from tupelo.io.formats import FORMATS
from tupelo.io.lines import Lines

faults = []
lines = Lines(["Rain fell .\t0.9\tfell\tRain\n", "no tabs here\n"], "pred.tsv", faults.append)
records = list(FORMATS.get("tab").read(lines))
print(len(records), "record,", len(faults), "fault:", faults[0])

try:
    FORMATS.get("tap")
except TupeloError as error:
    print(str(error).partition(" Known")[0])
