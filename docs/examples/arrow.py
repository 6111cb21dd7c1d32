import tupelo
from tupelo.core.schemas import batches_to_records, records_to_batches

tuples = tupelo.read("careful.tsv")
print(tuples.to_arrow().num_rows, "rows of words and confidences")

# The complete schema holds everything an extraction can carry; Parquet files use it.
back = list(batches_to_records(records_to_batches(tuples)))
print("nothing lost:", back == list(tuples))
