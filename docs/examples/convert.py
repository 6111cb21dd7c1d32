import tupelo

# Records are read while they are written, so that a file may be larger than the memory.
with tupelo.formats.open_records("eager.tsv") as records:
    sure = (record for record in records if isinstance(record, tupelo.Extraction) and record.confidence >= 0.6)
    tupelo.write(sure, "sure.jsonl")

print(len(tupelo.read("sure.jsonl")), "tuples")
