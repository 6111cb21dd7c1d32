"""The page of a graph: a single file that loads nothing from elsewhere, enforced by a content security policy.

Names and sentences are data: they are in one block of JSON, in which no
character can end the block, and the script puts them on the page as text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from types import MappingProxyType
from typing import Any

from tupelo.core import InputError
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
        return self.svg


def graph_page(
    title: str, data: Mapping[str, Any], script: str, style: str, links: Mapping[str, str] = MappingProxyType({})
) -> str:
    """The whole document; `links` lead to the other pages of a server."""
    ways = "".join(f'<a href="{escape(address)}">{escape(name)}</a>' for name, address in links.items())
    nav = f'\n<nav aria-label="Site">{ways}</nav>' if ways else ""
    body = _BODY.format(title=escape(title), nav=nav)
    types = [{**kind, **look_of(kind["name"]).to_dict()} for kind in data["types"]]
    return scripted_page(title, body, {**data, "types": types}, script, style, policy(script, style, data["served"]))


def policy(script: str, style: str, served: bool) -> str:
    """A policy that allows our script and style, a worker made by the script, and the server, if any."""
    return page_policy(script, style, "worker-src blob:", "connect-src 'self'" if served else "connect-src 'none'")


def served_page(views: ServedViews, title: str, script: str, style: str, links: Mapping[str, str]) -> tuple[str, str]:
    """The page for a server, which fetches its data, and the policy to send with it."""
    policies = f"{policy(script, style, served=True)}; frame-ancestors 'none'"
    return graph_page(title, views.frame(), script, style, links), policies


def served_views(views: ServedViews) -> dict[str, Callable[[Mapping[str, str]], Any]]:
    """The endpoints of the page: a path to a function of the query parameters."""
    # Cached: every page load requests it, and it never changes.
    first = views.first()

    def number(values: Mapping[str, str], name: str) -> int:
        given = values.get(name, "0")
        if not given.isdecimal() or len(given) > _LONGEST_NUMBER:
            raise InputError(f"{name} is no number, expected 0 or more")
        return int(given)

    return {
        "/api/start": lambda _: first,
        "/api/search": lambda values: views.search(values.get("q", "")),
        "/api/neighbours": lambda values: views.neighbours(values.get("id", ""), number(values, "offset")),
        "/api/community": lambda values: views.community(number(values, "id")),
        "/api/details": lambda values: views.details(values.get("id", "")),
        "/api/evidence": lambda values: views.sentences(values.get("id", "")),
    }
