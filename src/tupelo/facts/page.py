"""A checked text beside its source as one page that stands alone. Everything is escaped."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from tupelo.facts.check import Checked, CheckedSentence, Claim, Verdict

_COLOURS: Mapping[Verdict, str] = {
    Verdict.SUPPORTED: "15, 157, 88",
    Verdict.REFUTED: "209, 73, 91",
    Verdict.UNVERIFIABLE: "234, 134, 0",
}
_STYLE = """
:root { color-scheme: light dark; --soft: color-mix(in srgb, currentColor 14%, transparent) }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 78rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.05rem }
main { display: grid; grid-template-columns: 1fr 1fr; gap: 2rem }
@media (max-width: 50rem) { main { grid-template-columns: 1fr } }
section p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
.sentence { border-top: 1px solid var(--soft); padding: .6rem 0 }
.claim { display: block; margin: .3rem 0 .3rem 1rem; overflow-wrap: anywhere; color: inherit; text-decoration: none }
.claim, .kind { padding: .15rem .5rem; border-radius: .3rem }
.claim small { opacity: .75 }
.source p { padding: .15rem .4rem; border-left: .25rem solid transparent }
.source p:target { border-color: currentColor; background: var(--soft) }
"""


def check_page(title: str, checked: Checked) -> str:
    """Claims on the left, coloured by verdict and linked to their evidence on the right."""
    counts = ", ".join(f"{checked.count(verdict)} {verdict.value}" for verdict in Verdict)
    legend = " ".join(_boxed(verdict, escape(verdict.value)) for verdict in Verdict)
    left = "".join(_sentence(sentence) for sentence in checked.sentences)
    right = "".join(f'<p id="s{number}">{escape(text)}</p>\n' for number, text in enumerate(checked.source))
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n"
        f"<p>{escape(_summary(checked))}; {counts}. {legend}</p>\n<main>\n"
        f"<section><h2>Generated</h2>\n{left}</section>\n"
        f'<section class="source"><h2>Source</h2>\n{right}</section>\n</main>\n</body>\n</html>\n'
    )


def _summary(checked: Checked) -> str:
    score = "no score" if checked.score is None else f"score {checked.score:.2f}"
    accuracy = "no accuracy" if checked.accuracy is None else f"accuracy {checked.accuracy:.2f}"
    return f"{score}, {accuracy}" + (f" ({checked.reason})" if checked.reason else "")


def _sentence(sentence: CheckedSentence) -> str:
    claims = "".join(_claim(claim) for claim in sentence.claims)
    return f'<div class="sentence"><p>{escape(sentence.text)}</p>\n{claims}</div>\n'


def _claim(claim: Claim) -> str:
    note = f" – {escape(claim.reason)}" if claim.reason else ""
    text = f"{escape(claim.text)} <small>{claim.verdict.value} {claim.probability:.2f}{note}</small>"
    style = f'style="background: rgba({_COLOURS[claim.verdict]}, .18)"'
    if claim.evidence is None:
        return f'<span class="claim" {style}>{text}</span>\n'
    return f'<a class="claim" {style} href="#s{claim.evidence}">{text}</a>\n'


def _boxed(verdict: Verdict, text: str) -> str:
    return f'<span class="kind" style="background: rgba({_COLOURS[verdict]}, .18)">{text}</span>'
