"""The weights inside wheels as components of a bill of materials."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from typing import Any

import pytest

from tools.sbom import SbomError, models, validate, with_models

WEIGHTS = b"numbers"
SUM = hashlib.sha256(WEIGHTS).hexdigest()
NOTICE = """Tupelo

Under Apache-2.0 (LICENSES/Apache-2.0.txt)
------------------------------------------

tupelo/models/en-encoder     commercial use: yes
  A network of others.

Under LicenseRef-Tupelo-Weights
-------------------------------

tupelo/models/en             commercial use: unclear
"""
FILES = {
    "tupelo-0.1.0.dist-info/licenses/NOTICE": NOTICE,
    "tupelo/models/en/MODEL_CARD.md": "# tupelo-en 1.2.0\n\nA parser.\n",
    "tupelo/models/en/SHA256SUMS": f"{SUM}  encoder.onnx\n",
    "tupelo/models/en/encoder.onnx": WEIGHTS,
    "tupelo/models/en-encoder/MODEL_CARD.md": "# tupelo-en-encoder 1.0.0\n",
    "tupelo/models/en-encoder/SHA256SUMS": f"{SUM}  layers.onnx\n",
    "tupelo/models/en-encoder/layers.onnx": WEIGHTS,
}
BOM: dict[str, Any] = {
    "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
    "bomFormat": "CycloneDX",
    "specVersion": "1.6",
    "version": 1,
    "metadata": {},
    "components": [
        {"type": "library", "bom-ref": "tupelo==0.1.0", "name": "tupelo", "version": "0.1.0"},
        {"type": "library", "bom-ref": "click==8.5", "name": "click", "version": "8.5"},
    ],
    "dependencies": [{"ref": "click==8.5"}, {"ref": "tupelo==0.1.0", "dependsOn": ["click==8.5"]}],
}


def wheel_of(files: dict[str, Any]) -> zipfile.ZipFile:
    wheel = zipfile.ZipFile(io.BytesIO(), "w")
    for name, content in files.items():
        wheel.writestr(name, content)
    return wheel


def test_every_set_of_weights_is_a_component_with_version_licence_and_sums():
    parser, encoder = models(wheel_of(FILES))
    assert (parser["name"], parser["version"]) == ("tupelo-en", "1.2.0")
    assert parser["licenses"] == [{"expression": "LicenseRef-Tupelo-Weights"}]
    assert {"name": "tupelo:commercial-use", "value": "unclear"} in parser["properties"]
    assert parser["components"] == [
        {"type": "file", "name": "encoder.onnx", "hashes": [{"alg": "SHA-256", "content": SUM}]}
    ]
    assert encoder["licenses"] == [{"expression": "Apache-2.0"}]


def test_one_card_may_cover_the_sets_of_weights_below_it():
    (model,) = models(
        wheel_of(
            {
                "tupelo_facts_en-1.0.0.dist-info/licenses/NOTICE": "en-facts/classifier    commercial use: yes\n",
                "tupelo_facts_en/en-facts/MODEL_CARD.md": "# tupelo-en-facts 1.0.0\n",
                "tupelo_facts_en/en-facts/classifier/SHA256SUMS": f"{SUM}  pairs.onnx\n",
                "tupelo_facts_en/en-facts/classifier/pairs.onnx": WEIGHTS,
            }
        )
    )
    assert (model["name"], model["version"]) == ("tupelo-en-facts/classifier", "1.0.0")
    assert model["licenses"] == [{"expression": "LicenseRef-Tupelo-Weights"}]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("tupelo/models/en/encoder.onnx", b"other numbers", "tupelo/models/en/encoder.onnx: SHA-256"),
        ("tupelo/models/en/MODEL_CARD.md", "A parser.\n", "no MODEL_CARD.md that begins with"),
        ("tupelo-0.1.0.dist-info/licenses/NOTICE", "Tupelo\n", "tupelo/models/en is not in the NOTICE"),
    ],
    ids=["sum", "card", "notice"],
)
def test_weights_that_are_not_as_described_are_refused(name: str, content: bytes | str, reason: str):
    with pytest.raises(SbomError, match=reason):
        list(models(wheel_of({**FILES, name: content})))


def test_a_package_depends_on_its_weights():
    bom = with_models(BOM, {"tupelo": list(models(wheel_of(FILES)))})
    assert bom["metadata"]["component"]["name"] == "tupelo"
    assert [item["name"] for item in bom["components"]] == ["click", "tupelo-en", "tupelo-en-encoder"]
    needs = {item["ref"]: item.get("dependsOn", []) for item in bom["dependencies"]}
    assert needs["tupelo==0.1.0"] == ["click==8.5", "model:tupelo-en-encoder@1.0.0", "model:tupelo-en@1.2.0"]
    assert set(needs["tupelo==0.1.0"]) <= set(needs)


@pytest.mark.slow
def test_the_bill_is_valid_cyclonedx():
    pytest.importorskip("cyclonedx", reason="needs the dependency group release")
    bom = with_models(BOM, {"tupelo": list(models(wheel_of(FILES)))})
    validate(json.dumps(bom))
    bom["components"][0]["type"] = "no such type"
    with pytest.raises(SbomError, match="not valid CycloneDX"):
        validate(json.dumps(bom))
