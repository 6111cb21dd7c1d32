"""Raw sentences with the entities that our own parser finds: what a larger network labels for the shipped one.

python -m tupelo_training.facts.silver --data DATA --output silver.jsonl
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tupelo.core import Analysis
from tupelo.facts.entities import CLASSIFIER_TYPES, find_entities
from tupelo_training.facts.sources import Document, _json, _json_lines, _words, part_of, redocred
from tupelo_training.options import option_parser

LONGEST = 120


def sentences(folder: Path) -> Iterator[str]:
    """Tokenized sentences of FewRel and KnowledgeNet, words separated by spaces, each once."""
    seen = set()
    for name in ("val_wiki", "val_nyt"):
        for items in _json(folder / "fewrel" / f"{name}.json.gz").values():
            for item in items:
                seen.add(" ".join(item["tokens"]))
    for item in _json_lines(folder / "knowledgenet" / "train_folds1-4.jsonl.gz"):
        seen.add(" ".join(word for word, _, _ in _words(item["passageText"])))
    yield from (text for text in sorted(seen) if 5 < text.count(" ") < LONGEST)


def documents(folder: Path) -> Iterator[str]:
    """Whole documents of KnowledgeNet's unlabelled part, the first page of each."""
    for item in _json_lines(folder / "knowledgenet" / "test-no-facts.jsonl.gz"):
        yield item["documentText"][:2200]


def document_of(analyses: list[Analysis], title: str = "") -> Document:
    """Words and entities as the parser sees them."""
    document = Document("silver", title, [[word.text for word in one.words] for one in analyses])
    first = [0]
    for one in analyses:
        first.append(first[-1] + len(one.words))
    for number, entity in enumerate(find_entities(analyses)):
        document.types.append(CLASSIFIER_TYPES[entity.label])
        document.mentions += [
            (first[mention.sentence] + mention.start, first[mention.sentence] + mention.end, number)
            for mention in entity.mentions
            if not mention.pronoun
        ]
    return document


def main() -> None:
    import tupelo

    parser = option_parser(__doc__, "data", "output")
    parser.add_argument("--most", type=int, default=0)
    given = parser.parse_args()
    nlp = tupelo.load(threads=1)
    texts = list(sentences(given.data))
    texts = texts[:: max(1, len(texts) // given.most) if given.most else 1]
    with given.output.open("w", encoding="utf-8") as stream:
        # Documents of Re-DocRED with predicted entities: the training part alone.
        for document in redocred(given.data):
            if part_of(document.title) == "train":
                analyses = list(
                    nlp.analyze([" ".join(s) for s in document.sentences], pretokenized=True, constituents=False)
                )
                stream.write(_line(document_of(analyses, document.title)))
        for text in list(documents(given.data))[: given.most // 8 or None]:
            document = document_of(list(nlp.analyze(text, constituents=False)))
            if len(document.types) > 1:
                stream.write(_line(document))
        for analysis in nlp.analyze(texts, pretokenized=True, constituents=False):
            document = document_of([analysis])
            if len(document.types) > 1:
                stream.write(_line(document))


def _line(document: Document) -> str:
    parts = {"title": document.title, "sentences": document.sentences, "types": document.types}
    return json.dumps({**parts, "mentions": document.mentions}, ensure_ascii=False) + "\n"


def read_silver(path: Path) -> Iterator[Document]:
    with path.open(encoding="utf-8") as stream:
        for line in stream:
            item = json.loads(line)
            yield Document("silver", "", item["sentences"], item["types"], [tuple(m) for m in item["mentions"]])


if __name__ == "__main__":
    main()
