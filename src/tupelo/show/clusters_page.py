"""A page for people: borderline merges first, then all clusters; decisions become a file of corrections.

The page needs nothing but itself. All text from the data is escaped; the script only moves text that is already on
the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from tupelo.core.canonical import Canonicalization, Cluster, Doubt, TripleMention
from tupelo.web.page import SHELL

_PAGE = Path(__file__).with_name("review.html")


def review_page(found: Canonicalization, *, most_clusters: int = 2000) -> str:
    """The whole page. Clusters of one form are counted, not listed."""
    parts = [
        f"<h1>Review of {len(found.mentions):,} triples</h1>",
        f"<p class='meta'>Method {escape(found.method)}. {len(found.entities):,} entities, {len(found.relations):,} "
        f"relations, {len(found.types):,} types. Decide what is doubtful, save the corrections, and give the file to "
        "the next run with <code>--corrections</code>.</p>",
        f"<h2 id='doubts'>Borderline merges ({len(found.doubts):,})</h2>",
        *(_doubt(number, doubt) for number, doubt in enumerate(found.doubts)),
        "<h2>Corrections</h2>",
        "<textarea id='corrections' readonly aria-label='Corrections'></textarea>",
        "<p><a id='save' download='corrections.tsv' href='#'>Save as corrections.tsv</a></p>",
        "<h2>Clusters</h2>",
        "<p><input id='filter' type='search' placeholder='Show clusters with these words' aria-label='Filter'></p>",
    ]
    for title, clusters in (("Entities", found.entities), ("Relations", found.relations), ("Types", found.types)):
        if not clusters:
            continue
        several = [cluster for cluster in clusters if len(cluster.forms) > 1]
        several.sort(key=lambda cluster: (cluster.confidence, -len(cluster.members), cluster.id))
        parts.append(f"<h2>{title}</h2>")
        parts.append(
            f"<p class='meta'>{len(several):,} clusters with more than one form, the least certain first; "
            f"{len(clusters) - len(several):,} with one form are not listed.</p>"
        )
        parts.extend(_cluster(cluster, found.mentions) for cluster in several[:most_clusters])
        if len(several) > most_clusters:
            parts.append(f"<p class='meta'>{len(several) - most_clusters:,} more are in the output only.</p>")
    return _PAGE.read_text("utf-8").replace("/* shell */", SHELL).replace("<!-- body -->", "\n".join(parts))


def _doubt(number: int, doubt: Doubt) -> str:
    state = "joined" if doubt.joined else "kept apart"
    data = " ".join(
        f'data-{name}="{_attribute(value)}"'
        for name, value in (("kind", doubt.kind), ("left", doubt.left[0]), ("right", doubt.right[0]))
    )
    return (
        f'<div class="doubt" id="doubt-{number}" {data}>{_forms(doubt.left)} and {_forms(doubt.right)}'
        f"<div class='meta'>{doubt.kind}, {state}; same with probability {doubt.probability:.2f}</div>"
        "<button data-link='must-link' aria-pressed='false'>Same</button>"
        "<button data-link='cannot-link' aria-pressed='false'>Different</button></div>"
    )


def _cluster(cluster: Cluster, mentions: Mapping[str, TripleMention]) -> str:
    sentences = dict.fromkeys(
        mentions[member.mention].sentence for member in cluster.members if mentions[member.mention].sentence
    )
    quotes = "".join(f"<blockquote>{escape(text)}</blockquote>" for text in list(sentences)[:3])
    evidence = f"<details><summary class='meta'>Evidence</summary>{quotes}</details>" if quotes else ""
    return (
        f'<div class="cluster" id="{_attribute(cluster.id)}"><span class="name">{escape(cluster.name)}</span> '
        f"<span class='meta'>{len(cluster.members):,} occurrences, confidence {cluster.confidence:.2f}</span>"
        f"<div>{_forms(cluster.forms, 40)}</div>{evidence}</div>"
    )


def _forms(forms: Sequence[str], most: int = 6) -> str:
    shown = "".join(f"<span class='form'>{escape(form)}</span>" for form in forms[:most])
    return shown + (f" <span class='meta'>and {len(forms) - most} more</span>" if len(forms) > most else "")


def _attribute(value: str) -> str:
    # Tabs and line ends would break the lines of a corrections file.
    return escape(" ".join(value.split()), quote=True)
