"""The rooms of `src/tupelo` and the arrows between them.

Every import is read with `ast`, wherever it stands: at the top, inside a
function, or as text in a table of names such as "tupelo.scorers.carb:Carb". An
arrow that the table below does not allow fails, and so does anything that opens
files or sockets outside the two places that may.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import pytest

import tupelo
from tupelo import SUBMODULES

SOURCE = Path(__file__).resolve().parents[2] / "src" / "tupelo"

# Room -> the rooms that it may import besides itself, from the top floor down. A module directly in `tupelo` is a
# room of its own.
MAY_IMPORT: dict[str, frozenset[str]] = {
    "__main__": frozenset({"cli"}),
    "cli": frozenset({"api", "serve", "core"}),
    "serve": frozenset({"api", "web", "show", "core"}),
    "integrations": frozenset({"api", "core"}),
    # The front door shows the vocabulary, the everyday calls and the public submodules, and adds the table of views.
    # Submodules that are no room only name what `api` has; a room among them is given such calls (`core.doors`) and
    # imports nothing from above.
    "__init__": frozenset({"core", "api", "show", *SUBMODULES}),
    **dict.fromkeys(sorted(set(SUBMODULES) - {"graph", "integrations", "robustness"}), frozenset({"api"})),
    "api": frozenset(
        {
            "annotate", "canon", "checking", "core", "engine", "extract", "factmodels", "graph", "inference", "io",
            "names", "nlp", "relations", "robustness", "scorers", "show", "web",
        }
    ),
    # Knows the values that it draws; no value knows how it is drawn.
    "show": frozenset({"canon", "checking", "core", "extract", "graph", "robustness", "scorers", "web"}),
    "annotate": frozenset({"core", "scorers", "io", "web"}),
    "robustness": frozenset({"core", "nlp", "scorers"}),
    "checking": frozenset({"core", "nlp", "extract", "names"}),
    "factmodels": frozenset({"core", "nlp", "extract", "names"}),
    "inference": frozenset({"core", "nlp", "relations"}),
    "graph": frozenset({"core", "nlp", "names", "relations", "canon"}),
    "canon": frozenset({"core", "nlp", "names", "relations"}),
    "extract": frozenset({"core", "nlp", "names", "relations"}),
    "names": frozenset({"core", "nlp"}),
    "relations": frozenset({"core", "nlp"}),
    "scorers": frozenset({"core"}),
    "web": frozenset({"core"}),
    "io": frozenset({"core"}),
    "nlp": frozenset({"core"}),
    "engine": frozenset({"core"}),
    "core": frozenset(),
    "models": frozenset(),
    # Beside `src`, in a clone only; `tupelo reproduce` runs it.
    "papers": frozenset(),
}  # fmt: skip

# Who may open files, who may open sockets, and who may make and remove them and their folders.
OPENS_FILES = ("io/files.py", "io/fetch/", "io/workspace.py")
OPENS_SOCKETS = ("io/fetch/network.py", "io/services.py", "web/server.py")
CHANGES_FOLDERS = ("io/",)

SOCKET_MODULES = {
    "socket",
    "socketserver",
    "ssl",
    "ftplib",
    "smtplib",
    "imaplib",
    "poplib",
    "telnetlib",
    "xmlrpc",
    "http.client",
    "http.server",
    "urllib.request",
    "urllib3",
    "requests",
    "httpx",
    "httpx2",
    "aiohttp",
}
FILE_MODULES = {"tempfile", "shutil", "fileinput", "mmap", "dbm", "shelve", "filelock"}

# Functions and methods by name. `open` is also that of gzip, io, os and pathlib.
OPENING_CALLS = {
    "open",
    "fdopen",
    "open_code",
    "read_text",
    "read_bytes",
    "write_text",
    "write_bytes",
    "mkstemp",
    "mkdtemp",
    "connect",
}
FOLDER_CALLS = {"mkdir", "makedirs", "rmdir", "rmtree", "touch", "unlink", "symlink_to", "hardlink_to", "chmod"}
# The same words for things that are not files of ours, each with its reason.
ALLOWED_CALLS = {
    "io/archives.py": {"open"},  # members of an archive whose stream is already open
    "nlp/folder.py": {"read_text", "read_bytes"},  # a model is a folder; its files are verified where they are read
    "show/__init__.py": {"read_text"},  # styles, scripts and tables that ship with the package
    "names/data.py": {"read_text"},
    "core/shipped.py": {"read_text"},  # data that ships with the package
    "factmodels/schema.py": {"read_text"},
    "web/page.py": {"read_text"},
    "extract/links/wording.py": {"read_text"},
    "extract/llm/prompt.py": {"read_text"},
    "extract/links/shapes.py": {"read_text"},
    "extract/rules/__init__.py": {"read_text"},
    # DuckDB opens its file by itself, and locks it; a stream of ours cannot stand in for it.
    "graph/store/file.py": {"connect"},
    "engine/local.py": {"connect"},  # a database in memory
    "io/sqlite.py": {"connect"},  # SQLite opens its files by itself
}


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def room_of(path: Path) -> str:
    """`core/span.py` -> core, `load.py` -> load, `__init__.py` -> `__init__`."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return parts[0]


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything imported; `from tupelo import score` gives `tupelo.scorers`."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            assert node.module is not None
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Constant) and _PLACE.fullmatch(node.value):
            # A name before its import: the arrow is the same.
            yield node.lineno, node.value.replace(":", ".")


