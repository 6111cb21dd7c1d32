"""The families of relation phrases in plain forms, as the package reads them: `python -m tools.families`.

To be run after a change of `relation_families.txt`, or of what makes a plain form. A test compares.
"""

from __future__ import annotations

from pathlib import Path

from tupelo.relations.forms import plain_families

FILE = Path(__file__).resolve().parents[1] / "src/tupelo/nlp/languages/en/plain_families.txt"


def main() -> None:
    FILE.write_text(plain_families(), "utf-8")


if __name__ == "__main__":
    main()
