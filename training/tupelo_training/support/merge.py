"""The mean of several trained support models, weight by weight.

    python -m tupelo_training.support.merge --from student/ 0.7 --from earlier/ 0.3 --output merged/

Networks that started from the same weights and learned the same task from different claims lie close enough for their
mean to be a network too. It is less sure of itself than either, and better on texts unlike those of its training.
"""

from __future__ import annotations

from pathlib import Path

from tupelo_training.options import option_parser
from tupelo_training.support.train import save_weights
from tupelo_training.weights import read_weights, tensors


def main() -> None:
    parser = option_parser(__doc__, "output")
    parser.add_argument(
        "--from",
        nargs=2,
        action="append",
        required=True,
        dest="models",
        metavar=("FOLDER", "SHARE"),
        help="what train wrote, and its share",
    )
    options = parser.parse_args()
    shares = [float(share) for _, share in options.models]
    if abs(sum(shares) - 1) > 1e-6:
        raise SystemExit(f"shares of {sum(shares):g} together, expected 1")
    models = [tensors(read_weights(*sorted(Path(folder).glob("support-*.npz")))) for folder, _ in options.models]
    names = models[0].keys()
    if any(model.keys() != names for model in models):
        raise SystemExit("models with other parts, expected all of the same shape")
    merged = {name: sum(share * model[name] for share, model in zip(shares, models, strict=True)) for name in names}
    save_weights(merged, options.output, "support")


if __name__ == "__main__":
    main()