_PLACE = re.compile(r"tupelo(\.\w+)+:\w+")


@lru_cache(maxsize=1)
def nodes_of(tree: ast.AST) -> list[ast.AST]:
    """Imports, calls and texts, in the order of the walk."""
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.Call))
        or (isinstance(node, ast.Constant) and isinstance(node.value, str))
    ]


def target_room(name: str) -> str | None:
    """The room that a dotted name leads to; `None` outside Tupelo."""
    head, _, rest = name.partition(".")
    if head == "papers":
        return head
    if head != "tupelo":
        return None
    room = rest.partition(".")[0]
    return room if (SOURCE / room).is_dir() or (SOURCE / f"{room}.py").is_file() else "__init__"


def wrong_arrows(path: Path, tree: ast.AST) -> list[str]:
    room = room_of(path)
    if room not in MAY_IMPORT:
        return [f"{name_of(path)}: {room} is no room of the design"]
    allowed = MAY_IMPORT[room]
    return [
        f"{name_of(path)}:{line}: {room} may not import {name}"
        for line, name in imported(tree)
        if (target := target_room(name)) is not None and target != room and target not in allowed
    ]


def module_name(path: Path) -> str:
    """`core/span.py` -> `tupelo.core.span`, `core/__init__.py` -> `tupelo.core`."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(tree: ast.AST) -> set[str]:
    """Everything that a module imports, wherever the import is."""
    found = set()
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def imports_between(found: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Module -> the modules among these that it imports: as such, or a name inside of one."""
    return {
        module: {name if name in found else name.rpartition(".")[0] for name in names} & set(found) - {module}
        for module, names in found.items()
    }


def circles(arrows: Mapping[str, set[str]]) -> list[list[str]]:
    """The modules that lead back to themselves, in groups: strongly connected components of more than one."""
    leading: dict[str, set[str]] = {}
    for start in arrows:
        seen: set[str] = set()
        pending = list(arrows[start])
        while pending:
            module = pending.pop()
            if module not in seen:
                seen.add(module)
                pending.extend(arrows[module])
        leading[start] = seen
    groups = {frozenset(other for other in leading[start] if start in leading[other]) for start in arrows}
    return sorted(sorted(group) for group in groups if group)


def relative_imports(path: Path, tree: ast.AST) -> list[str]:
    return [
        f"{name_of(path)}:{node.lineno}: relative import"
        for node in nodes_of(tree)
        if isinstance(node, ast.ImportFrom) and node.level
    ]


def openings(path: Path, tree: ast.AST) -> list[str]:
    """What opens files or sockets where it may not."""
    name, names = name_of(path), list(imported(tree))
    modules, banned = set(), set()
    if not name.startswith(OPENS_SOCKETS):
        modules |= SOCKET_MODULES
    if not name.startswith(OPENS_FILES):
        modules |= FILE_MODULES
        banned |= OPENING_CALLS - ALLOWED_CALLS.get(name, set())
    if not name.startswith(CHANGES_FOLDERS):
        banned |= FOLDER_CALLS
    if name.startswith("io/") and any(is_one_of(what, {"importlib.resources"}) for _, what in names):
        # Data that ships with the package is read as a resource, not as a file.
        banned -= {"read_text", "read_bytes"}
    found = [(line, f"imports {what}") for line, what in names if is_one_of(what, modules)]
    found += [(line, f"calls {call}()") for line, call in calls(tree) if call in banned]
    return [f"{name}:{line}: {what}; files are opened in io/files.py, sockets in io/fetch" for line, what in found]


