"""Every kind of model folder: whole ones work, damaged and foreign ones give one line that names the file."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from tests.canon.mentions import HARBOUR
from tests.cli.runner import run
from tupelo.canon.canonicalizer import MethodCanonicalizer
from tupelo.canon.heads import load_heads
from tupelo.canon.methods import CanonResources
from tupelo.canon.methods.tupelo import TupeloMethod
from tupelo.checking.network import ClaimReading, load_network
from tupelo.core import Analysis, InputError
from tupelo.core.entailment import EntailmentPair
from tupelo.core.errors import MissingModelError, UnknownNameError
from tupelo.core.extraction import Triple
from tupelo.extract.judge import JudgedExtractor
from tupelo.extract.judge.network import Judge as TupleJudge
from tupelo.extract.links.judge import LinkRanker
from tupelo.factmodels.extract import FactOptions
from tupelo.factmodels.methods import PairMethod
from tupelo.inference.methods.learned import EntailmentWeights, input_blocks
from tupelo.nlp import folder as folders
from tupelo.nlp.encoder import Encoder, load_encoder
from tupelo.nlp.folder import CHECKSUMS, ModelFolder, find_model, model_path
from tupelo.nlp.pipeline import Pipeline
from tupelo.nlp.reader import load_reader
from tupelo_training.facts.pointed import PointedMethod
from tupelo_training.facts.sentences import SentenceMethod
from tupelo_training.facts.written import WrittenMethod
from tupelo_training.options import write_checksums

TEXT = "Ann Lee, who was born in Oslo, founded Acme."
ROOT = Path(__file__).parents[2]


def parse(path: Path) -> list[Analysis]:
    return list(Pipeline(path, threads=1).analyze(TEXT, coreference=True))


@cache
def analyses() -> list[Analysis]:
    return parse(find_model("en"))


@cache
def encoder() -> Encoder:
    return load_encoder()


def extract(path: Path) -> object:
    judge = LinkRanker(path)
    return [judge, *JudgedExtractor(TupleJudge(path)).extract(analyses())]


def encode(path: Path) -> object:
    return load_encoder(path).encode(["an apple"])


def canonicalize(path: Path) -> object:
    method = TupeloMethod(relations="taught", heads=str(path))
    return MethodCanonicalizer(method, CanonResources(encoder=encoder())).canonicalize(HARBOUR)


def entail(path: Path) -> object:
    judge = EntailmentWeights(path)
    pairs = [EntailmentPair(Triple("Ann", "founded", "Acme"), Triple("Ann", "owns", "Acme"))]
    return judge.logits(input_blocks(pairs, encoder()), judge.network(encoder()).logits(pairs))


def support(path: Path) -> object:
    network = load_network(path)
    return network.curve, network.judge([ClaimReading(network.cut(TEXT), "Ann founded Acme.")])


def read(path: Path) -> object:
    return load_reader(path).read("Who founded Acme?", [TEXT])


def classify(path: Path) -> object:
    return PairMethod(path, FactOptions())(analyses())


def classify_sentences(path: Path) -> object:
    return SentenceMethod(path, FactOptions())(analyses())


def write(path: Path) -> object:
    return WrittenMethod(path, FactOptions())(analyses())


def point(path: Path) -> object:
    return PointedMethod(path, FactOptions())(analyses())


# A model of every kind, and what uses all of its files.
KINDS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "parser": ("en", parse),
    "extractor": ("en-extract", extract),
    "encoder": ("en-encoder", encode),
    "canonicalization heads": ("en-canon", canonicalize),
    "entailment": ("en-entail", entail),
    "support": ("en-support", support),
}
if (ROOT / "packages").is_dir():  # not in the sdist
    KINDS["reader"] = ("en-reader", read)
    KINDS["classifier of facts"] = ("en-facts/classifier", classify)
    KINDS["classifier of sentences"] = ("en-facts/sentence", classify_sentences)
    KINDS["end-to-end model of facts"] = ("en-facts/end-to-end", point)
    KINDS["writer of facts"] = ("en-facts/webnlg", write)
# Read for the shipped model only, by functions without an argument.
SHIPPED_ONLY = {"thresholds.json", "calibration.json"}
# Settings that tell a reader something and are not used.
DESCRIPTIVE = {"name", "version", "shapes", "encoder", "data_sha256"}


def shipped(name: str) -> Path:
    (folder,) = [*ROOT.glob(f"src/tupelo/models/{name}"), *ROOT.glob(f"packages/*/src/*/{name}")]
    return folder


def files() -> Iterator[tuple[str, str]]:
    for kind, (name, _) in KINDS.items():
        for line in (shipped(name) / CHECKSUMS).read_text("utf-8").splitlines():
            file = line.split()[1]
            if file not in SHIPPED_ONLY:
                yield kind, file


def json_values() -> Iterator[tuple[str, str, str]]:
    for kind, file in files():
        if file.endswith(".json") and file not in ("split.json", "lemmas.json"):
            for key in sorted(json.loads((shipped(KINDS[kind][0]) / file).read_text("utf-8")).keys() - DESCRIPTIVE):
                yield kind, file, key


def copy(kind: str, target: Path) -> Path:
    """A folder with the same files, as links: a test replaces those that it damages."""
    load_heads.cache_clear()
    source = shipped(KINDS[kind][0])
    target.mkdir()
    for path in source.iterdir():
        os.symlink(path, target / path.name)
    return target


def replace(path: Path, content: bytes, *, checksums: bool = True) -> None:
    """Put another file in place of a link; with `checksums`, as one who made the folder so would."""
    path.unlink()
    path.write_bytes(content)
    if checksums:
        (path.parent / CHECKSUMS).unlink()
        write_checksums(path.parent)


def fault(kind: str, folder: Path) -> str:
    """The message about a folder: one line that begins with its path."""
    with pytest.raises(InputError) as caught:
        KINDS[kind][1](folder)
    (line,) = str(caught.value).splitlines()
    assert line.startswith(str(folder))
    return line.removeprefix(f"{folder}/")


@pytest.mark.model
@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_copy_works(kind: str, tmp_path: Path) -> None:
    KINDS[kind][1](copy(kind, tmp_path / "copy"))


@pytest.mark.model
@pytest.mark.parametrize("kind", KINDS)
def test_a_folder_without_checksums_is_refused(kind: str, tmp_path: Path) -> None:
    assert fault(kind, tmp_path / "none").startswith("SHA256SUMS: no such file, expected a folder with ")
    folder = copy(kind, tmp_path / "copy")
    (folder / CHECKSUMS).unlink()
    assert "`sha256sum * > SHA256SUMS` makes them" in fault(kind, folder)
    (folder / CHECKSUMS).write_text("# files\n", "utf-8")
    assert fault(kind, folder).startswith("SHA256SUMS:1: expected a SHA-256, two spaces and the name of a file")


@pytest.mark.model
@pytest.mark.parametrize(("kind", "file"), list(files()))
def test_a_missing_a_truncated_and_a_random_file_are_named(kind: str, file: str, tmp_path: Path) -> None:
    folder = copy(kind, tmp_path / "copy")
    content = (folder / file).read_bytes()
    replace(folder / file, content[: len(content) // 2], checksums=False)
    assert fault(kind, folder).startswith(f"{file}: damaged, its SHA-256 is not that in SHA256SUMS")
    replace(folder / file, sha256(b"noise").digest() * 40)
    assert fault(kind, folder).startswith(f"{file}: ")
    (folder / file).unlink()
    assert fault(kind, folder).startswith(f"{file}: no such file, but SHA256SUMS names it")
    write_checksums(folder)
    if file != "vocab.txt":
        assert fault(kind, folder).startswith(f"{file}: not in SHA256SUMS, expected a folder with ")


@pytest.mark.model
@pytest.mark.parametrize(("kind", "file"), [(kind, file) for kind, file in files() if file.endswith(".json")])
def test_json_of_another_shape_is_named(kind: str, file: str, tmp_path: Path) -> None:
    folder = copy(kind, tmp_path / "copy")
    for content in (b"[" * 100_000, b"[]", b'{"format": 99, "known": 5, "bias": "?"}'):
        replace(folder / file, content)
        assert fault(kind, folder).startswith(f"{file}: ")


@pytest.mark.model
@pytest.mark.parametrize(("kind", "file", "key"), list(json_values()))
def test_a_setting_of_another_type_is_one_line(kind: str, file: str, key: str, tmp_path: Path) -> None:
    folder = copy(kind, tmp_path / "copy")
    settings = json.loads((folder / file).read_text("utf-8"))
    for value in (None, ["?"]):
        replace(folder / file, json.dumps({**settings, key: value}).encode())
        try:
            KINDS[kind][1](folder)
        except InputError as error:
            (line,) = str(error).splitlines()
            assert line.startswith(str(folder))


@pytest.mark.model
def test_tensors_of_another_model_are_named(tmp_path: Path) -> None:
    for kind, file, other in (
        ("extractor", "judge.safetensors", "en-canon/heads.safetensors"),
        ("canonicalization heads", "heads.safetensors", "en-extract/judge.safetensors"),
    ):
        folder = copy(kind, tmp_path / kind)
        replace(folder / file, (shipped("en").parent / other).read_bytes())
        assert fault(kind, folder).startswith(f"{file}: no tensor '")


@pytest.mark.model
@pytest.mark.parametrize(("kind", "file"), [(kind, file) for kind, file in files() if file.endswith(".onnx")])
def test_a_graph_of_another_model_is_named(kind: str, file: str, tmp_path: Path) -> None:
    folder = copy(kind, tmp_path / "copy")
    other = "en/heads.onnx" if kind != "parser" else "en-support/layers.onnx"
    replace(folder / file, (shipped("en").parent / other).read_bytes())
    assert fault(kind, folder).startswith(f"{file}: ")


@pytest.mark.model
def test_the_command_says_it_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "text.txt"
    text.write_text(TEXT, "utf-8")
    folder = copy("parser", tmp_path / "copy")
    command = ("extract", text, "--parser", f"model:{folder}", "--extractor", "rules", "--format", "tab")
    whole = run(capsys, *command)
    assert whole.status == 0
    assert "founded\tAnn Lee\tAcme" in whole.out
    replace(folder / "encoder.onnx", b"x" * 1000, checksums=False)
    damaged = run(capsys, *command)
    assert (damaged.status, damaged.out) == (2, "")
    assert damaged.err.count("\n") == 1
    assert f"{folder}/encoder.onnx: damaged" in damaged.err


def test_a_model_is_found_by_its_name() -> None:
    assert find_model("en").name == "en"
    with pytest.raises(UnknownNameError, match=r"no model named 'en-extrakt'. Did you mean 'en-extract'\?"):
        find_model("en-extrakt")


def test_a_model_of_a_package_is_found_by_its_name() -> None:
    pytest.importorskip("tupelo_facts_en", reason="needs the extra `facts`")
    assert find_model("en-facts").parent.name == "tupelo_facts_en"
    assert find_model("en-facts") == model_path("en-facts") == shipped("en-facts")


@pytest.mark.model
def test_a_folder_wins_over_a_name_only_where_a_user_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert model_path("en") == find_model("en")
    (tmp_path / "en").mkdir()
    assert model_path("en") == Path("en")
    assert find_model("en").is_absolute()
    assert model_path("./en-support") == Path("en-support")


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "_installed", dict)
    with pytest.raises(MissingModelError) as caught:
        PairMethod(None, FactOptions())
    assert str(caught.value) == "the model 'en-facts' is not installed: pip install tupelo-facts-en"


@pytest.mark.model
def test_a_shipped_model_without_its_checksums_is_named_not_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "_SHIPPED", tmp_path)
    (tmp_path / "en").mkdir()
    with pytest.raises(InputError, match=r"en/SHA256SUMS: no such file, expected a folder with a parser"):
        parse(find_model("en"))


def test_a_name_that_two_packages_claim_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "_installed", lambda: {"fr": ["one", "two"], "de": ["absent_package"]})
    with pytest.raises(InputError, match="model 'fr' is in several packages: one, two"):
        find_model("fr")
    with pytest.raises(InputError, match=r"package 'absent_package'.*not found"):
        find_model("de")
    # The shipped ones cannot be taken over.
    monkeypatch.setattr(folders, "_installed", lambda: {"en": ["one"]})
    assert find_model("en").parts[-2:] == ("models", "en")


@pytest.mark.model
def test_only_plain_names_are_read(tmp_path: Path) -> None:
    for name in ("../secret", "/etc/passwd", "a\\b"):
        (tmp_path / CHECKSUMS).write_text(f"{'0' * 64}  {name}\n", "utf-8")
        with pytest.raises(InputError, match="expected a SHA-256"):
            ModelFolder(tmp_path, "a model")


def cards() -> list[Path]:
    return sorted([*ROOT.glob("src/tupelo/models/*/MODEL_CARD.md"), *ROOT.glob("packages/*/src/*/*/MODEL_CARD.md")])


@pytest.mark.parametrize("card", cards(), ids=lambda card: card.parent.name)
def test_every_shipped_file_has_its_checksum_and_every_card_its_version(card: Path) -> None:
    sums = sorted(card.parent.rglob(CHECKSUMS))
    assert sums
    for path in sums:
        folder = ModelFolder(path.parent, "a model")
        listed = {line.split()[1] for line in path.read_text("utf-8").splitlines()}
        assert listed == {file.name for file in path.parent.iterdir() if file.is_file()} - {CHECKSUMS, card.name}
        for name in listed:
            folder.read(name)
        stated = folder.json("config.json" if "config.json" in folder else "weights.json")
        name, version = card.read_text("utf-8").partition("\n")[0].removeprefix("# ").split()
        assert (stated["name"].startswith(name), stated["version"]) == (True, version)
