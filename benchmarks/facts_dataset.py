"""`tupelo facts dataset` on every engine and from dumps of every kind: the same examples, how fast, and after a kill.

    python -m benchmarks.facts_dataset --data DATA [--copies 1] [--items 200000] [--no-cluster] [--json]

The 500 documents of Re-DocRED are the articles (with `--copies` several times, the title numbered) and their facts
the knowledge base. Both are written as dumps: MediaWiki XML (bz2) with Wikidata JSON (gzip), JSON lines with
N-Triples, JSON lines with TSV. Engines: local with two processes, Spark `local[2]`, and a standalone Spark cluster
with two workers on loopback, all from the XML: these must give the same examples, and so must the run with a kill,
which ends its process without warning after a third of the articles and is then repeated. The other kinds of dumps
give nearly the same: wiki markup loses some marks of the text, and a table has dates where Wikidata's items have
names. `--items` is the size of an invented Wikidata dump that is only read.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.sax.saxutils import escape

from benchmarks.spark_cluster import cluster, small_data_settings

KINDS = ("classifier", "end_to_end", "reduced")


def articles_and_facts(data: Path, copies: int) -> tuple[list[tuple[str, str]], list[tuple[str, str, str]]]:
    """Title and text; subject, property and object. A fact counts where its subject is the title."""
    with gzip.open(data / "redocred" / "dev_revised.json.gz", "rt", encoding="utf-8") as stream:
        documents = json.load(stream)
    articles: list[tuple[str, str]] = []
    facts: list[tuple[str, str, str]] = []
    for copy in range(copies):
        for item in documents:
            names = [entity[0]["name"] for entity in item["vertexSet"]]
            title = item["title"] if not copy else f"{item['title']} ({copy})"
            text = " ".join(" ".join(words) for words in item["sents"])
            # Several documents may have one title; the first is the article.
            if all(title != other for other, _ in articles[-len(documents) :]):
                articles.append((title, text))
                facts += [
                    (title, label["r"], names[label["t"]])
                    for label in item["labels"]
                    if names[label["h"]] == item["title"] and names[label["t"]] != item["title"]
                ]
    return articles, sorted(set(facts))


def write_dumps(
    folder: Path, articles: list[tuple[str, str]], facts: list[tuple[str, str, str]]
) -> dict[str, tuple[Path, Path]]:
    """Files of articles and of knowledge, by kind."""
    folder.mkdir()
    pages = "".join(
        f"<page><title>{escape(title)}</title><ns>0</ns><id>{number}</id><revision><text>{escape(text)}</text>"
        "</revision></page>\n"
        for number, (title, text) in enumerate(articles)
    )
    xml, lines = folder / "articles.xml.bz2", folder / "articles.jsonl"
    xml.write_bytes(bz2.compress(f"<mediawiki>\n{pages}</mediawiki>\n".encode()))
    lines.write_text(
        "".join(json.dumps({"title": title, "text": text}) + "\n" for title, text in articles), encoding="utf-8"
    )
    items, triples, table = folder / "items.json.gz", folder / "facts.nt", folder / "facts.tsv"
    items.write_bytes(gzip.compress("".join(wikidata(facts)).encode()))
    triples.write_text("".join(ntriples(facts)), encoding="utf-8")
    table.write_text("".join("\t".join(fact) + "\n" for fact in facts), encoding="utf-8")
    return {"xml, wikidata": (xml, items), "jsonl, n-triples": (lines, triples), "jsonl, tsv": (lines, table)}


def wikidata(facts: list[tuple[str, str, str]]) -> Iterator[str]:
    names = dict.fromkeys(name for subject, _, object_ in facts for name in (subject, object_))
    numbers = {name: f"Q{number}" for number, name in enumerate(names, start=1)}
    claims: dict[str, dict[str, list[Any]]] = {}
    for subject, property_, object_ in facts:
        value = {"entity-type": "item", "id": numbers[object_]}
        snak = {"snaktype": "value", "datavalue": {"value": value}}
        claims.setdefault(subject, {}).setdefault(property_, []).append({"rank": "normal", "mainsnak": snak})
    yield "[\n"
    for place, (name, number) in enumerate(numbers.items(), start=1):
        item = {"id": number, "labels": {"en": {"value": name}}, "claims": claims.get(name, {})}
        yield json.dumps(item) + (",\n" if place < len(numbers) else "\n")
    yield "]\n"


def ntriples(facts: list[tuple[str, str, str]]) -> Iterator[str]:
    def thing(name: str) -> str:
        return f"<http://example.org/{quote(name, safe='')}>"

    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    for name in dict.fromkeys(name for subject, _, object_ in facts for name in (subject, object_)):
        yield f"{thing(name)} {label} {json.dumps(name)}@en .\n"
    for subject, property_, object_ in facts:
        yield f"{thing(subject)} <http://example.org/{property_}> {thing(object_)} .\n"


def command(articles: Path, knowledge: Path, output: Path, *more: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "tupelo",
        "facts",
        "dataset",
        str(articles),
        "--knowledge",
        str(knowledge),
        "-o",
        str(output),
        "--json",
        *more,
    ]


def run(label: str, output: Path, articles: Path, knowledge: Path, *more: str) -> dict[str, Any]:
    started, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command(articles, knowledge, output, *more), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{label}: exit {done.returncode}: {done.stderr[-2000:]}")
    seconds, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    made = json.loads(done.stdout)
    examples = made["positive"] + made["negative"] + 2 * made["end_to_end"]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    figures = {
        "run": label,
        "seconds": round(seconds, 1),
        "cpu_seconds": round(cpu, 1),
        "articles": made["articles"],
        "sentences": made["sentences"],
        "examples": examples,
        "articles_per_second": round(made["articles"] / seconds, 1),
        "examples_per_second": round(examples / seconds, 1),
        "digest": digest(output),
    }
    print(json.dumps(figures), file=sys.stderr, flush=True)
    return figures


def digest(output: Path) -> str:
    """Of what the examples say; the name of the file that an article came from is left out."""
    whole = hashlib.sha256()
    for kind in KINDS:
        for line in gzip.decompress((output / f"{kind}.jsonl.gz").read_bytes()).decode().splitlines():
            row = json.loads(line)
            del row["article"]
            whole.update(json.dumps(row, sort_keys=True).encode())
    return whole.hexdigest()[:12]


def killed(folder: Path, articles: Path, knowledge: Path, parts: int) -> dict[str, Any]:
    """Kill a run when so many parts of the supervision are done, and run it again."""
    output = folder / "killed"
    process = subprocess.Popen(
        command(articles, knowledge, output, "--workers", "2"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    done = folder / ".killed.work" / "supervise-1"
    while len(list(done.glob("*.json"))) < parts and process.poll() is None:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    left = len(list(done.glob("*.json")))
    return {**run("after a kill", output, articles, knowledge, "--workers", "2"), "parts_before_the_kill": left}


def reading(folder: Path, items: int) -> dict[str, Any]:
    """How fast an invented Wikidata dump is read: so many items with a label, an alias and two facts each."""
    from tupelo.engine import open_engine
    from tupelo.io.workspace import FolderWorkspace
    from tupelo_training.facts.knowledge_stage import ReadKnowledge, partition_knowledge

    path = folder / "large.json"
    with path.open("w", encoding="utf-8") as stream:
        stream.write("[\n")
        for number in range(items):
            values = {
                "P19": {"entity-type": "item", "id": f"Q{number // 2}"},
                "P569": {"time": "+1970-05-05T00:00:00Z", "precision": 11},
            }
            claims = {
                name: [{"rank": "normal", "mainsnak": {"snaktype": "value", "datavalue": {"value": value}}}]
                for name, value in values.items()
            }
            item = {
                "id": f"Q{number}",
                "labels": {"en": {"value": f"Thing {number}"}, "de": {"value": f"Ding {number}"}},
                "aliases": {"en": [{"value": f"T{number}"}]},
                "claims": claims,
            }
            stream.write(json.dumps(item) + (",\n" if number + 1 < items else "\n]\n"))
    engine = open_engine("local", FolderWorkspace(str(folder / "reading")), workers=2)
    started = time.monotonic()
    table = engine.run(ReadKnowledge(), partition_knowledge([str(path)]), None)
    seconds = time.monotonic() - started
    engine.close()
    rows = sum(part.rows for part in table.parts)
    return {
        "items": items,
        "megabytes": round(path.stat().st_size / 1e6, 1),
        "rows": rows,
        "seconds": round(seconds, 1),
        "items_per_second": round(items / seconds),
        "rows_per_second": round(rows / seconds),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--items", type=int, default=200_000)
    parser.add_argument("--no-cluster", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    articles, facts = articles_and_facts(options.data, options.copies)
    with tempfile.TemporaryDirectory(prefix="tupelo-facts-") as name:
        folder = Path(name)
        small_data_settings(folder / "settings")
        dumps = write_dumps(folder / "dumps", articles, facts)
        first = dumps["xml, wikidata"]
        rows = [
            run(f"local, {kind}", folder / f"local {number}", *files, "--workers", "2")
            for number, (kind, files) in enumerate(dumps.items())
        ]
        rows.append(killed(folder, *first, parts=max(1, len(articles) // 60)))
        rows.append(run("Spark local[2]", folder / "threads", *first, "--engine", "local[2]"))
        if not options.no_cluster:
            with cluster(folder / "cluster") as made:
                rows.append(
                    run("Spark cluster, two workers", folder / "cluster-made", *first, "--engine", made.address)
                )
        read = reading(folder, options.items) if options.items else None
    same = len({row["digest"] for row in rows if "jsonl" not in row["run"]}) == 1
    report = {"articles": len(articles), "facts": len(facts), "runs": rows, "reading": read, "same": same}
    if options.json:
        print(json.dumps(report, indent=2))
    else:
        agreement = "the same examples" if same else "NOT the same examples"
        print(f"{len(articles)} articles, {len(facts)} facts; {agreement} on every engine")
        for row in rows:
            print("  " + "  ".join(f"{key} {value}" for key, value in row.items()))
        if read:
            print("  reading: " + "  ".join(f"{key} {value}" for key, value in read.items()))
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