def is_one_of(name: str, modules: set[str]) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def calls(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and bare name of every call, except of what comes from Tupelo: `io.files` has a `write_text` too."""
    ours = {
        alias.asname or alias.name
        for node in nodes_of(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] == "tupelo"
        for alias in node.names
    }
    for node in nodes_of(tree):
        if isinstance(node, ast.Call):
            function = node.func
            if isinstance(function, ast.Name) and function.id not in ours:
                yield node.lineno, function.id
            elif isinstance(function, ast.Attribute):
                owner = function.value
                if not (isinstance(owner, ast.Name) and owner.id in ours):
                    yield node.lineno, function.attr


@pytest.mark.slow
def test_every_module_keeps_to_its_room_and_no_two_import_each_other():
    found, arrows = {}, {}
    for path in modules():
        tree = ast.parse(path.read_text("utf-8"))
        found[name_of(path)], arrows[module_name(path)] = faults(path, tree), imports_of(tree)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
    assert circles(imports_between(arrows)) == []


def test_a_circle_is_found_wherever_the_import_is():
    files = {
        "tupelo.a": "from tupelo.b import f",
        "tupelo.b": "def f():\n    from tupelo import c",
        "tupelo.c": "import tupelo.a",
        "tupelo.d": "from tupelo import a, b, c",
    }
    arrows = {module: imports_of(ast.parse(code)) for module, code in files.items()}
    assert circles(imports_between(arrows)) == [["tupelo.a", "tupelo.b", "tupelo.c"]]


def faults(where: str | Path, tree: ast.AST) -> list[str]:
    path = SOURCE / where
    return [*wrong_arrows(path, tree), *relative_imports(path, tree), *openings(path, tree)]


@pytest.mark.parametrize(
    ("where", "code"),
    [
        ("core/x.py", "from tupelo.io.lines import Lines"),
        ("core/x.py", "def f():\n    import tupelo.scorers"),
        ("core/x.py", "from tupelo import scorers"),
        ("core/x.py", "from tupelo import __version__"),
        ("scorers/x.py", "PLACES = {'carb': 'tupelo.io.formats.benchmarks:FORMAT'}"),
        ("io/x.py", "from tupelo.cli import main"),
        ("scorers/x.py", "from tupelo.scorers.carb import Carb\nfrom tupelo.io import files"),
        ("scorers/x.py", "from . import carb"),
        ("kitchen/x.py", ""),
        ("scorers/x.py", "open('x')"),
        ("cli/x.py", "with open('x') as stream: pass"),
        ("cli/x.py", "path.write_text('x')"),
        ("io/x.py", "Path('x').read_bytes()"),
        ("io/x.py", "gzip.open('x')"),
        ("scorers/x.py", "from importlib.resources import files\nfiles('tupelo').joinpath('x').read_text()"),
        ("io/x.py", "import socket"),
        ("io/files.py", "from urllib import request"),
        ("io/fetch/store.py", "from urllib.request import urlopen"),
        ("cli/x.py", "import requests"),
        ("cli/x.py", "import tempfile"),
        ("cli/x.py", "path.mkdir()"),
        ("graph/x.py", "import duckdb\nduckdb.connect('x')"),
        ("cli/x.py", "from tupelo.io.files import open_output"),
        ("cli/x.py", "from tupelo.api.tuples import read\nopen('x')"),
        ("integrations/x.py", "from tupelo.checking.check import Verdict"),
        ("api/x.py", "from papers import carb"),
        ("cli/x.py", "from papers import carb"),
    ],
)
def test_a_wrong_arrow_or_an_open_file_is_found(where, code):
    assert len(faults(where, ast.parse(code))) == 1


@pytest.mark.parametrize(
    ("where", "code"),
    [
        ("scorers/x.py", "from tupelo.core import Extraction\nfrom tupelo.scorers.carb import Carb\nimport json"),
        ("cli/x.py", "from tupelo.api.tuples import read"),
        ("api/x.py", "from tupelo.io.files import write_text\nwrite_text('x', 'y')"),
        ("api/x.py", "from tupelo.io import files\nfiles.write_text('x', 'y')"),
        ("io/x.py", "path.mkdir()"),
        ("io/files.py", "open('x')\nimport tempfile"),
        ("io/fetch/network.py", "import socket\nfrom urllib import request\nopen('x')"),
        ("io/x.py", "from importlib.resources import files\nfiles('tupelo').joinpath('x').read_text()"),
        ("io/x.py", "from urllib.parse import quote"),
        ("graph/store/file.py", "import duckdb\nduckdb.connect('x')"),
    ],
)
def test_what_the_design_allows_is_not_reported(where, code):
    assert faults(where, ast.parse(code)) == []


def test_no_call_has_the_name_of_a_room():
    rooms = {room_of(path) for path in modules()}
    assert not rooms & set(tupelo.__all__)
    for name in SUBMODULES:
        # A file of a room would take the place of a call of the same name as soon as it is imported.
        files = {path.stem for path in (SOURCE / name).glob("*")}
        assert not files & set(dir(getattr(tupelo, name))), name


def test_the_front_door_has_twenty_names():
    assert len(set(tupelo.__all__) - {"__version__"}) == 20
    assert dir(tupelo) == sorted(tupelo.__all__)
    for name in (*tupelo.__all__, *SUBMODULES):
        assert getattr(tupelo, name) is not None
    for module in map(tupelo.__getattr__, SUBMODULES):
        for name in dir(module):
            assert getattr(module, name) is not None, f"{module.__name__}.{name}"


@pytest.mark.parametrize("path", sorted((SOURCE / "api").glob("*.py")), ids=name_of)
def test_no_call_has_more_than_eight_parameters(path):
    made = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef))
    long = [
        node.name
        for node in made
        if len({each.arg for each in (*node.args.args, *node.args.kwonlyargs)} - {"self", "cls"}) > 8
    ]
    assert long == []


def test_the_table_names_only_what_exists_or_is_planned():
    rooms = {room_of(path) for path in modules()}
    assert rooms <= set(MAY_IMPORT)
    for allowed in MAY_IMPORT.values():
        assert allowed <= set(MAY_IMPORT)
