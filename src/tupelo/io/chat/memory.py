"""Answers on disk, one small file each, under a name made from everything that shaped the question."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from tupelo.core import InputError
from tupelo.io.files import write_text
from tupelo.io.folders import make_folder
from tupelo.io.text import read_whole


class Memory:
    """Remembers answers across runs, so that an interrupted job goes on where it stopped."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def find(self, question: dict[str, Any]) -> dict[str, Any] | None:
        """The answer to a question; a file that cannot be understood counts as none."""
        path = self._path(question)
        if path is None or not path.is_file():
            return None
        try:
            kept = json.loads(read_whole(str(path)))
        except (InputError, ValueError):
            return None
        answer = kept.get("answer") if isinstance(kept, dict) and kept.get("question") == question else None
        return answer if isinstance(answer, dict) and isinstance(answer.get("text"), str) else None

    def keep(self, question: dict[str, Any], answer: dict[str, Any]) -> None:
        path = self._path(question)
        if path is not None:
            make_folder(path.parent)
            kept = {"question": question, "answer": answer}
            # Escaped to ASCII: an answer may hold half of a surrogate pair, which UTF-8 cannot.
            write_text(path, json.dumps(kept, sort_keys=True) + "\n")

    def _path(self, question: dict[str, Any]) -> Path | None:
        if self._folder is None:
            return None
        name = hashlib.sha256(json.dumps(question, sort_keys=True).encode("ascii")).hexdigest()
        return self._folder / name[:2] / f"{name}.json"
