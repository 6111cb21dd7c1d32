"""A trained head as the two graphs of coreference in the folder of a parser.

python -m tupelo_training.coreference.export --students run/ --name deep --output src/tupelo/models/en
"""

from __future__ import annotations

import numpy as np

from tupelo_training.options import option_parser, write_checksums
from tupelo_training.parser.graphs import mentions_graph, pairs_graph
from tupelo_training.weights import read_arrays


def main() -> None:
    parser = option_parser(__doc__, "students", "output")
    parser.add_argument("--name", required=True, help="of the setting")
    parser.add_argument("--float", action="store_true", dest="as_float")
    options = parser.parse_args()
    stored = read_arrays(*sorted(options.students.glob("students-*.npz")))
    own = {name.partition("/")[2]: value for name, value in stored.items() if name.startswith(f"{options.name}/")}
    if not own:
        raise SystemExit(f"{options.students}: no student '{options.name}'")
    weights = {f"chains.{name}": value.astype(np.float32) for name, value in own.items()}
    ranges = None if options.as_float else {}
    (options.output / "mentions.onnx").write_bytes(mentions_graph(weights, ranges))
    (options.output / "pairs.onnx").write_bytes(pairs_graph(weights, ranges))
    write_checksums(options.output)


if __name__ == "__main__":
    main()
