"""The bill of materials of a release, in CycloneDX form: `make sbom`.

It describes the wheels in `dist/`: what `pip install` brings along, as cyclonedx-bom finds it in an environment with
nothing else in it, and every set of weights inside the wheels, with its licence and the sums of its files. The sums
are computed here and must be those that the wheels carry.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tempfile
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
_WEIGHTS_LICENCE = "LicenseRef-Tupelo-Weights"
_CARD_TITLE = re.compile(r"# (?P<name>\S+) (?P<version>\S+)")
_NOTICE_SECTION = re.compile(r"Under (?P<licence>\S+)")
_NOTICE_ENTRY = re.compile(r"(?P<folder>\S+) +commercial use: (?P<commercial>\w+)")


class SbomError(Exception):
    """What keeps the bill of materials from being true."""


def models(wheel: zipfile.ZipFile) -> Iterator[dict[str, Any]]:
    """A component for each set of weights in a wheel."""
    notice = _notice(wheel)
    for path in sorted(map(PurePosixPath, wheel.namelist())):
        if path.name == "SHA256SUMS":
            yield _model(wheel, path.parent, notice)


def _model(wheel: zipfile.ZipFile, folder: PurePosixPath, notice: dict[str, tuple[str, str]]) -> dict[str, Any]:
    card = _card(wheel, folder)
    listed = [entry for entry in notice if str(folder).endswith(entry)]
    if not listed:
        raise SbomError(f"{folder} is not in the NOTICE of its wheel")
    licence, commercial = notice[listed[0]]
    files = []
    for line in wheel.read(f"{folder}/SHA256SUMS").decode().splitlines():
        stated, name = line.split(maxsplit=1)
        found = hashlib.sha256(wheel.read(f"{folder}/{name}")).hexdigest()
        if found != stated:
            raise SbomError(f"{folder}/{name}: SHA-256 {found}, but SHA256SUMS says {stated}")
        files.append({"type": "file", "name": name, "hashes": [{"alg": "SHA-256", "content": found}]})
    name = f"{card['name']}/{folder.name}" if f"{folder}/MODEL_CARD.md" not in wheel.namelist() else card["name"]
    return {
        "type": "machine-learning-model",
        "bom-ref": f"model:{name}@{card['version']}",
        "name": name,
        "version": card["version"],
        "licenses": [{"expression": licence}],
        "properties": [
            {"name": "tupelo:folder", "value": str(folder)},
            {"name": "tupelo:commercial-use", "value": commercial},
        ],
        "components": files,
    }


def _card(wheel: zipfile.ZipFile, folder: PurePosixPath) -> re.Match[str]:
    """The title of the card beside the weights, or of the one above that covers several sets."""
    for place in (folder, folder.parent):
        try:
            title = wheel.read(f"{place}/MODEL_CARD.md").decode().splitlines()[0]
        except KeyError:
            continue
        if found := _CARD_TITLE.fullmatch(title):
            return found
    raise SbomError(f"{folder} has no MODEL_CARD.md that begins with '# NAME VERSION'")


def _notice(wheel: zipfile.ZipFile) -> dict[str, tuple[str, str]]:
    """Folder -> licence and whether commercial use is allowed, as the NOTICE of a wheel has them."""
    entries: dict[str, tuple[str, str]] = {}
    licence = _WEIGHTS_LICENCE
    for path in (name for name in wheel.namelist() if name.endswith(".dist-info/licenses/NOTICE")):
        for line in wheel.read(path).decode().splitlines():
            if section := _NOTICE_SECTION.match(line):
                licence = section["licence"]
            elif entry := _NOTICE_ENTRY.match(line):
                entries[entry["folder"]] = (licence, entry["commercial"])
    return entries


def with_models(bom: dict[str, Any], weights: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """The bill with tupelo as its subject, in which each of our packages depends on its weights."""
    subject = next(item for item in bom["components"] if item["name"] == "tupelo")
    needs = {
        item["bom-ref"]: [model["bom-ref"] for model in weights.get(item["name"], [])] for item in bom["components"]
    }
    found = [model for models_of_package in weights.values() for model in models_of_package]
    return {
        **bom,
        "metadata": {**bom["metadata"], "component": subject},
        "components": [item for item in bom["components"] if item is not subject] + found,
        "dependencies": [
            {**item, "dependsOn": sorted([*item.get("dependsOn", []), *needs[item["ref"]]])}
            for item in bom["dependencies"]
            if item["ref"] in needs
        ]
        + [{"ref": model["bom-ref"]} for model in found],
    }


def environment(wheels: list[Path]) -> dict[str, Any]:
    """What cyclonedx-bom finds where the wheels and their requirements are installed, and nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=False)
        python = f"{folder}/bin/python"
        pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet"]
        names = [_package(wheel) for wheel in wheels]
        # By name from the folder: an install by path would leave the path of this machine in the bill.
        subprocess.run([*pip, "--no-index", "--no-deps", "--find-links", str(wheels[0].parent), *names], check=True)
        subprocess.run([*pip, *names], check=True)
        options = ["--spec-version", "1.6", "--output-format", "JSON", "--output-reproducible"]
        done = subprocess.run(
            [sys.executable, "-m", "cyclonedx_py", "environment", python, *options], check=True, capture_output=True
        )
    bom: dict[str, Any] = json.loads(done.stdout)
    return bom


def _package(wheel: Path) -> str:
    """The name of the package in a wheel, as it is written in its metadata."""
    return wheel.name.split("-")[0].replace("_", "-")


def validate(text: str) -> None:
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    if error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise SbomError(f"not valid CycloneDX: {error}")


def main(folder: Path = ROOT / "dist") -> int:
    wheels = sorted(folder.glob("*.whl"))
    if not any(wheel.name.startswith("tupelo-") for wheel in wheels):
        sys.exit(f"sbom: no wheel of tupelo in {folder}. Run make dist")
    weights = {}
    try:
        for path in wheels:
            with zipfile.ZipFile(path) as wheel:
                weights[_package(path)] = list(models(wheel))
        bom = with_models(environment(wheels), weights)
        text = json.dumps(bom, indent=2, ensure_ascii=False) + "\n"
        validate(text)
    except (SbomError, subprocess.CalledProcessError) as error:
        sys.exit(f"sbom: {error}")
    output = folder / f"tupelo-{bom['metadata']['component']['version']}.cdx.json"
    output.write_text(text, "utf-8")
    print(f"{output}: {len(bom['components'])} components, {sum(map(len, weights.values()))} of them weights")
    return 0


if __name__ == "__main__":
    sys.exit(main())
