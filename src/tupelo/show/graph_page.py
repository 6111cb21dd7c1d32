"""The page of a graph: a single file that loads nothing from elsewhere, enforced by a content security policy.

Names and sentences are data: they are in one block of JSON, in which no
character can end the block, and the script puts them on the page as text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from html import escape
from types import MappingProxyType
from typing import Any

from tupelo.core import InputError
from tupelo.graph.query.answers import AnswerTable
from tupelo.graph.report.views import ServedViews
from tupelo.show import asset
from tupelo.show.graph_picture import draw_png, draw_svg, look_of
from tupelo.web.page import page_policy, scripted_page

_LONGEST_NUMBER = 12

_BODY = asset("graph_page.html")


@dataclass(frozen=True, slots=True)
class GraphView:
    """A view of a graph: `html` is a page, `svg` and `png` are pictures of its main entities."""

    title: str
    data: Mapping[str, Any]
    limit: int
    script: str = field(repr=False)
    style: str = field(repr=False)

    @property
    def shown(self) -> int:
        """Number of edges that are shown."""
        return int(self.data["held"]["edges"])

    @property
    def total(self) -> int:
        """Number of edges of the graph."""
        return int(self.data["total"]["edges"])

    @property
    def is_partial(self) -> bool:
        """Whether the limit excluded edges."""
        return self.limit == self.shown < self.total

    @property
    def html(self) -> str:
        """A self-contained page that works offline."""
        return graph_page(self.title, self.data, self.script, self.style)

    @property
    def svg(self) -> str:
        return draw_svg(self.title, self.data)

    @property
    def png(self) -> bytes:
        return draw_png(self.title, self.data)

    def rendered(self, name: str) -> bytes:
        """The content for a file name: a picture for `.svg` and `.png`, the page otherwise."""
        if name.endswith(".png"):
            return self.png
        return (self.svg if name.endswith(".svg") else self.html).encode("utf-8")

    def __str__(self) -> str:
        return f"{self.title}: {self.shown:,} of {self.total:,} edges"

    def _repr_html_(self) -> str:
        """The page in a frame of its own, which can do nothing to the notebook around it."""
        look = "width:100%;height:34rem;border:1px solid #8884;border-radius:8px"
        frame = f'<iframe title="{escape(self.title)}" sandbox="allow-scripts allow-downloads" style="{look}"'
        return f'{frame} srcdoc="{escape(self.html)}"></iframe>'


def graph_page(
    title: str, data: Mapping[str, Any], script: str, style: str, links: Mapping[str, str] = MappingProxyType({})
) -> str:
    """The whole document; `links` lead to the other pages of a server."""
    ways = "".join(f'<a href="{escape(address)}">{escape(name)}</a>' for name, address in links.items())
    nav = f'\n<nav aria-label="Site">{ways}</nav>' if ways else ""
    body = _BODY.format(title=escape(title), nav=nav)
    types = [{**kind, **asdict(look_of(kind["name"]))} for kind in data["types"]]
    return scripted_page(title, body, {**data, "types": types}, script, style, policy(script, style, data["served"]))


def policy(script: str, style: str, served: bool) -> str:
    """A policy that allows our script and style, pictures that the script makes, and the server, if any."""
    return page_policy(script, style, "connect-src 'self'" if served else "connect-src 'none'")


def served_page(views: ServedViews, title: str, script: str, style: str, links: Mapping[str, str]) -> tuple[str, str]:
    """The page for a server, which fetches its data, and the policy to send with it."""
    policies = f"{policy(script, style, served=True)}; frame-ancestors 'none'"
    return graph_page(title, views.frame(), script, style, links), policies


def served_views(
    views: ServedViews, answers: Mapping[str, Callable[[str], AnswerTable]]
) -> dict[str, Callable[[Mapping[str, str]], Any]]:
    """The endpoints of the page: a path to a function of the query parameters.

    `answers` has a function for each kind of words that its search box understands: `ask`, `query`, `words`.
    """
    # Cached: every page load requests it, and it never changes.
    first = views.first()

    def number(values: Mapping[str, str], name: str) -> int:
        given = values.get(name, "0")
        if not given.isdecimal() or len(given) > _LONGEST_NUMBER:
            raise InputError(f"{name} is no number, expected 0 or more")
        return int(given)

    def answer(values: Mapping[str, str]) -> dict[str, Any]:
        kind, words = values.get("kind", ""), values.get("q", "").strip()
        if kind not in answers or not words:
            raise InputError(f"{kind or 'kind'} is no kind of question, expected {', '.join(answers)} with words")
        return answers[kind](words).to_dict()

    return {
        "/api/frame": lambda _: views.frame(),
        "/api/answer": answer,
        "/api/start": lambda _: first,
        "/api/search": lambda values: views.search(values.get("q", "")),
        "/api/neighbours": lambda values: views.neighbours(values.get("id", ""), number(values, "offset")),
        "/api/community": lambda values: views.community(number(values, "id")),
        "/api/path": lambda values: views.path(values.get("from", ""), values.get("to", "")),
        "/api/document": lambda values: views.document(values.get("source", "")),
        "/api/details": lambda values: views.details(values.get("id", "")),
        "/api/evidence": lambda values: views.sentences(values.get("id", "")),
    }
