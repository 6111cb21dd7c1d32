import pyarrow as pa

from tupelo.core.schemas import batches_to_records, extraction_schema, records_to_batches
from tupelo.io.tuples import read_records

records = read_records("careful.tsv", "tab")
table = pa.Table.from_batches(records_to_batches(records), schema=extraction_schema())
print(table.num_rows, "rows,", table.num_columns, "columns")

back = list(batches_to_records(table.to_batches()))
print("nothing lost:", back == records)
