"""Thresholds that ship: what the search on COMBO's development part chose for every method and subtask."""

from __future__ import annotations

from tupelo.core import InputError

# Method -> subtask -> threshold. `python -m tupelo_training.canon.compare --thresholds` prints this table.
THRESHOLDS: dict[str, dict[str, float]] = {
    "surface": {"subject": 0.5, "object": 0.5, "relation": 0.5, "subject-type": 0.5, "object-type": 0.5},
    "ngrams": {"subject": 0.3, "object": 0.5, "relation": 0.6, "subject-type": 0.6, "object-type": 0.6},
    "hole": {"subject": 0.5, "object": 0.5, "relation": 0.7, "subject-type": 0.6, "object-type": 0.6},
    "side": {"subject": 0.3, "object": 0.5, "relation": 0.4, "subject-type": 0.5, "object-type": 0.5},
    "cesi": {"subject": 0.4, "object": 0.5, "relation": 0.6, "subject-type": 0.6, "object-type": 0.6},
    "vae-gmm": {"subject": 0.3, "object": 0.5, "relation": 0.6, "subject-type": 0.6, "object-type": 0.6},
    "vae-gmm-side": {"subject": 0.3, "object": 0.5, "relation": 0.6, "subject-type": 0.6, "object-type": 0.6},
    "vae-gmm-hole": {"subject": 0.3, "object": 0.5, "relation": 0.6, "subject-type": 0.6, "object-type": 0.6},
    "cuva": {"subject": 0.3, "object": 0.5, "relation": 0.6, "subject-type": 0.6, "object-type": 0.6},
    "tokens": {"subject": 0.68, "object": 0.66, "relation": 0.78, "subject-type": 0.975, "object-type": 0.975},
    "random": {"subject": 0.32, "object": 0.23, "relation": 0.36, "subject-type": 0.53, "object-type": 0.62},
    "words": {"subject": 0.12, "object": 0.13, "relation": 0.46, "subject-type": 0.46, "object-type": 0.55},
    "encoder": {"subject": 0.42, "object": 0.46, "relation": 0.95, "subject-type": 0.45, "object-type": 0.62},
}


def threshold_for(method: str, subtask: str) -> float:
    """The threshold that ships for a method; methods without one need it on the command line."""
    if method == "tupelo":
        from tupelo.canon.heads import load_heads

        return load_heads().threshold(subtask)
    try:
        return THRESHOLDS[method][subtask]
    except KeyError:
        raise InputError(
            f"no threshold ships for '{subtask}' of method '{method}': give --threshold, or tune one on gold data"
        ) from None
