from tupelo import Extraction
from tupelo.io.tuples import open_records, write_records

# Records are read as they are asked for, so that a file may be larger than the memory.
with open_records("eager.tsv", "auto") as stream:
    tuples = (record for record in stream.records if isinstance(record, Extraction))
    sure = (item for item in tuples if item.confidence >= 0.6)
    write_records("sure.jsonl", sure, "jsonl")

with open("sure.jsonl", encoding="utf-8") as lines:
    print(sum(1 for _ in lines), "tuples")
