"""Builds in any order: build, add, other options, edit, fail, kill, remove. The graph is what it says it is.

After every step, the graph equals a clean build of the documents that it says it holds, unless it also holds the rest
of one that has failed; and a build of everything without failures equals a fresh one.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from tests.graph import stand_in
from tests.graph.build.test_build import RECIPE, Graph, dump
from tests.graph.stand_in import ExtractPlainly
from tupelo.graph.build import builder
from tupelo.graph.build.builder import build, remove
from tupelo.graph.store.file import create, open_for_update, open_graph
from tupelo.io.documents.find import find_documents
from tupelo.io.documents.stage import DocumentFiles

RECIPES = {version: replace(RECIPE, extract=ExtractPlainly(version=version)) for version in ("1", "2")}
NAMES = st.sampled_from(["a", "b", "c"])
TEXTS = st.lists(
    st.sampled_from(["Vestas founded Acme.", "Brava left Oslo.", "Brava left Rome.", "Solheim likes Brava."]),
    min_size=1,
    max_size=3,
    unique=True,
).map(" ".join)


class KilledError(BaseException):
    """The end of a process in the middle of a build."""


class Builds(RuleBasedStateMachine):
    """A folder of documents, a graph that follows it, and what the graph should hold: text and options by name."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.graph = Graph(self.folder)
        self.texts = {"a": "Vestas founded Acme."}
        self.held: dict[str, tuple[str, str]] = {}
        self.failed: set[str] = set()
        self.recipe = "1"
        # Clean builds by the texts in them.
        self.clean: dict[frozenset[tuple[str, str]], dict[str, object]] = {}
        stand_in.FAILING.clear()

    def teardown(self) -> None:
        stand_in.FAILING.clear()
        self._build(self.texts)
        self._is_as_a_clean_build(self.texts)
        shutil.rmtree(self.folder)

    def _is_as_a_clean_build(self, texts) -> None:
        key = frozenset(texts.items())
        if key not in self.clean:
            failing = set(stand_in.FAILING)
            stand_in.FAILING.clear()
            _, self.clean[key], _ = Graph(self.folder / f"clean{len(self.clean)}").build(texts, RECIPE)
            stand_in.FAILING.update(failing)
        with open_graph(self.graph.path) as store:
            found = dump(store)
        assert {**found, "types": (), "files": ()} == {**self.clean[key], "types": (), "files": ()}

    def _build(self, names, *, keep_others=False) -> None:
        for path in self.graph.docs.iterdir():
            path.unlink()
        for name in names:
            (self.graph.docs / f"{name}.txt").write_text(self.texts[name])
        files = DocumentFiles(find_documents([str(self.graph.docs)]).files)
        recipe = RECIPES[self.recipe]
        with (open_for_update if self.graph.path.exists() else create)(self.graph.path) as store:
            report = build(store, files, recipe, self.graph.resources(), keep_others=keep_others)
        self.graph.workspace.remove()
        failed = {name for name in names if self._fails(self.texts[name])}
        assert {failure.record for failure in report.failures} == {f"docs/{name}.txt" for name in failed}
        if not keep_others and set(self.held) & set(names) | (set(names) - failed):
            self.held = {name: held for name, held in self.held.items() if name in names}
        self.held |= {name: (self.texts[name], self.recipe) for name in names if name not in failed}
        self.failed = failed | (self.failed - set(names) if keep_others else set())

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
            with open_for_update(self.graph.path) as store:
                remove(store, [f"docs/{name}.txt"], self.graph.resources())
            del self.held[name]
            self.failed.discard(name)

    @rule()
    def kill(self):
        """A build that ends before it writes leaves the file as it was."""

        def killed(*_):
            raise KilledError

        before, known = self.graph.path.read_bytes() if self.graph.path.exists() else b"", dict(self.held)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(builder, "write", killed)
            try:
                self._build(list(self.texts))
            except KilledError:
                # As `replacement` does: the copy that was worked on is thrown away.
                if before:
                    self.graph.path.write_bytes(before)
                else:
                    self.graph.path.unlink(missing_ok=True)
                self.held = known

    @invariant()
    def the_graph_is_what_it_says(self):
        if not self.graph.path.exists():
            return
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
            self._is_as_a_clean_build({name: text for name, (text, _) in self.held.items()})


@pytest.mark.slow
def test_a_graph_is_what_it_says_it_is_after_builds_in_any_order():
    run_state_machine_as_test(
        Builds, settings=settings(max_examples=4, stateful_step_count=8, deadline=None, derandomize=True)
    )
