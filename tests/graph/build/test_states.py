"""Builds in any order: build, add, other options, edit, fail, kill, remove. The graph is what it says it is.

After every step, the graph equals a clean build of the documents that it says it holds, each with the options with
which it was read, unless it also holds the rest of one that has failed; and a build of everything without failures
equals a fresh one.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from tests.graph import stand_in
from tests.graph.build.test_build import RECIPE, Graph, dump
from tests.graph.stand_in import ExtractPlainly
from tupelo.api.graph import _refuse_namesakes
from tupelo.core import InputError
from tupelo.engine import local
from tupelo.graph.build import builder
from tupelo.graph.build.builder import build, remove
from tupelo.graph.store.file import create, open_for_update, open_graph
from tupelo.graph.store.schema import SCHEMA_VERSION
from tupelo.io.documents.find import find_documents
from tupelo.io.documents.stage import DocumentFiles
from tupelo.io.workspace import replacement

SOURCES = ("a", "b", "c")
SENTENCES = ("Vestas founded Acme.", "Brava left Oslo.", "Brava left Rome.", "Solheim likes Brava.")
NAMES = st.sampled_from(SOURCES)
TEXTS = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3, unique=True).map(" ".join)


@dataclass(frozen=True)
class ExtractFounders(ExtractPlainly):
    """Says of every sentence but those about foundings nothing."""

    version: str = "2"

    def rows(self, passage):
        rows = super().rows(passage)
        return [
            {key: value for key, value in row.items() if key not in ("tuples", "anchors", "links", "properties")}
            if "founded" not in row["text"]
            else row
            for row in rows
        ]


RECIPES = {"1": RECIPE, "2": replace(RECIPE, extract=ExtractFounders())}
Held = Mapping[str, tuple[str, str]]  # the text of a document and the options with which it was read


class KilledError(BaseException):
    """The end of a process in the middle of a build."""


class Builds(RuleBasedStateMachine):
    """A folder of documents, a graph that follows it, and what the graph should hold: text and options by name."""

    # Clean builds by what is in them; they are the same for all machines.
    clean: ClassVar[dict[frozenset[tuple[str, tuple[str, str]]], dict[str, object]]] = {}

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.graph = Graph(self.folder)
        self.texts = {"a": SENTENCES[0]}
        self.held: dict[str, tuple[str, str]] = {}
        self.failed: set[str] = set()
        self.recipe = "1"
        self.seen: object = None
        stand_in.FAILING.clear()

    def teardown(self) -> None:
        stand_in.FAILING.clear()
        self._build(list(self.texts))
        self._is_as_a_clean_build({name: (text, self.recipe) for name, text in self.texts.items()})
        shutil.rmtree(self.folder)

    def _is_as_a_clean_build(self, held: Held) -> None:
        key = frozenset(held.items())
        if key not in self.clean:
            failing = set(stand_in.FAILING)
            stand_in.FAILING.clear()
            for recipe in sorted({recipe for _, recipe in held.values()}):
                graph = Graph(self.folder / "clean")
                own = {name: text for name, (text, used) in held.items() if used == recipe}
                _, self.clean[key], _ = graph.build(own, RECIPES[recipe], keep_others=True)
            shutil.rmtree(self.folder / "clean")
            stand_in.FAILING.update(failing)
        with open_graph(self.graph.path) as store:
            assert not store.problems()
            found = dump(store)
        apart = dict.fromkeys(("types", "files", "failures"))
        assert {**found, **apart} == {**self.clean[key], **apart}

    def _build(self, names: list[str], *, keep_others: bool = False) -> None:
        for path in self.graph.docs.iterdir():
            path.unlink()
        for name in names:
            (self.graph.docs / f"{name}.txt").write_text(self.texts[name])
        files = DocumentFiles(find_documents([str(self.graph.docs)]).files)
        recipe = RECIPES[self.recipe]
        with replacement(self.graph.path) as draft, self._store(draft) as store:
            report = build(store, files, recipe, self.graph.resources(), keep_others=keep_others)
        self.graph.workspace.remove()
        failed = {name for name in names if self._fails(self.texts[name])}
        assert {failure.record for failure in report.failures} == {f"docs/{name}.txt" for name in failed}
        if not keep_others and set(self.held) & set(names) | (set(names) - failed):
            self.held = {name: held for name, held in self.held.items() if name in names}
        self.held |= {name: (self.texts[name], self.recipe) for name in names if name not in failed}
        self.failed = failed | (self.failed - set(names) if keep_others else set())

    def _store(self, draft):
        return (open_for_update if draft.exists else create)(draft.path)

    def _fails(self, text: str) -> bool:
        return any(word in text for word in stand_in.FAILING)

    @rule(name=NAMES, text=TEXTS)
    def edit(self, name, text):
        self.texts[name] = text

    @rule(word=st.sampled_from(["Rome", "Acme", "Solheim"]))
    def begin_to_fail(self, word):
        stand_in.FAILING.add(word)

    @rule()
    def stop_failing(self):
        stand_in.FAILING.clear()

    @rule(recipe=st.sampled_from(list(RECIPES)))
    def choose_options(self, recipe):
        self.recipe = recipe

    @rule()
    def build_all(self):
        self._build(list(self.texts))

    @rule(name=NAMES)
    def add(self, name):
        if name in self.texts:
            self._build([name], keep_others=True)

    @rule(name=NAMES)
    def remove_one(self, name):
        if name in self.held and len(self.held) > 1:
            with replacement(self.graph.path) as draft, open_for_update(draft.path) as store:
                remove(store, [f"docs/{name}.txt"], self.graph.resources())
            del self.held[name]
            self.failed.discard(name)

    @rule(name=NAMES)
    def add_a_namesake(self, name):
        """A file of another folder does not take the place of one that is there under its name."""
        if not self.graph.path.exists() or name not in self.texts:
            return
        for folder, text in (
            (self.graph.docs, self.texts[name]),
            (self.folder / "other" / "docs", "Brava left Acme."),
        ):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{name}.txt").write_text(text)
        with open_graph(self.graph.path) as store:
            known = {source for (source,) in store.rows("SELECT source FROM files")}
            own, other = (
                DocumentFiles(find_documents([str(folder)]).files)
                for folder in (self.graph.docs, self.folder / "other" / "docs")
            )
            _refuse_namesakes(store, own)
            if f"docs/{name}.txt" in known:
                with pytest.raises(InputError, match=f"'docs/{name}.txt' in the graph was read from"):
                    _refuse_namesakes(store, other)
        shutil.rmtree(self.folder / "other")

    @rule()
    def come_from_another_version(self):
        """A graph of another version is neither read nor changed; built again, it is complete."""
        if not self.graph.path.exists():
            return
        with open_for_update(self.graph.path) as store:
            store.run("UPDATE graph_format SET version = version - 1")
        before = self.graph.path.read_bytes()
        with pytest.raises(InputError, match=f"graph of version {SCHEMA_VERSION - 1}, expected {SCHEMA_VERSION}"):
            self._build(list(self.texts))
        assert self.graph.path.read_bytes() == before
        self.graph.path.unlink()
        self.held, self.failed = {}, set()
        self._build(list(self.texts))

    @rule(after=st.integers(0, 8), adding=st.booleans())
    def kill(self, after, adding):
        """A build that is killed after some steps leaves the graph as it was, and its work for the next."""
        before = self.graph.path.read_bytes() if self.graph.path.exists() else None
        known = dict(self.held), set(self.failed)
        draft, left = self.graph.path.with_name(f".{self.graph.path.name}.new"), [after]

        def counted(work):
            def step(*given):
                for is_before in (True, False):
                    if left[0] == 0:
                        # What a process leaves that has no time to clean up.
                        self.rest = draft.read_bytes() if draft.exists() else b""
                        raise KilledError
                    left[0] -= 1
                    if is_before:
                        done = work(*given)
                return done

            return step

        with pytest.MonkeyPatch.context() as patch, suppress(KilledError):
            patch.setattr(local, "perform", counted(local.perform))
            patch.setattr(builder, "write", counted(builder.write))
            self._build(list(self.texts) if not adding else list(self.texts)[:1], keep_others=adding)
            return
        self.held, self.failed = known
        assert (self.graph.path.read_bytes() if self.graph.path.exists() else None) == before
        draft.write_bytes(self.rest)

    @invariant()
    def the_graph_is_what_it_says(self):
        if not self.graph.path.exists():
            return
        # Most steps prepare a build and leave the file as it was.
        state = self.graph.path.stat().st_mtime_ns, dict(self.held), set(self.failed)
        if state == self.seen:
            return
        self.seen = state
        with open_graph(self.graph.path) as store:
            rows = store.rows(
                "SELECT documents.source, sentences.text, documents.checksum <> '' FROM documents "
                "JOIN sentences USING (document_id) ORDER BY documents.source, position"
            )
            failures = {source for (source,) in store.rows("SELECT source FROM failures")}
            whole = {source for source, _, complete in rows if complete}
        assert failures == {f"docs/{name}.txt" for name in self.failed}
        assert whole == {f"docs/{name}.txt" for name in self.held}
        for name, (text, _) in self.held.items():
            found = [sentence for source, sentence, _ in rows if source == f"docs/{name}.txt"]
            assert " ".join(found) == text
        if self.held and not self.failed - self.held.keys():
            self._is_as_a_clean_build(self.held)


@pytest.mark.slow
def test_a_graph_is_what_it_says_it_is_after_builds_in_any_order():
    run_state_machine_as_test(
        Builds, settings=settings(max_examples=4, stateful_step_count=10, deadline=None, derandomize=True)
    )


# What once left stale rows, by the names of rules and what they are given.
ONCE_STALE = {
    "an edit that fails": [("build_all",), ("begin_to_fail", "Rome"), ("edit", "a", SENTENCES[2]), ("build_all",)],
    "a retry after an edit that failed": [
        ("build_all",), ("begin_to_fail", "Rome"), ("edit", "a", f"{SENTENCES[0]} {SENTENCES[2]}"), ("build_all",),
        ("build_all",), ("stop_failing",), ("build_all",),
    ],
    "adding with other options": [
        ("edit", "b", SENTENCES[1]), ("build_all",), ("choose_options", "2"), ("edit", "c", SENTENCES[3]),
        ("add", "c"), ("build_all",),
    ],
    "adding after another version": [
        ("build_all",), ("come_from_another_version",), ("choose_options", "2"), ("edit", "b", SENTENCES[1]),
        ("add", "b"),
    ],
    "killed, then built with other options": [
        ("build_all",), ("edit", "b", SENTENCES[1]), ("kill", 6, False), ("choose_options", "2"), ("build_all",),
    ],
    "killed, edited, added": [
        ("build_all",), ("edit", "b", SENTENCES[1]), ("kill", 4, False), ("edit", "b", SENTENCES[3]), ("add", "b"),
        ("add_a_namesake", "b"), ("remove_one", "a"), ("build_all",),
    ],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("steps", ONCE_STALE.values(), ids=ONCE_STALE)
def test_a_graph_is_what_it_says_after_what_once_left_stale_rows(steps):
    machine = Builds()
    for step, *given in steps:
        names = {"edit": ("name", "text"), "begin_to_fail": ("word",), "choose_options": ("recipe",)}
        names |= {"add": ("name",), "add_a_namesake": ("name",), "remove_one": ("name",), "kill": ("after", "adding")}
        getattr(machine, step)(**dict(zip(names.get(step, ()), given, strict=True)))
    machine.the_graph_is_what_it_says()
    machine.teardown()
