"""Model folders: where a named one is, and its files, each verified while it is read.

The shipped models are the folders of `tupelo/models`. Another package adds a model with a folder of the model's name
and an entry point of the group `tupelo.models`: the model's name, and the package that holds the folder.

A folder has a `SHA256SUMS`, as training and `sha256sum` write it. Only files that it names are read, and only if
their bytes have the checksum there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.core import InputError, MissingModelError, UnknownNameError
from tupelo.core.deadline import time_left
from tupelo.core.vectors import parse_tensors


class OnnxGraph:
    """An ONNX session on the CPU.

    Threads do not spin while they wait: on a machine whose cores are all in use by a pool of processes, spinning
    nearly halves the speed.
    """

    def __init__(self, content: bytes, threads: int, source: str) -> None:
        """From the bytes of a file, so that a graph cannot refer to other files; `source` is its name in messages."""
        import onnxruntime

        self._source = source

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        # Errors are raised as well.
        options.log_severity_level = 4
        # The graphs are already fused. Further fusion would merge sums and layer norms into one operator that takes
        # several times as long as the two separately.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        # Shapes differ from batch to batch: memory reuse plans would only accumulate.
        options.enable_mem_pattern = False
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the errors of onnxruntime have no other base
            raise InputError(f"{source}: {_reason(error)}, expected an ONNX graph of this version") from error

    def require(self, output: str, size: int) -> None:
        """Refuse a graph whose output has another number of values than the settings beside it have names for."""
        shapes = {one.name: one.shape for one in self._session.get_outputs()}
        if size not in shapes.get(output, ()):
            found = f"output '{output}' of shape {shapes[output]}" if output in shapes else f"no output '{output}'"
            raise InputError(f"{self._source}: {found}, expected one of size {size}")

    def run(self, outputs: Sequence[str], inputs: Mapping[str, NDArray[Any]]) -> list[NDArray[Any]]:
        """The named outputs, in order."""
        time_left()
        try:
            results: list[NDArray[Any]] = self._session.run(list(outputs), dict(inputs))
        except Exception as error:  # as above
            raise InputError(f"{self._source}: {_reason(error)}, expected a graph for this kind of model") from error
        return results


def _reason(error: Exception) -> str:
    """The first line of a message, without the codes before it: `[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : …`."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rpartition(" : ")[2].rstrip(".")


GROUP = "tupelo.models"
CHECKSUMS = "SHA256SUMS"
CONFIG = "config.json"
VOCABULARY = "vocab.txt"
_SHIPPED = Path(__file__).parents[1] / "models"
# Models of this project that are too large for the package, or that few need.
_PACKAGES = {"en-facts": "tupelo-facts-en", "en-reader": "tupelo-reader-en"}
_CHECKSUM = re.compile(r"([0-9a-f]{64}) [ *]([^/\\]+)")


def find_model(name: str) -> Path:
    """The folder of a model by its name: a shipped one, or one of an installed package."""
    if (_SHIPPED / name).is_dir():
        return _SHIPPED / name
    installed = _installed()
    packages = installed.get(name, [])
    if not packages and name in _PACKAGES:
        raise MissingModelError(name, _PACKAGES[name])
    if not packages:
        shipped = (folder.name for folder in _SHIPPED.iterdir())
        raise UnknownNameError.among("model", name, {*shipped, *installed, *_PACKAGES})
    if len(packages) > 1:
        raise InputError(f"model '{name}' is in several packages: {', '.join(packages)}; expected one of them")
    return _package_folder(packages[0]) / name


def model_path(given: str | Path) -> Path:
    """The folder that a user named: a path, or the name of a model."""
    path = Path(given)
    if isinstance(given, Path) or path.is_dir() or path.name != given:
        return path
    return find_model(given)


def _installed() -> dict[str, list[str]]:
    # Takes a while to import and to run; shipped models are found without it.
    from importlib.metadata import entry_points

    found: dict[str, list[str]] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.value):
        if entry.value not in found.setdefault(entry.name, []):
            found[entry.name].append(entry.value)
    return found


def _package_folder(package: str) -> Path:
    # Found, not imported: weights are data, and their package need not run.
    from importlib.util import find_spec

    spec = find_spec(package)
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        raise InputError(f"package '{package}', an entry point of {GROUP}: not found. Install it again")
    return Path(places[0])


