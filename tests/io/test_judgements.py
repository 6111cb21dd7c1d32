"""Readers of generated texts with judgements: what each collection says, and what is wrong with a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tupelo.core import TupeloError
from tupelo.io.judgements import read_judgements, read_scores

pytestmark = pytest.mark.model


def written(folder: Path, content: str) -> str:
    path = folder / "input"
    path.write_text(content, encoding="utf-8")
    return str(path)


def answers(*given: str) -> list[dict[str, object]]:
    return [{"worker_id": number, "response": response} for number, response in enumerate(given)]


def test_qags_takes_the_majority_of_each_sentence(tmp_path: Path) -> None:
    item = {
        "article": "Rain fell.",
        "summary_sentences": [
            {"sentence": "It rained.", "responses": answers("yes", "no", "yes")},
            {"sentence": "It snowed.", "responses": answers("no", "no", "yes")},
        ],
    }
    (text,), checksum = read_judgements(written(tmp_path, json.dumps(item) + "\n"), "qags")
    assert (text.id, text.score, text.label, text.source) == ("0", 0.5, False, "Rain fell.")
    assert text.sentences == ("It rained.", "It snowed.")
    assert len(checksum) == 64


def test_xsum_asks_every_person_once(tmp_path: Path) -> None:
    rows = [
        "bbcid,system,summary,hallucination_type,hallucinated_span,hallucinated_span_start,hallucinated_span_end,worker_id",
        '7,Gold,"a storm, they say",extrinsic,a storm,1,8,w0',
        '7,Gold,"a storm, they say",intrinsic,say,10,13,w0',
        '7,Gold,"a storm, they say",NULL,NULL,-1,-1,w1',
        '7,Gold,"a storm, they say",NULL,NULL,-1,-1,w2',
    ]
    (text,), _ = read_judgements(written(tmp_path, "\n".join(rows) + "\n"), "xsum-faithful")
    assert (text.id, text.system, text.generated) == ("7:Gold", "Gold", "a storm, they say")
    assert text.score == pytest.approx(2 / 3)
    assert text.label is True


def test_xsum_factual(tmp_path: Path) -> None:
    content = "bbcid,system,summary,is_factual,worker_id\n7,PtGen,a,no,w0\n7,PtGen,a,yes,w1\n"
    (text,), _ = read_judgements(written(tmp_path, content), "xsum-factual")
    assert (text.score, text.label) == (0.5, False)


def test_frank_names_the_errors(tmp_path: Path) -> None:
    item = {"hash": "ab", "model_name": "bart", "dataset": "cnndm", "Factuality": 0.5, "EntE": 0.5, "RelE": 1.0}
    (text,), _ = read_judgements(written(tmp_path, json.dumps([item])), "frank")
    assert (text.id, text.score, text.error_types) == ("ab:bart", 0.5, ("EntE",))


def test_aggrefact_joins_the_rows_of_a_summary(tmp_path: Path) -> None:
    content = (
        "dataset,id,model_name,label,error_type,summ,doc\n"
        "frank,9,BART,0,['intrinsic-predicate'],\"two\nlines\",\n"
        "frank,9,BART,0,\"['extrinsic-noun_phrase', 'intrinsic-predicate']\",\"two\nlines\",\n"
    )
    (text,), _ = read_judgements(written(tmp_path, content), "aggrefact")
    assert text.error_types == ("intrinsic-predicate", "extrinsic-noun_phrase")
    assert (text.label, text.generated, text.source) == (False, "two\nlines", None)


@pytest.mark.parametrize(
    ("format_name", "content", "message"),
    [
        ("pairs", '{"source": "a"}', "input:1: no text under any of generated, response, answer, output"),
        ("pairs", "[]", "input:1: a JSON list, expected one JSON object a line"),
        ("pairs", '\n{"source": "a"', "input:2: not JSON (Expecting ',' delimiter), expected one JSON object a line"),
        (
            "pairs",
            '{"source": "a", "generated": "b", "score": "x"}',
            "input:1: score 'x', expected a number, or none",
        ),
        (
            "pairs",
            '{"source": "a", "generated": "b", "label": 2}',
            "input:1: label 2, expected true, false, 1, 0, supported or unsupported, or none",
        ),
        ("pairs", '{"id": 1, "source": "a", "generated": "b"}\n' * 2, "two texts with the id '1', expected one each"),
        ("qags", '{"article": "a"}', "input:1: no summary_sentences, expected a list of sentences with responses"),
        (
            "qags",
            '{"article": "a", "summary_sentences": [{"sentence": "b"}]}',
            "input:1: a sentence without responses, expected yes/no responses",
        ),
        ("frank", "{}", "a JSON dict, expected an array of annotations"),
        ("frank", "[", "input:1: not JSON"),
        ("frank", '[{"hash": "a"}]', "item 0 lacks or spoils"),
        ("xsum-factual", "bbcid,system\n", "input:1: no column summary, is_factual, worker_id"),
        ("xsum-factual", "bbcid,system,summary,is_factual,worker_id\n7,a\n", "input:2: too few fields"),
        (
            "aggrefact",
            "dataset,id,model_name,label,error_type,summ,doc\nf,1,m,2,[],s,d\n",
            "input:2: label '2', expected 0 or 1",
        ),
        ("qag", "", "no format of judgements named 'qag'. Did you mean 'qags'?"),
    ],
)
def test_faulty_files(tmp_path: Path, format_name: str, content: str, message: str) -> None:
    with pytest.raises(TupeloError) as caught:
        read_judgements(written(tmp_path, content), format_name)
    assert message in str(caught.value)


def test_scores_in_both_forms(tmp_path: Path) -> None:
    scores, _ = read_scores(written(tmp_path, 'a\t0.5\n{"id": 7, "score": null}\n\n{"id": "b", "score": 1}\n'))
    assert scores == {"a": 0.5, "7": None, "b": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a\tx\n", "input:1: score 'x', expected a number"),
        ("a\t1\na\t2\n", "input:2: a second score for 'a', expected one score a text"),
        ('{"id": 1}\n', 'input:1: no id and score (\'score\'), expected as in {"id": "7", "score": 0.5}'),
        ('{"id": 1, "score": true}\n', "input:1: score True, expected a number, or null"),
        ('{"id": 1, "score": NaN}\n', "input:1: score nan, expected a number, or null"),
    ],
)
def test_faulty_scores(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(TupeloError) as caught:
        read_scores(written(tmp_path, content))
    assert message in str(caught.value)
