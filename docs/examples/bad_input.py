import tupelo

with open("faulty.tsv", "w", encoding="utf-8") as file:
    file.write("Rain fell .\t0.9\tfell\tRain\nno tabs here\n")
found = tupelo.read("faulty.tsv", "tab", on_error="skip")
print(len(found), "record,", len(found.skipped), "fault:", found.skipped[0])

try:
    tupelo.read("faulty.tsv", "tap")
except tupelo.TupeloError as error:
    print(str(error).partition(" Known")[0])
