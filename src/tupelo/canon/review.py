"""A page for people: borderline merges first, then all clusters; decisions become a file of corrections.

The page needs nothing but itself. All text from the data is escaped; the script only moves text that is already on
the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from tupelo.core.canonical import Canonicalization, Cluster, Doubt, TripleMention

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
.doubt, .cluster { border: 1px solid #8886; border-radius: 6px; padding: .6rem .9rem; margin: .6rem 0; }
.doubt.decided { opacity: .55; }
.form { display: inline-block; background: #8882; border-radius: 4px; padding: 0 .4rem; margin: .1rem .15rem 0 0; }
.name { font-weight: 600; } .meta { color: #777; font-size: .87rem; }
blockquote { margin: .3rem 0 0 0; padding-left: .7rem; border-left: 3px solid #8884; font-size: .9rem; }
button { font: inherit; margin-right: .4rem; } button[aria-pressed=true] { outline: 2px solid #48c; }
textarea { width: 100%; height: 9rem; font: 13px monospace; }
input[type=search] { font: inherit; width: 100%; box-sizing: border-box; padding: .3rem .5rem; }
summary { cursor: pointer; }
"""

_SCRIPT = """
const decisions = new Map();
const area = document.getElementById('corrections');
function write() {
  area.value = Array.from(decisions.values()).join('\\n') + (decisions.size ? '\\n' : '');
  const link = document.getElementById('save');
  link.href = 'data:text/tab-separated-values;charset=utf-8,' + encodeURIComponent(area.value);
}
document.addEventListener('click', event => {
  const button = event.target.closest('button[data-link]');
  if (!button) return;
  const box = button.closest('.doubt');
  const again = button.getAttribute('aria-pressed') === 'true';
  for (const other of box.querySelectorAll('button')) other.setAttribute('aria-pressed', 'false');
  if (again) { decisions.delete(box.id); } else {
    button.setAttribute('aria-pressed', 'true');
    decisions.set(box.id, [button.dataset.link, box.dataset.kind, box.dataset.left, box.dataset.right].join('\\t'));
  }
  box.classList.toggle('decided', !again);
  write();
});
document.getElementById('filter').addEventListener('input', event => {
  const wanted = event.target.value.toLowerCase();
  for (const box of document.querySelectorAll('.cluster'))
    box.hidden = wanted !== '' && !box.textContent.toLowerCase().includes(wanted);
});
write();
"""


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
    body = "\n".join(parts)
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>Review of clusters</title><style>{_STYLE}</style></head>\n<body>\n{body}\n"
        f"<script>{_SCRIPT}</script>\n</body></html>\n"
    )


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