class ModelFolder:
    """The files of one model; `what` says which kind was expected, for messages: "a parser"."""

    def __init__(self, path: Path, what: str) -> None:
        self.path = path
        self._graphs: dict[str, OnnxGraph] = {}
        self._expected = f"expected a folder with {what}"
        for name in self._checksums:
            if not (path / name).is_file():
                raise InputError(f"{path / name}: no such file, but {CHECKSUMS} names it; {self._expected}")

    def __contains__(self, name: str) -> bool:
        return name in self._checksums

    @cached_property
    def _checksums(self) -> dict[str, str]:
        path = self.path / CHECKSUMS
        if not path.is_file():
            made = "with its checksums (`sha256sum * > SHA256SUMS` makes them)"
            raise InputError(f"{path}: no such file, {self._expected} {made}")
        found: dict[str, str] = {}
        with self.reading(CHECKSUMS):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                if not (match := _CHECKSUM.fullmatch(line)):
                    raise InputError(f"{path}:{number}: expected a SHA-256, two spaces and the name of a file")
                found[match[2]] = match[1]
        return found

    @property
    def fingerprint(self) -> str:
        """A hash of the checksums, distinct for every set of files."""
        return sha256("".join(sorted(self._checksums.values())).encode()).hexdigest()

    def checksum(self, name: str) -> str:
        """The SHA-256 that a file must have."""
        return self._checksums.get(name, "")

    def read(self, name: str) -> bytes:
        """The bytes of a file, verified."""
        path = self.path / name
        if name not in self:
            raise InputError(f"{path}: not in {CHECKSUMS}, {self._expected}")
        with self.reading(name):
            content = path.read_bytes()
        if sha256(content).hexdigest() != self._checksums[name]:
            raise InputError(f"{path}: damaged, its SHA-256 is not that in {CHECKSUMS}. Install the model again")
        return content

    def text(self, name: str) -> str:
        content = self.read(name)
        with self.reading(name):
            return content.decode("utf-8")

    def json(self, name: str) -> dict[str, Any]:
        """The object in a JSON file."""
        text = self.text(name)
        with self.reading(name):
            found = json.loads(text)
            if not isinstance(found, dict):
                raise TypeError("not a JSON object")
            return found

    def settings(self, version: int, name: str = CONFIG) -> dict[str, Any]:
        """The object in a JSON file that states this version of its format."""
        found = self.json(name)
        if found.get("format") != version:
            raise InputError(
                f"{self.path / name}: format {found.get('format')}, {self._expected} of format {version}"
            )
        return found

    def tensors(self, name: str) -> dict[str, NDArray[np.float32]]:
        """The arrays in a safetensors file; one that is looked up and missing is an error of the file."""
        content = self.read(name)
        with self.reading(name):
            arrays, _ = parse_tensors(content)
            found = {key: np.asarray(array, dtype=np.float32) for key, array in arrays.items()}
        return _Tensors(found, f"{self.path / name}: no tensor", self._expected)

    def vocabulary(self) -> list[str]:
        """The subwords of this model, or those of the shipped parser, which the models without their own share."""
        own = self if VOCABULARY in self else ModelFolder(find_model("en"), "a parser")
        return own.text(VOCABULARY).splitlines()

    def graph(self, name: str, threads: int, **sizes: int) -> OnnxGraph:
        """An ONNX graph, opened once; `sizes` are the values per item that some of its outputs must have."""
        if name not in self._graphs:
            graph = OnnxGraph(self.read(name), threads, str(self.path / name))
            for output, size in sizes.items():
                graph.require(output, size)
            self._graphs[name] = graph
        return self._graphs[name]

    @contextmanager
    def reading(self, name: str) -> Iterator[None]:
        """Turns what content of the wrong shape raises into one line that names the file."""
        try:
            yield
        except InputError:
            raise
        except OSError as error:
            raise InputError(f"{self.path / name}: {error.strerror}, {self._expected}") from error
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
            found = f"{error} is missing" if isinstance(error, KeyError) else str(error) or type(error).__name__
            raise InputError(f"{self.path / name}: {found}, {self._expected}") from error


class _Tensors(dict[str, NDArray[np.float32]]):
    def __init__(self, arrays: dict[str, NDArray[np.float32]], missing: str, expected: str) -> None:
        super().__init__(arrays)
        self._missing, self._expected = missing, expected

    def __missing__(self, name: str) -> NDArray[np.float32]:
        raise InputError(f"{self._missing} '{name}', {self._expected}")
