"""The business corpus: its marks agree with its documents, and its verifier finds marks that do not."""

from benchmarks.business import make, verify


def test_marks_agree_with_the_documents():
    assert verify.find_faults() == []


def test_a_shifted_mention_is_found():
    mention = {"doc": "a.txt", "text": "Orlo", "start": 1, "end": 5}
    assert len(list(verify.wrong_quotes("entities.jsonl", [mention], {"a.txt": "Orlo sells."}, "text"))) == 1


def test_names_and_marked_pronouns_become_mentions_with_exact_offsets():
    entities = {"orlo": make.Entity("orlo | company | Orlo Ltd | Orlo Ltd; ~Orlo")}
    document = make.Document(
        "a.txt | 2024-01-01 | news | we=orlo", "Orlo Ltd grew. {orlo:It} sold {:Orlo} bags; we ship.", entities
    )
    found = [(document.text[start:end], kind) for start, end, _, kind in document.mentions]
    assert found == [("Orlo Ltd", "name"), ("It", "pronoun"), ("we", "i-we")]
