"""The page of one text as a file that needs no server: the same scripts, with replies that were recorded."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from typing import Any

from tupelo.api.checking import Checker
from tupelo.api.files import packaged_files
from tupelo.api.text import Toolkit
from tupelo.show.graph_picture import LOOKS, PLAIN
from tupelo.show.trees import draw
from tupelo.web.page import SHELL, bundle, page_policy, scripted_page, shared_files

# Shared files that the page needs besides its own.
SHARED = ("dom.js", "entity.js", "marks.js", "source.js", "suggest.js", "view.js", "cytoscape.js")
LONGEST_DRAWN = 2000


def page_files() -> dict[str, bytes]:
    """The files of the page, by name."""
    looks = [{"name": name, **asdict(look)} for name, look in (*LOOKS.items(), ("", PLAIN))]
    made = {"looks.js": f"export const LOOKS = {json.dumps(looks)};\n".encode()}
    return packaged_files("tupelo.serve", "web") | shared_files(*SHARED) | made


def still_page(
    toolkit: Toolkit, title: str, text: str, *, answer: str = "", links: Sequence[tuple[str, str]] = ()
) -> str:
    """A page with the tuples, trees, entities and graph of a text, and the claims of `answer` checked against it.

    `links` lead to other pages, as names and addresses.
    """
    files = {name: data.decode("utf-8") for name, data in page_files().items()}
    script = files["cytoscape.js"] + bundle("main.js", files | {"ask.js": files["recorded.js"]})
    style = SHELL + files["style.css"]
    body = (
        files["index.html"]
        .partition("<body>\n")[2]
        .partition("</body>")[0]
        .replace("<h1>Tupelo</h1>", f"<h1>{escape(title)}</h1>")
    )
    about = {"still": True, "text": text, "source": "", "answer": answer, "links": links}
    data = {"about": about, "replies": _replies(toolkit, text, answer)}
    return scripted_page(title, body, data, script, style, page_policy(script, style, "connect-src 'none'"))


def _replies(toolkit: Toolkit, text: str, answer: str) -> dict[str, Any]:
    """The replies of a server to all requests of the page, by path and body."""
    analysis = toolkit.analyze(text, coreference=True)
    replies: dict[str, Any] = {}

    def record(path: str, reply: Any, **body: Any) -> None:
        replies[json.dumps([path, sorted(body.items())], ensure_ascii=False, separators=(",", ":"))] = reply

    record("/v1/extract", toolkit.extract(text, min_confidence=0).to_dict(), text=text, min_confidence=0)
    record("/v1/analyze", analysis.to_dict(), text=text, coreference=True)
    for sentence in analysis:
        drawn = sentence.text[:LONGEST_DRAWN]
        record("/v1/draw", draw(sentence, constituents=False), text=drawn, constituents=False)
        record("/v1/draw", draw(sentence, dependencies=False), text=drawn, dependencies=False)
    if answer:
        record("/v1/check", Checker(nlp=toolkit)(answer, text).to_dict(), text=answer, source=text)
    return replies
