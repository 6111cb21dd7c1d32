"""Annotation projects: create, serve in the browser, add items, invite people, export answers, measure agreement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cache, partial
from os.path import abspath
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tupelo.annotate.exchange import items_of_rows, read_rows
from tupelo.annotate.project import below, load_project, make_project, with_address
from tupelo.annotate.tasks import TASKS as TASKS
from tupelo.api.text import load
from tupelo.core import Extraction, InputError
from tupelo.core.closing import Closing
from tupelo.core.errors import needs_extra
from tupelo.core.parameters import AllowedHosts, Among, At, Between, Host, Input, PathLike, Port, Spelled
from tupelo.io.files import open_output
from tupelo.io.folders import list_files
from tupelo.web.limits import ServerLimits as ServerLimits

if TYPE_CHECKING:
    from tupelo.annotate.desk import Desk
    from tupelo.annotate.erasure import Erasure
    from tupelo.annotate.export import AuditLog, ExportedFile
    from tupelo.annotate.project import Project
    from tupelo.annotate.quality import AgreementReport


RealNames = Annotated[bool, "Real names instead of annotator-1, annotator-2, …"]
PersonName = Annotated[str, Spelled.of("NAME")]


class AnnotationProject(Closing):
    """A project folder and its database, which is opened on first use. A context manager.

    `database` is the address of a PostgreSQL database and overrides the one in `project.toml`.
    """

    def __init__(self, folder: PathLike, *, database: str | None = None) -> None:
        project = load_project(folder)
        self._project = project if database is None else replace(project, database=database)
        self._desk: Desk | None = None

    @classmethod
    def create(
        cls,
        folder: PathLike,
        task: Annotated[str, Spelled.of("TASK"), "What people do; see the tasks below."],
        *,
        items: Annotated[
            Sequence[Input], Spelled.of("FILE"), "Your own items instead of the example's; repeat for more files."
        ] = (),
        name: Annotated[str | None, "Name of the project. [default: the name of the folder]"] = None,
        overlap: Annotated[int | None, Between(1, 100), "How many people do each item."] = None,
        database: Annotated[str | None, Spelled.of("URL"), "postgresql://… instead of a file in the project."] = None,
        url: Annotated[str | None, Spelled.of("URL"), "The address under which people will reach the server."] = None,
    ) -> AnnotationProject:
        """Create a project folder from the example of a task, with your own items if `items` names files."""
        place = Path(folder)
        settings = {
            ("project", "name"): name or Path(abspath(place)).name,
            ("project", "overlap"): overlap,
            ("project", "database"): database,
            ("server", "url"): url,
        }
        make_project(place, task, [Path(item) for item in items], settings)
        return cls(place)

    @property
    def name(self) -> str:
        return self._project.name

    def files(self) -> list[str]:
        """Names of the files in the project folder, sorted."""
        return [Path(name).name for name in list_files(self._project.folder)]

    def add(
        self,
        *files: Annotated[PathLike, At.INPUT],
        format: Annotated[str, "lines, rows, or a tuple format."] = "auto",
    ) -> tuple[int, int]:
        """Add the items of files and return how many are new and how many were known; reads all files first."""
        desk = self._open(create=True)
        from tupelo.annotate.items import add_items

        found = []
        for name in map(str, files):
            rows = read_rows(desk.task.reads, name, format)
            found += items_of_rows(desk.task, rows, desk.project.settings, name)
        return add_items(desk, found)

    def invite(
        self,
        role: Annotated[str, Among(("annotator", "reviewer", "admin")), "What they may do."] = "annotator",
        number: Annotated[int, Between(1, 1000), Spelled.of("-n", "--number"), "How many links."] = 1,
        *,
        days: Annotated[float, Between(0.001, 365), "How long they work."] = 14,
        url: Annotated[
            str | None, Spelled.of("URL"), "The address of the server. [default: that of the last 'annotate serve']"
        ] = None,
    ) -> list[str]:
        """Single-use invitation links, to `url` or to where the project was last served."""
        desk = self._open()
        from tupelo.annotate.desk import link_base
        from tupelo.annotate.people import link_address, make_link

        base = url or desk.read(link_base)
        return [link_address(base, "invite", make_link(desk, role, days=days)[1]) for _ in range(number)]

    def export(
        self,
        output: PathLike | None = None,
        *,
        format: Annotated[str, "Any of 'tupelo formats'."] = "jsonl",
        what: Annotated[
            str,
            Among(("answers", "gold", "records")),
            "One answer per item; everybody's answers; or everything that happened.",
        ] = "gold",
        names: RealNames = False,
    ) -> ExportedFile:
        """Answers as a file: `gold` (one per item), `answers` (of all annotators) or `records` (the full log)."""
        desk = self._open()
        from tupelo.annotate.export import recorded_export

        made = desk.write(recorded_export, format, names=names, what=what)
        if output is not None:
            with open_output(str(output)) as stream:
                stream.write(made.data)
        return made

    def backup(self, output: PathLike) -> None:
        """Write a checked copy of the database to a file that only its owner may read, also while it is served."""
        _require_extra()
        from tupelo.annotate.database import backup_database

        backup_database(self._project.database_address(), output)

    def restore(self, backup: PathLike) -> None:
        """Make the database from a copy that `backup` wrote. An existing database is never replaced."""
        _require_extra()
        from tupelo.annotate.database import restore_database

        restore_database(self._project.database_address(), backup)

    def agreement(self, *, names: RealNames = False) -> AgreementReport:
        """Inter-annotator agreement; with `names`, under real names."""
        desk = self._open()
        from tupelo.annotate.figures import agreement_report

        return desk.read(agreement_report, names=names)

    def person_data(self, name: PersonName) -> dict[str, Any]:
        """Everything that the project holds on a person, without secrets."""
        desk = self._open()
        from tupelo.annotate.erasure import find_person, person_data

        return desk.write(person_data, desk.read(find_person, name))

    def erase_person(self, name: PersonName) -> Erasure:
        """Remove for ever what leads to a person: name, password, sessions, links. Their answers stay, unnamed."""
        desk = self._open()
        from tupelo.annotate.erasure import erase_person, find_person

        return erase_person(desk, desk.read(find_person, name))

    def audit(
        self,
        since: Annotated[
            str | None, Spelled.of("TIME"), "Only from this date or time on, such as 2026-11-16 (UTC)."
        ] = None,
    ) -> AuditLog:
        """Log of entries, changes, decisions, exports and erasures; `since` is a date or time in ISO 8601."""
        desk = self._open()
        from tupelo.annotate.export import audit_log

        return desk.read(audit_log, since)

    def make_token(
        self,
        person: PersonName,
        scopes: Annotated[
            Sequence[str],
            Spelled.of("--scope"),
            Among(("read", "answer", "export", "import")),
            "What it is for; repeat for more. export and import need an admin.",
        ] = ("read",),
        *,
        label: Annotated[str, "What the program is called. [default: the name of the person]"] = "",
        days: Annotated[float, Between(0.001, 366), "How long it works."] = 90,
    ) -> str:
        """A token for a program that acts for a person: `read`, `answer`, and for admins `export` and `import`."""
        desk = self._open()
        from tupelo.annotate.erasure import find_person
        from tupelo.annotate.tokens import make_token

        return make_token(desk, desk.read(find_person, person), label or person, scopes, days=days)[1]

    def tokens(self) -> list[dict[str, Any]]:
        """All tokens, newest first, each with its first characters only."""
        desk = self._open()
        from tupelo.annotate.tokens import list_tokens

        return desk.read(list_tokens)

    def revoke_token(self, number: Annotated[int, Between(1)]) -> None:
        """End a token at once."""
        desk = self._open()
        from tupelo.annotate.tokens import revoke_token

        desk.write(revoke_token, None, number)

    def serve(self, host: str = "127.0.0.1", port: int = 8770, **options: Any) -> None:
        """Serve the project over HTTP until interrupted; the options are those of `tupelo.annotation.serve`."""
        serve([self], host, port, **options)

    def close(self) -> None:
        if self._desk is not None:
            self._desk.database.close()
            self._desk = None

    def __repr__(self) -> str:
        return f"AnnotationProject({str(self._project.folder)!r}, task={self._project.task!r})"

    def _open(self, *, create: bool = False, served: Project | None = None) -> Desk:
        """The open project; `served` is the same one with the address at which it is served."""
        if self._desk is not None:
            return self._desk
        _require_extra()
        from tupelo.annotate.database import open_database
        from tupelo.annotate.desk import make_desk

        project = served or self._project
        extract = _extractor(project.preannotation.extractor) if project.preannotation.share else None
        database = open_database(project.database_address(), create=create)
        self._desk = make_desk(project, database, extract=extract)
        return self._desk


def serve(
    projects: Sequence[AnnotationProject],
    host: Host = "127.0.0.1",
    port: Port = 8770,
    *,
    allowed_hosts: AllowedHosts = (),
    proxy: Annotated[str, Spelled.of("ADDRESS"), "A proxy that is trusted to name its clients."] = "",
    url: Annotated[
        str | None, Spelled.of("URL"), "The address under which people reach it, if project.toml has none."
    ] = None,
    limits: ServerLimits | None = None,
    report: Callable[[str], object] = print,
) -> None:
    """Serve projects until interrupted: one at the address itself, several each under the name of its folder.

    Each project keeps its own database and accounts. `url` is the address under which people reach the server, such
    as that of a proxy, if the project has none. `limits` bound the time, size and number of connections of clients.
    `report` is called with lines about the start.
    """
    _require_extra()
    from tupelo.annotate.app import Several, make_app, path_names, start_page
    from tupelo.annotate.desk import note_address
    from tupelo.annotate.figures import FiguresProcess
    from tupelo.annotate.items import stock_up
    from tupelo.annotate.people import first_admin_link
    from tupelo.web.server import WebServer

    names = path_names([one._project.folder for one in projects]) if len(projects) != 1 else [""]
    if not projects or len({one._project.database_address() for one in projects}) < len(projects):
        raise InputError("no project, or two with the same database, expected one database each")
    hosts = (*allowed_hosts, host)
    with WebServer(host, port, proxies=proxy, limits=limits) as server, ExitStack() as stack:
        apps, desks = {}, []
        for name, one in zip(names, projects, strict=True):
            one.close()
            project = with_address(one._project, host, server.port, tuple(allowed_hosts), url)
            desk = one._open(create=True, served=below(project, name) if name else project)
            figures = stack.enter_context(closing(FiguresProcess(desk.project)))
            apps[name] = make_app(desk, hosts, figures=figures)
            desks.append(desk)
            new, known = stock_up(desk)
            report(f"{desk.project.name}: {new + known} items ({new} new), task {desk.project.task}")

        def ready() -> None:
            for desk in desks:
                note_address(desk)
                report(f"Serving at {desk.project.server.url}  (Ctrl-C ends)")
                link = first_admin_link(desk)
                if link is not None:
                    report(f"The first admin enters here, once: {link}")

        app = apps[""] if "" in apps else Several(start_page(desks, hosts), apps)
        server.serve(app, ready)


def _require_extra() -> None:
    with needs_extra("annotation", "annotate"):
        import fastapi  # noqa: F401
        import sqlalchemy  # noqa: F401


def _extractor(name: str) -> Callable[[Sequence[str]], list[list[Extraction]]]:
    """Sentences to tuples; the model is opened for the first suggestion."""
    opened = cache(partial(load, extractor=name))
    return lambda texts: [list(found.extractions) for found in opened().extract_sentences(list(texts), lines=True)]
