"""A whole document and its tuples as one self-contained HTML page. Everything is escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from html import escape

from tupelo.core import Extraction, SentenceTuples
from tupelo.extract.pipeline import Extractions
from tupelo.show.highlight import COLOURS
from tupelo.web.page import page_head

_STYLE = """
section { border-top: 1px solid var(--line); padding: .7rem 0 }
section > p { margin: 0 0 .3rem; white-space: pre-wrap; overflow-wrap: anywhere }
section.bare > p { color: var(--soft) }
details { margin: .15rem 0 .15rem 1.2rem } summary { cursor: pointer; overflow-wrap: anywhere }
details > div { margin: .3rem 0 .6rem 1.1rem; white-space: pre-wrap; overflow-wrap: anywhere }
code { font-size: .85em; color: var(--soft) }
.legend span { margin-right: .4rem; border-radius: .3em; padding: .05em .35em }
"""


def write_along(
    found: Iterable[SentenceTuples], write: Callable[[str], object], title: str, *, explain: bool = False
) -> Iterator[SentenceTuples]:
    """Write the page while passing sentences through, so that a book never has to fit in memory."""
    legend = "".join(
        f'<span style="background: rgba({colour}, .22)">{escape(kind)}</span>'
        for kind, colour in COLOURS.items()
        if kind != "context"
    )
    write(f'{page_head(title, _STYLE)}<p class="legend">{legend}</p>\n')
    sentences = tuples = 0
    for item in found:
        sentences += 1
        tuples += len(item.extractions)
        write(section(item, explain))
        yield item
    write(f"<footer><p>{sentences:,} sentences, {tuples:,} tuples.</p></footer>\n</body>\n</html>\n")


def document_page(title: str, found: Iterable[SentenceTuples], *, explain: bool = False) -> str:
    """The whole page at once."""
    pieces: list[str] = []
    for _ in write_along(found, pieces.append, title, explain=explain):
        pass
    return "".join(pieces)


def extractions_html(found: Extractions) -> str:
    """The tuples below each sentence, each expandable."""
    return "".join(map(section, found.sentences))


def section(item: SentenceTuples, explain: bool = False) -> str:
    """A sentence with its tuples; each tuple expands to show where its parts are in the sentence."""
    details = "".join(_details(extraction, explain) for extraction in item.extractions)
    bare = "" if item.extractions else ' class="bare"'
    return f"<section{bare}>\n<p>{escape(item.sentence.text)}</p>\n{details}</section>\n"


def _details(extraction: Extraction, explain: bool) -> str:
    why = ""
    if explain:
        maker = " ".join(name for name in (extraction.extractor, extraction.rule) if name)
        why = f" <code>{escape(maker)}</code>" if maker else ""
    summary, sentence = f"{extraction.tuple_html()}{why}", extraction.sentence_html()
    return f"<details><summary>{summary}</summary><div>{sentence}</div></details>\n"
