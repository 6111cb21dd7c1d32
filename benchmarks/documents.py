"""Documents as people have them: is the content kept, the boilerplate left out, and are the facts found?

`documents_set` has 200 documents of ten kinds with marked blocks and facts. A block of the content is kept if most of
its words are in the document's text, three in a row each; boilerplate is kept out if they are not. A fact is found if
a tuple has half the words of its subject, three in five of its object, and half of all its words; where a fact is
told in a line or a row, the tuple is from a sentence that shares words with its quotation.
Forms and thresholds were chosen on the documents with odd numbers and on `fresh.txt`, documents of the same kinds in
other styles that were written with their facts later; the figures are those of the others. Three further sources by
other writers: `further` (24) and `later` (56) to develop with, `unseen` (24) only to measure.

    python -m benchmarks.documents [--split held|develop|…] [--kind KIND] [--show]
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tupelo
from benchmarks import results
from tupelo.core import Extraction, SentenceTuples
from tupelo.core.document import Document
from tupelo.nlp.languages import word_set

HERE = Path(__file__).parent / "documents_set"
# Columns of the table: names of figures and their headings.
COLUMNS = {
    "documents": "documents",
    "content_kept": "content kept, %",
    "boilerplate_out": "boilerplate out, %",
    "plain_facts": "facts without sentences",
    "plain_found": "of these found, %",
    "who_found": "facts of I, we, you found, %",
    "prose_found": "facts of prose found, %",
    "reading_share": "reading, % of extraction",
}
# Sources of documents that are written when they are read.
SOURCES = ("further", "later", "latest", "apart", "unseen")
KINDS = [
    "web_pages",
    "mails",
    "minutes",
    "cvs",
    "price_lists",
    "pdf_reports",
    "word_files",
    "faqs",
    "chat_logs",
    "notebooks",
]
# Facts that are told without sentences.
PLAIN = frozenset(["table", "label", "list", "cv", "faq", "heading"])
_WORDS = re.compile(r"\w+")
# Marks of lists, comments and times of subtitles, which the marks of blocks have and a document may lack.
_MARKS = re.compile(
    r"(?:^|(?<=\s))(?:\d{1,2}[.)]|[-*•]|#+)(?=\s)|<!--.*?-->|[*`_]|\[edit\]|(?:\d+\s+)?[\d:.,]+ --> [\d:.,]+",
    re.MULTILINE,
)
# Who speaks, and when, before the words of a turn.
_SPEAKER = re.compile(
    r"^(?:\d+\s+)?(?:[\d:.,]+ --> [\d:.,]+\s*)?"
    r"(?:<v[^>]*>|[^\W\d_][\w .'’()-]{0,40}(?:[:>]|  ?\d{1,2}:\d\d(?: [AP]M)?)\s)?"
)
_STOP = word_set("the a an of in on at to for and is are was were has have had by with from as be it its")


def words(text: str) -> list[str]:
    return _WORDS.findall(text.casefold())


def content_words(text: str) -> list[str]:
    found = words(text)
    return [word for word in found if word not in _STOP] or found


def is_in(block: str, text: str) -> bool:
    """Whether the words of a marked block are in a text, in order and close together, but for one in five."""
    wanted = words(_MARKS.sub(" ", block))
    if not wanted:
        return True
    squeezed = " ".join(words(_MARKS.sub(" ", text)))
    joined = " ".join(wanted)
    if joined in squeezed:
        return True
    # Runs of three words, so that other marks between cells or lines do no harm.
    runs = [" ".join(wanted[place : place + 3]) for place in range(max(1, len(wanted) - 2))]
    return sum(run in squeezed for run in runs) >= 0.8 * len(runs)


def overlap(wanted: list[str], found: set[str]) -> float:
    hits = sum(word in found or word.rstrip("s") in found or f"{word}s" in found for word in wanted)
    return hits / len(wanted) if wanted else 1.0


def shown(document: Document) -> str:
    """The title and the blocks of a document; in plain text a block has the start of its line, such as a speaker."""
    text = document.text
    starts = (text.rfind("\n", 0, block.start) + 1 for block in document.blocks)
    lines = []
    speaker = None
    for block, start in zip(document.blocks, starts, strict=True):
        said_by = block.speaker if block.kind == "turn" and block.speaker != speaker else None
        lines.append(f"{said_by or ''} {text[start : block.end]}")
        speaker = block.speaker
    return "\n".join([document.title or "", *lines])


def matches(fact: dict[str, Any], extraction: Extraction) -> bool:
    """Whether a tuple has the words of a fact, in a sentence that has words of its quotation."""
    subject, wanted, relation = (content_words(fact[name]) for name in ("subject", "object", "relation"))
    parts = " ".join(f"{part.text} {part.resolved or ''}" for part in extraction.arguments)
    found = set(words(f"{parts} {extraction.rel.text}"))
    if overlap(wanted, found) < 0.6 or overlap(subject, found) < 0.5:
        return False
    place = set(words(extraction.sentence.text))
    return overlap([*subject, *wanted, *relation], found) >= 0.5 and bool(place & set(words(fact["quote"])))


def marked_documents(split: str, kind: str, folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The files of a kind with their marks; those of `fresh.txt` and of further sources are written to the folder."""
    if split in SOURCES:
        make = importlib.import_module("benchmarks.documents_set.make")
        source = HERE / "source" / split / f"{kind}.txt"
        for document in make.parse(source) if source.exists() else ():
            path = folder / f"{kind}-{document.file}"
            make.write(document, path)
            yield path, make.marks(document, f"{split}/{kind}/{document.file}")
        return
    if split != "fresh":
        for line in (HERE / f"{kind}.jsonl").read_text("utf-8").splitlines():
            marked = json.loads(line)
            if split in (marked["split"], "all"):
                yield HERE / marked["file"], marked
        return
    for document in (HERE / "fresh.txt").read_text("utf-8").removeprefix("=== ").split("\n=== "):
        name, _, rest = document.partition("\n")
        if name.startswith(f"{kind}/"):
            facts = [_fact(line) for line in rest.split("\n") if line.startswith("@f ")]
            path = folder / Path(name).name
            path.write_text("\n".join(line for line in rest.split("\n") if not line.startswith("@f ")), "utf-8")
            yield path, {"file": name, "blocks": [], "facts": facts}


