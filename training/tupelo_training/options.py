"""Command lines of the training programs."""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any


def option_parser(documentation: str | None, *paths: str, **optional_paths: str) -> argparse.ArgumentParser:
    """A parser described by the first line of a module; `paths` are required options, `optional_paths` have help."""
    parser = argparse.ArgumentParser(description=(documentation or "").split("\n")[0])
    for name in paths:
        parser.add_argument(f"--{name}", type=Path, required=True)
    for name, text in optional_paths.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=Path, help=text)
    return parser


def described(options: argparse.Namespace) -> dict[str, Any]:
    """The options as JSON can hold them, for the report of a run."""

    def plain(value: Any) -> Any:
        if isinstance(value, list):
            return [str(item) for item in value]
        return str(value) if isinstance(value, Path) else value

    return {name: plain(value) for name, value in vars(options).items()}


def write_json(path: Path, document: object, **style: Any) -> None:
    path.write_text(json.dumps(document, indent=1, **style) + "\n", encoding="utf-8")


def write_checksums(folder: Path) -> None:
    """`SHA256SUMS` of all files of a model."""
    endings = (".onnx", ".json", ".txt", ".safetensors")
    names = sorted(path.name for path in folder.iterdir() if path.suffix in endings)
    lines = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="ascii")
