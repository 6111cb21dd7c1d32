"""Knowledge graphs: `tupelo.Graph` builds, updates, queries, draws, exports and serves the file of a graph."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn, TypeAlias

from tupelo.api.canonical import open_canonicalizer
from tupelo.api.resources import open_engine
from tupelo.api.text import load
from tupelo.core import InputError
from tupelo.core.closing import Closing
from tupelo.core.document import Document
from tupelo.core.errors import is_unicode, require_choice, wrong_type
from tupelo.core.limits import Limits
from tupelo.core.parameters import (
    About,
    AllowedHosts,
    Among,
    AsOf,
    At,
    Between,
    Coreference,
    Count,
    EngineName,
    Host,
    MinConfidence,
    MinRank,
    PathLike,
    Port,
    Share,
    SizeLimits,
    Spelled,
    Whole,
    Work,
    checked,
)
from tupelo.core.progress import Progress, track
from tupelo.core.spec import split_spec
from tupelo.core.statement import Alias, Correction
from tupelo.core.triples import CLAIMS, LinkedText
from tupelo.extract import EXTRACTORS, ExtractorRecipe, needs_client
from tupelo.extract.options import ExtractionOptions
from tupelo.graph.build.builder import (
    FailureOptions,
    Recipe,
    Resources,
    aliases_of,
    build,
    correct,
    counts_of,
    remove,
)
from tupelo.graph.build.plan import namesakes
from tupelo.graph.build.review import corrections_of, review, unknown_names
from tupelo.graph.export import EXPORTERS, ExportOptions, exporter_for
from tupelo.graph.export.networkx import to_networkx
from tupelo.graph.query.edges import USUAL_STANCES as USUAL_STANCES
from tupelo.graph.query.edges import Filters as Filters
from tupelo.graph.query.edges import StatementView, list_edges
from tupelo.graph.query.edges import evidence as edge_evidence
from tupelo.graph.query.lookup import (
    ambiguity,
    entity_ids,
    known_entities,
    list_entities,
    named_nodes,
    relation_signatures,
    search_sentences,
)
from tupelo.graph.query.match import ask
from tupelo.graph.query.paths import neighbourhood, shortest_paths
from tupelo.graph.query.sql import run_sparql, run_sql
from tupelo.graph.query.triples import passage_triples
from tupelo.graph.report.coverage import coverage
from tupelo.graph.store.file import Store, confirm, create, open_for_update, open_graph
from tupelo.io.documents import Reading
from tupelo.io.documents.below import document_below as document_below
from tupelo.io.documents.find import find_documents
from tupelo.io.documents.rows import given_documents
from tupelo.io.documents.stage import DocumentFiles, DocumentTexts, ReadDocuments, ReadTexts
from tupelo.io.files import open_output, temporary_folder, write_text
from tupelo.io.folders import make_folder
from tupelo.io.identity import corrections_text, read_aliases, read_corrections
from tupelo.io.judgements import read_questions as read_questions
from tupelo.io.workspace import FolderWorkspace, replacement, work_folder
from tupelo.names.linking import Aliases
from tupelo.nlp import PARSERS
from tupelo.web.limits import PAGE_LIMITS
from tupelo.web.page import graph_script, graph_style

if TYPE_CHECKING:
    import networkx as nx

    from tupelo.api.text import Toolkit
    from tupelo.core.protocols import Canonicalizer, DocumentSet, LinkSchema, Stage
    from tupelo.extract.pipeline import PipelineRecipe
    from tupelo.graph.build.builder import BuildReport as BuildReport
    from tupelo.graph.build.review import MergeReview
    from tupelo.graph.query.answers import AnswerTable as AnswerTable
    from tupelo.graph.query.answers import Evidence
    from tupelo.graph.report.conflicts import Conflicts as Conflicts
    from tupelo.graph.report.coverage import Coverage as Coverage
    from tupelo.graph.report.dossier import Report as Report
    from tupelo.graph.report.stats import Statistics as Statistics
    from tupelo.graph.report.timeline import Events as Events
    from tupelo.graph.report.timeline import GraphDifference as GraphDifference
    from tupelo.graph.retrieve.ask import Asker
    from tupelo.graph.retrieve.retriever import Retriever
    from tupelo.show.graph_page import GraphView as GraphView
    from tupelo.web.limits import ServerLimits
    from tupelo.web.server import WebServer


# A file or folder, several of them, or documents in memory: by name, or as objects.
Documents: TypeAlias = (
    PathLike | Document | Mapping[str, str] | Iterable[PathLike] | Iterable[Document] | Iterable[Mapping[str, Any]]
)
# A file with a table of names, or canonical names with their aliases.
AliasesGiven: TypeAlias = PathLike | Mapping[str, str | Iterable[str]]
# A table that another graph exported, or corrections in memory.
CorrectionsGiven: TypeAlias = Annotated[PathLike | Iterable[Correction] | None, At.INPUT, Spelled.of("FILE")]
NamePairs: TypeAlias = Annotated[Iterable[tuple[str, str]], Spelled.of("A B")]
Start: TypeAlias = Annotated[str | Sequence[str], Spelled.of("NAME"), "Start with this entity; repeat for more."]
# Sentences of each edge or statement; `True` is one.
Sentences: TypeAlias = Whole | bool
Title: TypeAlias = Annotated[str | None, "The title. [default: the name of the file]"]


@dataclass(frozen=True, slots=True)
class PageOptions:
    """The title of a page, and the sentences that it has for each edge."""

    title: Title = None
    sentences: Annotated[Whole, "Sentences for each edge."] = 3


REIFICATIONS = ("classic", "rdf12", "graphs", "none")
# Sorting a large graph for export uses the disk rather than memory.
_EXPORT_MEMORY = "1GB"
# Number of edges in the picture of a graph in a notebook.
_FEW_EDGES = 40


class Graph(Closing):
    """A knowledge graph in one file. Close it, or use it in a `with` block.

    >>> kg = Graph.build({"note": "Ann Lee founded Acme in Oslo."}, "kg.duckdb")  # doctest: +SKIP
    >>> for answer in kg.query("?who founded ?company"):  # doctest: +SKIP
    ...     print(answer["who"], answer["company"], answer.confidence)
    """

    def __init__(
        self,
        path: PathLike,
        store: Store,
        pipeline: PipelineRecipe | None,
        options: BuildOptions,
        changes: BuildReport | None = None,
    ) -> None:
        self.file = os.fspath(path)
        # Report of the last build or update through this object.
        self.changes = changes
        self._store = store
        self._pipeline = pipeline
        self._options = options
        # Removes the file of a graph that was built without a path.
        self._remove: Callable[[], object] = lambda: None
        self._retriever: Retriever | None = None
        self._asker: Asker | None = None

    # Building and updating.

    @classmethod
    @checked
    def build(
        cls,
        documents: Documents,
        path: PathLike | None = None,
        *,
        nlp: Toolkit | None = None,
        add: Annotated[bool, "Keep the documents of the graph that are not among DOCS. [default: remove]"] = False,
        options: BuildOptions | None = None,
        progress: Progress | None = None,
    ) -> Graph:
        """Build a graph from documents, or update an existing one; `changes` describes what was done.

        `documents` is a file or folder, several of them, a mapping from names to texts, `Document` objects, or rows
        with a `text` and perhaps `source` (or `id`), `title` and `published`: dictionaries or a data frame. Without a
        path, the graph lives in a temporary file until it is closed. Only new or changed documents are processed.
        Documents that are no longer listed are removed, unless `add` is set. `nlp` reads the text, by default
        `tupelo.load()`; every worker opens its parser and extractor by name.
        """
        chosen = options or BuildOptions()
        scratch = ExitStack()
        if path is None:
            path = Path(scratch.enter_context(temporary_folder()), "memory.duckdb")
        pipeline = _recipe(nlp)
        try:
            report = _build(documents, os.fspath(path), pipeline, chosen, add=add, progress=progress)
            graph = cls(path, open_graph(path), pipeline, chosen, report)
        except BaseException:
            scratch.close()
            raise
        graph._remove = weakref.finalize(graph, scratch.close)
        graph._check_current()
        return graph

    @classmethod
    @checked
    def open(cls, path: PathLike) -> Graph:
        """Open an existing graph."""
        return cls(path, open_graph(path), None, BuildOptions())

    def add(self, documents: Documents, *, progress: Progress | None = None) -> BuildReport:
        """Add or update documents with the options of the build; the others are unchanged."""
        pipeline = self._pipeline or _recipe(None)
        return self._changed(
            lambda: _build(documents, self.file, pipeline, self._options, add=True, progress=progress)
        )

    def remove(self, sources: str | Iterable[str]) -> BuildReport:
        """Remove documents by their sources, or by the names of the files that hold them."""
        names = [sources] if isinstance(sources, str) else list(sources)
        return self._edited(lambda store, resources: remove(store, names, resources))

    # Identity of names.

    def review(self, *, limit: int = 20, evidence: int = 1) -> MergeReview:
        """Names that may be the same thing but are not merged, then merges over documents, least probable first.

        Each has sentences of both sides.
        """
        return review(self._store, aliases_of(self._store), limit=limit, sentences=evidence)

    def correct(
        self,
        *,
        same: Annotated[NamePairs, "Say that two names mean one thing; repeatable."] = (),
        different: Annotated[NamePairs, "Say that they mean two; repeatable."] = (),
        forget: Annotated[NamePairs, "Take back what was said of them; repeatable."] = (),
        apply: Annotated[CorrectionsGiven, "Take in corrections that another graph exported."] = None,
        settle: Annotated[
            Iterable[tuple[str, str]],
            Spelled.of("ID SIDE"),
            "Say which side of a conflict is true: first, second, both, neither, or open again; repeatable.",
        ] = (),
    ) -> BuildReport:
        """Say that two names are the same, or different; it holds at once and in every later build.

        `("Paris@travel.txt", "Paris")` means the Paris of one document. `forget` takes back what was said of two
        names. Those names must be in the graph; of the corrections in `apply`, such as a file of another graph's
        `corrections`, what means nothing here waits for documents in which it does. `settle` says which side of a
        conflict is true, by the beginning of its id.
        """
        from tupelo.graph.report.conflicts import verdicts_on

        said = [*_said("same", same), *_said("different", different)]
        if unknown := unknown_names(self._store, said, aliases_of(self._store)):
            raise InputError(f"no '{unknown[0]}' in {self.file}, expected a name in it, or a name@source")
        forgotten = list(_said("same", forget))
        said, settled = [*_corrections(apply), *said], verdicts_on(self._store, settle)
        return self._edited(
            lambda store, resources: correct(store, said, resources, forgotten=forgotten, settled=settled)
        )

    def corrections(self, path: PathLike | None = None) -> tuple[Correction, ...]:
        """All corrections of identity; written as a table for `correct` and `build`, where a path is given."""
        found = corrections_of(self._store)
        if path is not None:
            write_text(path, corrections_text(found))
        return found

    def conflicts(
        self,
        about: Annotated[str | None, Spelled.of("[TEXT]")] = None,
        *,
        limit: Annotated[Count | None, "At most N conflicts."] = 50,
    ) -> Conflicts:
        """Statements of different documents that cannot all be true, with the sentences of both sides, and why.

        With `about`, those about something with this text in its name. Nobody is declared right: notes name the side
        that is newer, not attributed to somebody, or in more documents; `correct(settle=…)` keeps what a person says.
        """
        from tupelo.graph.report.conflicts import conflicts

        return conflicts(self._store, about=about, limit=limit)

    def events(self) -> Events:
        """Events that several documents report: the same participants, kind and time, with all sentences."""
        from tupelo.graph.report.timeline import events

        return events(self._store)

    def timeline(
        self,
        name: Annotated[str, Spelled.of("NAME")],
        *,
        limit: Annotated[Count | None, "At most N statements."] = None,
        evidence: Annotated[Whole, "Sentences of each statement."] = 1,
    ) -> AnswerTable:
        """The statements with a time about an entity, or with a relation, in the order of time, with sentences.

        A state that goes on by its text names what followed it, where another statement says so.
        """
        from tupelo.graph.report.timeline import timeline

        return timeline(self._store, name, limit=limit, sentences=evidence)

    def diff(self, old: Graph | PathLike) -> GraphDifference:
        """The differences to an older graph: statements new, updated, contradicted or no longer supported."""
        from tupelo.graph.report.timeline import difference

        if isinstance(old, Graph):
            return difference(old._store, self._store)
        with open_graph(old) as store:
            return difference(store, self._store)

    # Querying.

    @checked
    def query(
        self,
        *patterns: str,
        types: Mapping[str, str] | None = None,
        infer: bool | str = False,
        min_entailment: Share = 0.5,
        filters: Filters | None = None,
        evidence: Sentences = 0,
        limit: Count = 100,
    ) -> AnswerTable:
        """Answers to patterns such as `?who founded ?company`; patterns with common variables must hold together.

        `types` requires a type for a variable (`{"who": "person"}`). `infer` also returns relations that entail the
        queried one; a string names the inference method. `evidence` is the number of sentences per edge.
        """
        if not patterns:
            raise InputError("no pattern, expected one such as ?who founded ?company")
        expander = None
        if infer:
            from tupelo.api.inference import open_expander

            method = infer if isinstance(infer, str) else None
            expander = open_expander(relation_signatures(self._store), method, threshold=min_entailment)
        return ask(
            self._store, patterns, _filters(filters), types=types, limit=limit, expander=expander, sentences=evidence
        )

    @checked
    def neighbours(
        self,
        name: str,
        depth: Count = 1,
        *,
        filters: Filters | None = None,
        evidence: Sentences = 0,
        limit: Count = 100,
    ) -> AnswerTable:
        """Edges of an entity and, with more `depth`, of its neighbours, nearest and most confident first."""
        found = named_nodes(self._store, name)
        edges = neighbourhood(self._store, found.ids, _filters(filters), depth=depth, limit=limit, sentences=evidence)
        return replace(edges, remarks=ambiguity(self._store, name, found))

    neighbors = neighbours

    @checked
    def path(
        self,
        start: str,
        goal: str,
        *,
        longest: Count = 6,
        directed: bool = False,
        filters: Filters | None = None,
        evidence: Sentences = 0,
        limit: Count = 100,
    ) -> AnswerTable:
        """The shortest paths between two entities, most confident first; edges may be followed in both directions."""
        ends = {name: known_entities(self._store, name) for name in (start, goal)}
        paths = shortest_paths(
            self._store,
            ends[start].ids,
            ends[goal].ids,
            _filters(filters),
            longest=longest,
            directed=directed,
            limit=limit,
            sentences=evidence,
        )
        lines = [line for name, found in ends.items() for line in ambiguity(self._store, name, found)]
        return replace(paths, remarks=tuple(lines))

    @checked
    def retrieve(
        self,
        question: str,
        *,
        limit: Count = 5,
        evidence: Sentences = 0,
        explain: bool = False,
        about: About = "all",
        min_rank: MinRank = 0.0,
        as_of: AsOf = None,
    ) -> AnswerTable:
        """Passages that help to answer a question, best first, each with the path of edges that leads to it.

        `evidence` is the number of sentences per edge of a path; `explain` says how the passages were found. The
        first question loads an index into memory, which later ones of the same view use.
        """
        view = StatementView(0.0, about, min_rank, as_of)
        return self._retriever_of(view)(question, top=limit, sentences=evidence, plan=explain)

    def _retriever_of(self, view: StatementView) -> Retriever:
        if self._retriever is None or self._retriever.view != view:
            from tupelo.graph.retrieve.retriever import Retriever
            from tupelo.nlp.encoder import load_encoder

            encoder = load_encoder() if self._store.count("passage_vectors") else None
            encode, name = (encoder.encode, f"{encoder.name} {encoder.version}") if encoder else (None, None)
            self._retriever, self._asker = Retriever.open(self._store, encode, name, view), None
        return self._retriever

    def triples(
        self, *, stances: Iterable[str] = CLAIMS, min_confidence: float = 0.0, values: bool = True
    ) -> Iterator[LinkedText]:
        """The passages with the triples that they state, under the canonical names, as a stream for other libraries.

        The options are those of `TripleReader`.
        """
        wanted = Filters(stances=tuple(stances)).stances
        return passage_triples(self._store, stances=wanted, min_confidence=min_confidence, values=values)

    @checked
    def ask(
        self,
        question: str,
        *,
        min_confidence: Annotated[
            Share | None, Spelled.of("X"), "Answer only if it is at least this probable; by default 0.7."
        ] = None,
        explain: Annotated[bool, "Show what speaks for each answer."] = False,
        about: About = "all",
        min_rank: MinRank = 0.0,
        as_of: AsOf = None,
    ) -> AnswerTable:
        """Answers to a question in plain English, each with the sentence that states it.

        There is none where no answer is at least as probable as `min_confidence`; the remarks then quote the closest
        passages. `explain` says what speaks for each answer.

        >>> kg.ask("Who founded Acme?")[0].answer  # doctest: +SKIP
        'Ann Lee'
        """
        return self.asker(about, min_rank, as_of)(question, min_confidence=min_confidence, plan=explain)

    def asker(
        self, about: Literal["names", "all"] = "all", min_rank: float = 0.0, as_of: date | str | None = None
    ) -> Asker:
        """The function behind `ask`, which also has the candidates."""
        retriever = self._retriever_of(StatementView(0.0, about, min_rank, as_of))
        if self._asker is None:
            from tupelo.graph.retrieve.ask import Asker
            from tupelo.nlp.reader import load_reader

            analyze = partial(load().analyze, lines=True, constituents=False)
            self._asker = Asker(retriever, analyze, load_reader())
        return self._asker

    @checked
    def search(self, words: str, *, limit: Count = 100) -> AnswerTable:
        """Sentences with any of the words, best first; `found*` matches a prefix, `"in quotes"` a phrase."""
        return search_sentences(self._store, words, limit)

    @checked
    def entities(
        self,
        text: Annotated[str | None, Spelled.of("[TEXT]")] = None,
        *,
        type: Annotated[str | None, Spelled.of("NAME"), "Only entities of this type, such as person."] = None,
        limit: Annotated[Count | None, "At most N entities."] = 20,
    ) -> AnswerTable:
        """Entities with their types: whole names that contain the text first, then prefixes, then by degree.

        A remark says how many more there are; `limit=None` lists all.
        """
        return list_entities(self._store, text or "", type, limit)

    @checked
    def edges(
        self,
        *,
        stance: str | Sequence[str] | None = None,
        filters: Filters | None = None,
        evidence: Sentences = 0,
        limit: Count | None = 100,
    ) -> AnswerTable:
        """The edges of the graph, most confident and most frequent first.

        `stance` is one or more stances, or `all`, in place of those of the filters. Remarks count the edges beyond
        the limit, and those of other stances, such as denied ones.
        """
        if stance is not None:
            chosen = (stance,) if isinstance(stance, str) else tuple(stance)
            filters = replace(_filters(filters) or Filters(), stances=chosen)
        return list_edges(self._store, _filters(filters), limit, evidence)

    def to_networkx(self, *, filters: Filters | None = None) -> nx.MultiDiGraph:
        """The graph for networkx, which must be installed: nodes by name with id, kind and types, edges by id."""
        return to_networkx(self._store, _filters(filters))

    @checked
    def evidence(self, edge: str, *, limit: Count = 20) -> list[Evidence]:
        """The sentences behind an edge, given by its id, most confident first."""
        return edge_evidence(self._store, [edge], limit).get(edge, [])

    @checked
    def sql(self, statement: str, *, limit: Count | None = None) -> AnswerTable:
        """The rows of one read-only SQL statement over the tables of the graph."""
        return run_sql(self._store, statement, limit)

    @checked
    def sparql(self, query: str, *, limit: Count | None = None) -> AnswerTable:
        """The result of a SPARQL query over the exported RDF (extra `rdf`)."""
        return run_sparql(self._store, query, limit=limit)

    @checked
    def stats(
        self,
        *,
        limit: Annotated[Count, "Length of the lists."] = 10,
        low: Annotated[Share, Spelled.of("C"), "What counts as low confidence."] = 0.5,
        communities: Annotated[bool, "Find groups by Louvain's method; reads all edges into memory."] = False,
        check: Annotated[bool, "Look for broken references and duplicate keys; exit with 1 on any."] = False,
    ) -> Statistics:
        """Sizes, degrees, frequent relations, merged names, low confidence; `check` looks for broken references."""
        from tupelo.graph.report.stats import statistics

        return statistics(self._store, top=limit, low=low, communities=communities, check=check)

    def coverage(self, documents: Documents | None = None) -> Coverage:
        """Which sentences and tuples of documents, given as for `build`, are in the graph, which are not, and why.

        Without documents, those of the graph.
        """
        if documents is None:
            return coverage(self._store)
        files, _, _ = _document_set(documents, Reading(Limits.of(None), "utf-8"))
        return coverage(self._store, files.checksums())

    # Reading, drawing and export.

    @checked
    def report(
        self,
        path: PathLike | None = None,
        *,
        entity: Annotated[str | None, Spelled.of("NAME"), "A report of this entity and what is around it."] = None,
        communities: Annotated[int, Between(1, 1000), "At most N communities, not counting parts."] = 10,
        facts: Annotated[int, Between(1, 100), "Sentences of a community; an entity has twice N."] = 5,
        about: About = "all",
        min_rank: MinRank = 0.0,
        title: Title = None,
    ) -> Report:
        """A dossier of the documents, or of one entity: communities with their main entities and key sentences.

        Nothing is generated: every fact is a sentence of the documents, asserted there. With a path it is written as
        a page (`.html`) or Markdown (`.md`, and `-` for standard output); `html`, `markdown` and `to_dict()` have it.
        `facts` is the number of sentences of a community; an entity has twice as many.
        """
        from tupelo.graph.report.dossier import make_report, report_format

        file = "" if path is None else os.fspath(path)
        if path is not None:
            report_format(file)
        found = make_report(
            self._store,
            title or Path(self.file).stem,
            entity=entity,
            communities=communities,
            facts=facts,
            view=StatementView(0.0, about, min_rank),
        )
        if path is not None:
            write_text(file, found.rendered(file))
        return found

    @checked
    def show(
        self,
        path: PathLike | None = None,
        *,
        start: Start = (),
        limit: Annotated[
            int, Between(1, 100_000), "At most N edges on the page: confident ones between important entities."
        ] = 5_000,
        min_confidence: MinConfidence = 0.0,
        about: About = "all",
        min_rank: MinRank = 0.0,
        as_of: AsOf = None,
        page: PageOptions = PageOptions(),
    ) -> GraphView:
        """A page with the `limit` edges that matter most, or a picture if the path ends in `.svg` or `.png`.

        Without a path nothing is written: a notebook shows the picture, and `html` is the page.
        """
        from tupelo.graph.report.views import embedded
        from tupelo.show.graph_page import GraphView

        file = "" if path is None else os.fspath(path)
        entities = entity_ids(self._store, [start] if isinstance(start, str) else start)
        view = StatementView(min_confidence, about, min_rank, as_of)
        data = embedded(self._store, limit=limit, start=entities, view=view, sentences=page.sentences)
        shown = GraphView(page.title or Path(self.file).stem, data, limit, graph_script(), graph_style())
        if path is not None:
            content = shown.rendered(file)
            with open_output(file) as stream:
                stream.write(content)
        return shown

    @checked
    def export(
        self,
        path: PathLike,
        format: Annotated[str | None, Spelled.of("FORMAT"), "The format. [default: by the output's name]"] = None,
        *,
        reify: Annotated[
            str,
            Among(REIFICATIONS),
            "RDF: how stance, confidence and sources are attached to statements.",
        ] = "classic",
        base: Annotated[str, Spelled.of("IRI"), "RDF: prefix of our IRIs."] = "urn:tupelo:",
        min_confidence: MinConfidence = 0.0,
        about: About = "all",
        min_rank: MinRank = 0.0,
        as_of: AsOf = None,
    ) -> None:
        """Write the graph for other programs; the name of the file decides the format. `-` is standard output."""
        require_choice("reify", reify, REIFICATIONS)
        output = os.fspath(path)
        exporter = exporter_for(output, format)
        with self._closed(), open_graph(self.file, memory=_EXPORT_MEMORY) as store:
            if exporter.is_folder:
                make_folder(output)
            exporter.write(
                store,
                lambda name: open_output(Path(output) / name if name else output),
                ExportOptions(base, reify, StatementView(min_confidence, about, min_rank, as_of)),
            )

    @staticmethod
    def export_formats() -> dict[str, str]:
        """Names of the formats of `export`, each with a one-line description."""
        return EXPORTERS.titles()

    def pages(self, start: str | Sequence[str] = (), links: Mapping[str, str] = MappingProxyType({})) -> GraphPages:
        """The page of a graph of any size, for a server: it fetches what it shows from the paths of `views`.

        `links` are other pages of the server, by name.
        """
        from tupelo.graph.report.views import ServedViews
        from tupelo.show.graph_page import served_page, served_views

        shown = ServedViews(self._store, entity_ids(self._store, [start] if isinstance(start, str) else start))
        html, policy = served_page(shown, Path(self.file).stem, graph_script(), graph_style(), links)
        answers: dict[str, Callable[[str], AnswerTable]] = {
            "ask": self.ask,
            "query": partial(self.query, evidence=2, limit=50),
            "words": partial(self.search, limit=40),
        }
        return GraphPages(html, policy, served_views(shown, answers))

    def serve(
        self,
        *,
        host: Host = "127.0.0.1",
        port: Port = 8765,
        allowed_hosts: AllowedHosts = (),
        start: Start = (),
        limits: ServerLimits | None = None,
        announce: Callable[[WebServer], None] = lambda server: None,
    ) -> None:
        """Serve the page of a graph of any size until interrupted; port 0 takes a free one.

        There is no password, and only this machine can connect unless `host` says otherwise. `limits` bound the
        time, size and number of connections of clients. `announce` is called with the server once it answers.
        """
        from tupelo.web.app import page_app
        from tupelo.web.server import WebServer

        with WebServer(host, port, limits=limits or PAGE_LIMITS) as server:
            pages = self.pages(start)
            app = page_app(pages.html, pages.policy, pages.views, (*allowed_hosts, host), server.port)
            server.serve(app, lambda: announce(server))

    # File handling.

    def close(self) -> None:
        """Close the file; a graph that was built without a path is gone then."""
        self._store.close()
        self._remove()

    @contextmanager
    def _closed(self) -> Iterator[None]:
        """Close the file while something else opens it, then reopen it."""
        self._store.close()
        self._retriever = None
        self._asker = None
        try:
            yield
        finally:
            self._store = open_graph(self.file)

    def _edited(self, change: Callable[[Store, Resources], BuildReport]) -> BuildReport:
        """Change the file in this process, which needs no documents."""
        return self._changed(lambda: _change(self.file, replace(self._options, engine="local", workers=1), change))

    def _changed(self, change: Callable[[], BuildReport]) -> BuildReport:
        """Change the file while it is closed here, and look whether that is what is open now."""
        with self._closed():
            self.changes = change()
        self._check_current()
        return self.changes

    def _check_current(self) -> None:
        """DuckDB shares an open file within a process, even if it has since been replaced."""
        if self.changes is not None and self.changes.counts != counts_of(self._store):
            self.close()
            raise InputError(f"{self.file}: open elsewhere in this program, expected a closed file. Close it there.")

    def __repr__(self) -> str:
        return f"Graph({self.file!r})"

    def __reduce__(self) -> NoReturn:
        raise InputError(f"{self!r} cannot be pickled, expected its path: open it there with Graph.open")

    def __str__(self) -> str:
        sizes = (f"{self._store.count(name):,} {name}" for name in ("documents", "nodes", "statements"))
        return f"{self.file}: {', '.join(sizes)}"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p>{escape(str(self))}</p>{self.show(limit=_FEW_EDGES, page=PageOptions(sentences=0))._repr_html_()}"


@dataclass(frozen=True, slots=True)
class GraphPages:
    """A page, its content security policy, and what it asks for: functions of query values, by path."""

    html: str
    policy: str
    views: Mapping[str, Callable[[Mapping[str, str]], Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """Options of building a graph from documents.

    A script with more than one worker needs `if __name__ == "__main__":`. Aliases stay with the graph until others
    are given; corrections are added to those of the graph.
    """

    engine: EngineName = "local"
    workers: Annotated[int | None, "Processes of the local engine; `None` for one per core."] = 1
    canonicalizer: Annotated[
        str,
        Spelled.of("NAME"),
        "What makes two wordings one entity or relation: lexical (names and base forms), relations (the same "
        "entities, and relations that mean the same are one), or a method of `tupelo canonicalize`.",
    ] = "lexical"
    schema: Annotated[
        str | None,
        Spelled.of("NAME"),
        "wikidata: add the Wikidata properties that edges share their meaning with (package tupelo-facts-en).",
    ] = None
    min_confidence: Annotated[
        Share | None,
        Spelled.of("X"),
        "Leave out tuples below this confidence. [default: the extractor's own, 0.5 of default]",
    ] = None
    coreference: Coreference = True
    aliases: Annotated[
        AliasesGiven | None,
        At.INPUT,
        Spelled.of("FILE"),
        "A table of names: canonical name, alias, type and rule, as TSV or JSON lines. [default: the graph's own]",
    ] = None
    corrections: Annotated[
        CorrectionsGiven, "Corrections to add to those of the graph, as `graph review --export` writes them."
    ] = None
    vectors: Annotated[
        bool, "Encode passages too, for better `graph retrieve`; a graph that has vectors keeps them up to date."
    ] = False
    work: Annotated[
        Work, "Folder for unfinished work; with Spark, one that all machines see. [default: beside the graph]"
    ] = None
    keep_work: Annotated[bool, "Do not remove that folder when the graph is done."] = False
    partition_size: Annotated[
        Count,
        Spelled.of("CHARACTERS"),
        "How much is handed to a worker at a time, and lost at most when it is killed.",
    ] = 100_000
    on_error: Annotated[
        str,
        Among(("keep", "skip", "stop")),
        "A document of which something failed: keep its last complete version, or what could be read of a new one; "
        "skip a new one altogether; or stop, and leave the graph as it was.",
    ] = "keep"
    retry: Annotated[
        str, Among(("always", "changed")), "When to try again what failed: in every build, or once it has changed."
    ] = "always"
    limits: SizeLimits = None
    encoding: Annotated[
        str, Spelled.of("NAME"), "Encoding of text that does not name its own and is not UTF-8, such as cp1252."
    ] = "utf-8"


def _filters(given: Filters | None) -> Filters | None:
    """The filters of a query; what is none is refused."""
    if given is None or isinstance(given, Filters):
        return given
    raise wrong_type(given, "Filters, such as filters=Filters(min_confidence=0.5)")


def _recipe(nlp: Toolkit | None) -> PipelineRecipe:
    """Parser and extractor by name, as every worker opens them."""
    from tupelo.extract.pipeline import PipelineRecipe

    if nlp is None:
        return PipelineRecipe()
    if nlp.names is None:
        raise InputError("a pipeline with an extractor of your own, expected one by name: EXTRACTORS.register it")
    return PipelineRecipe(*nlp.names)


def _possible_workers(pipeline: PipelineRecipe, options: BuildOptions) -> BuildOptions:
    """The options, with one worker for parts that only this process knows; parts that cannot run are refused."""
    extractor, parser = split_spec(pipeline.extractor)[0], split_spec(pipeline.parser)[0]
    if needs_client(extractor):
        raise InputError(
            f"extractor '{pipeline.extractor}' cannot run in several processes, expected one that can; "
            "use tupelo extract for it"
        )
    PARSERS.resolve(parser)
    if not EXTRACTORS.is_registered(extractor) and not PARSERS.is_registered(parser):
        return options
    if options.engine != "local" or (options.workers or 1) > 1:
        raise InputError("a part that is registered in this program only, expected the local engine and one worker")
    return replace(options, workers=1)


def _build(
    documents: Documents,
    output: str,
    pipeline: PipelineRecipe,
    options: BuildOptions,
    *,
    add: bool,
    progress: Progress | None,
) -> BuildReport:
    from tupelo.extract.stages import ReadStatements
    from tupelo.graph.report.conflicts import count_conflicts

    options = _possible_workers(pipeline, options)
    extractor = ExtractorRecipe.of(pipeline.extractor, dict(pipeline.settings)).extractor()
    reading = Reading(Limits.of(options.limits), options.encoding)
    files, read, passed_over = _document_set(documents, reading)
    method = _canonicalizer(options.canonicalizer)
    recipe = Recipe(
        read=read,
        extract=ReadStatements(
            pipeline,
            ExtractionOptions(
                coreference=options.coreference,
                min_confidence=options.min_confidence,
                longest_sentence=reading.limits.sentence,
            ),
            schema=_schema(options.schema) if options.schema else None,
        ),
        extractor=f"{extractor.name} {extractor.version}",
        canonicalizer=f"{options.canonicalizer} {method.version}" if method else options.canonicalizer,
    )
    known = None if options.aliases is None else Aliases(_aliases(options.aliases))
    corrections = _corrections(options.corrections)

    def change(store: Store, resources: Resources) -> BuildReport:
        if add:
            _refuse_namesakes(store, files)
        report = build(
            store,
            files,
            replace(recipe, aliases=aliases_of(store) if known is None else known),
            resources,
            keep_others=add,
            passed_over=passed_over,
            canonicalizer=method,
            failing=FailureOptions(on_error=options.on_error, retry=options.retry),
        )
        said = correct(store, corrections, resources)
        conflicts = count_conflicts(store, {*report.change.added, *report.change.changed})
        encoded = _encode_passages(store, progress) if options.vectors or store.count("passage_vectors") else 0
        return replace(report, corrections=said.corrections, vectors=encoded, conflicts=conflicts)

    return _change(output, options, change, progress)


def _refuse_namesakes(store: Store, files: DocumentSet) -> None:
    """Refuse to replace documents of one place by those of another that have the same names."""
    paths = files.paths()
    for source, place in namesakes(store, files.checksums(), paths).items():
        if os.path.exists(place):
            given = paths.get(source, "a text")
            raise InputError(
                f"'{source}' in the graph was read from {place} and would be replaced by {given}, "
                "expected another name. Name the folder above both instead, or build without adding."
            )


def _encode_passages(store: Store, progress: Progress | None) -> int:
    """Encode the passages without a vector; return their number."""
    from tupelo.graph.retrieve.passage_index import SUBWORDS, missing_vectors, write_vectors
    from tupelo.nlp.encoder import load_encoder

    encoder = load_encoder()
    name = f"{encoder.name} {encoder.version}"
    if missing := missing_vectors(store, name):
        advance = track(progress, "encoding", missing)
        write_vectors(store, name, lambda texts: encoder.encode(texts, subwords=SUBWORDS), advance)
    return missing


def _change(
    output: str,
    options: BuildOptions,
    change: Callable[[Store, Resources], BuildReport],
    progress: Progress | None = None,
) -> BuildReport:
    """Change a copy of the file, which then replaces it atomically; readers of the old one are not affected."""
    with replacement(output) as draft:
        workspace = FolderWorkspace(os.fspath(options.work) if options.work else work_folder(output))
        open_store = open_for_update if draft.exists else create
        with open_engine(options.engine, workspace, options.workers) as engine, open_store(draft.path) as store:
            resources = Resources(engine=engine, now=_now, progress=progress, partition=options.partition_size)
            report = change(store, resources)
            counts = counts_of(store)
        confirm(draft.path, counts)
        draft.wanted = not (report.changes_nothing and draft.exists)
    if not options.keep_work:
        workspace.remove()
    return replace(report, counts=counts, output=output)


def _document_set(documents: Documents, reading: Reading) -> tuple[DocumentSet, Stage, tuple[tuple[str, str], ...]]:
    """The documents, the stage that reads them, and the files that are skipped, with the reasons."""
    given: list[Any]
    if isinstance(documents, str | os.PathLike):
        given = [documents]
    else:
        given = list(given_documents(documents, "paths, a mapping, a data frame, or an iterable of documents"))
    texts = [item for item in given if isinstance(item, Document)]
    if not texts:
        listing = find_documents(os.fspath(item) for item in given)
        passed_over = tuple((found.source, found.reason) for found in listing.passed_over)
        return DocumentFiles(listing.files), ReadDocuments(options=reading.options), passed_over
    named: dict[str, Document] = {}
    for text in texts:
        if not is_unicode(text.source):
            raise InputError(f"a document is called {text.source!r}, expected text as a name")
        if named.setdefault(text.source, text) != text:
            raise InputError(f"two documents are called '{text.source}', expected a name of its own for each")
    if len(texts) < len(given):
        raise InputError("paths and documents in memory together, expected one of the two; add the others afterwards")
    return DocumentTexts(tuple(named.values())), ReadTexts(), ()


def _aliases(given: AliasesGiven) -> tuple[Alias, ...]:
    if not isinstance(given, Mapping):
        return read_aliases(given)
    listed = ((canonical, [names] if isinstance(names, str) else names) for canonical, names in given.items())
    return tuple(Alias(canonical, alias) for canonical, names in listed for alias in names)


def _said(verdict: str, pairs: Iterable[tuple[str, str]]) -> Iterator[Correction]:
    for pair in pairs:
        if isinstance(pair, str) or len(pair) != 2:
            raise wrong_type(pair, "two names, such as ('Annie', 'Ann Lee')")
        yield Correction.of(verdict, *pair)


def _corrections(given: CorrectionsGiven) -> tuple[Correction, ...]:
    return read_corrections(given) if isinstance(given, str | os.PathLike) else tuple(given or ())


def _canonicalizer(name: str) -> Canonicalizer | None:
    """A method by its name, with its resources; `None` for `lexical`, which is how keys are built."""
    if name == "lexical":
        return None
    if name == "relations":
        return open_canonicalizer(tasks=("rpc",))
    return open_canonicalizer(name, tasks=("npc-e", "rpc"))


def _schema(name: str) -> LinkSchema:
    from tupelo.factmodels.schema import SCHEMAS

    return SCHEMAS.get(name)()


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)