def _fact(line: str) -> dict[str, Any]:
    """A fact of `fresh.txt`: `@f [who] subject ; relation ; object << quotation`."""
    said, _, quote = line.removeprefix("@f ").partition(" << ")
    who = said.startswith("who ")
    subject, relation, wanted = said.removeprefix("who ").split(" ; ")
    return {"subject": subject, "relation": relation, "object": wanted, "quote": quote, "from": "label", "who": who}


def measure(split: str, kinds: list[str], show: bool) -> dict[str, Any]:
    nlp = tupelo.load()
    list(nlp.extract_sentences("Ann left."))
    table: dict[str, Counter[str]] = {}
    by_from: dict[str, Counter[str]] = {}
    folder = tempfile.TemporaryDirectory()
    for kind in kinds:
        counts = table.setdefault(kind, Counter())
        for path, marked in marked_documents(split, kind, Path(folder.name)):
            started = time.process_time()
            read = tupelo.documents.read(path)
            counts["reading_ms"] += round(1000 * (time.process_time() - started))
            started = time.process_time()
            found: list[SentenceTuples] = [
                one for document in read for one in nlp.extract_sentences(document.passages())
            ]
            counts["extraction_ms"] += round(1000 * (time.process_time() - started))
            counts["documents"] += 1
            tuples = [one for sentence in found for one in sentence.extractions]
            counts["structured_tuples"] += sum(one.extractor == "structure" for one in tuples)
            whole = "\n".join(map(shown, read))
            for block in marked["blocks"]:
                marked_text = _SPEAKER.sub("", block["text"]) if block["kind"] == "turn" else block["text"]
                inside = is_in(marked_text, whole)
                name = "content" if block["keep"] else "boilerplate"
                counts[name] += 1
                counts[f"{name}_right"] += inside == block["keep"]
                if show and inside != block["keep"]:
                    print(
                        f"{marked['file']}: {'LOST' if block['keep'] else 'KEPT'} {block['kind']}: {block['text']!r}"
                    )
            for fact in marked["facts"]:
                hit = any(matches(fact, one) for one in tuples)
                group = "who" if fact.get("who") else "plain" if fact["from"] in PLAIN else "prose"
                counts[f"{group}_facts"] += 1
                counts[f"{group}_found"] += hit
                own = by_from.setdefault(fact["from"], Counter())
                own["facts"] += 1
                own["found"] += hit
                if show and not hit:
                    quote = fact["quote"].replace("\n", " / ")
                    said = f"({fact['subject']}; {fact['relation']}; {fact['object']})"
                    print(f"{marked['file']}: MISSED {fact['from']}: {said} in {quote!r}")
    total: Counter[str] = sum(table.values(), Counter())
    return {
        "split": split,
        "total": _shares(total),
        "kinds": {kind: _shares(counts) for kind, counts in table.items()},
        "facts": {name: dict(counts) for name, counts in sorted(by_from.items())},
    }


def _shares(counts: Counter[str]) -> dict[str, Any]:
    def share(part: str, whole: str) -> float | None:
        return round(100 * counts[part] / counts[whole], 1) if counts[whole] else None

    return {
        "documents": counts["documents"],
        "content_kept": share("content_right", "content"),
        "boilerplate_out": share("boilerplate_right", "boilerplate"),
        "plain_facts": counts["plain_facts"],
        "plain_found": share("plain_found", "plain_facts"),
        "who_found": share("who_found", "who_facts"),
        "prose_found": share("prose_found", "prose_facts"),
        "structured_tuples": counts["structured_tuples"],
        "reading_share": round(100 * counts["reading_ms"] / max(1, counts["extraction_ms"]), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", choices=("develop", "held", "all", "fresh", *SOURCES), default="held")
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--show", action="store_true", help="list errors; never for the held documents")
    results.add_save_option(parser)
    given = parser.parse_args()
    if given.show and given.split not in ("develop", "fresh", "further", "later", "latest"):
        parser.error("single errors of held and unseen documents are not looked at")
    figures = measure(given.split, given.kind or list(KINDS), given.show)
    print(json.dumps(figures, indent=1))
    if given.save:
        rows = [*figures["kinds"].items(), ("all", figures["total"])]
        table = [[name.replace("_", " "), *(shares[column] for column in COLUMNS)] for name, shares in rows]
        results.save(f"documents-{given.split}", ["kind", *COLUMNS.values()], table)


if __name__ == "__main__":
    main()
