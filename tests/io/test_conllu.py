from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.core import Analysis, Entity, FormatError, InputError, Word
from tupelo.io import conllu
from tupelo.io.lines import Lines

DO_NOT_GO = """\
# newdoc id = letters
# sent_id = letters-1
# text = They don't go.
1\tThey\tthey\tPRON\tPRP\tCase=Nom|Number=Plur\t4\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\tVBP\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\tPolarity=Neg\t4\tadvmod\t_\t_
4\tgo\tgo\tVERB\tVB\tVerbForm=Inf\t0\troot\t_\tSpaceAfter=No
5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

"""


def read(text: str) -> list[Analysis]:
    return list(conllu.read(Lines(text.splitlines(keepends=True), "letters.conllu")))


def test_words_have_offsets_heads_and_contractions() -> None:
    (analysis,) = read(DO_NOT_GO)
    assert [analysis.text[word.start : word.end] for word in analysis.words] == ["They", "do", "n't", "go", "."]
    assert [word.head for word in analysis.words] == [3, 3, 3, None, 3]
    assert analysis.contractions == ((1, 3),)
    assert (analysis.id, analysis.document_id, analysis.root) == ("letters-1", "letters", 3)
    assert analysis.words[0].feature("Case") == "Nom"
    assert analysis.words[3].feats == "VerbForm=Inf"
    assert analysis.words[1].feats == ""


def test_what_is_written_is_what_was_read() -> None:
    assert "".join(conllu.write(read(DO_NOT_GO))) == DO_NOT_GO


def test_text_is_put_together_when_the_file_has_none() -> None:
    without = DO_NOT_GO.replace("# text = They don't go.\n", "")
    assert read(without)[0].text == "They don't go."


def test_text_that_does_not_fit_the_words_is_not_trusted() -> None:
    assert read(DO_NOT_GO.replace("# text = They don't go.", "# text = Others left."))[0].text == "They don't go."


def test_words_that_a_token_does_not_spell_out_all_cover_it() -> None:
    french = (
        "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\t_\t_\t0\troot\t_\t_\n2\tle\tle\tDET\t_\t_\t1\tdet\t_\t_\n\n"
    )
    (analysis,) = read(french)
    assert [(word.start, word.end) for word in analysis.words] == [(0, 2), (0, 2)]


def test_empty_nodes_are_read_over() -> None:
    assert len(read(DO_NOT_GO.replace("5\t.", "4.1\tgone\t_\t_\t_\t_\t_\t_\t_\t_\n5\t."))[0].words) == 5


def test_entities_travel_in_the_last_column() -> None:
    words = tuple(Word(form, start, start + 3) for form, start in (("Ann", 0), ("Lee", 4), ("met", 8), ("Bob", 12)))
    entities = (Entity("person", 0, 2), Entity("person", 3, 4))
    analysis = Analysis("Ann Lee met Bob", words, entities=entities)
    text = "".join(conllu.write([analysis]))
    assert "Entity=(person\n" in text
    assert "Entity=person)\n" in text
    assert read(text)[0].entities == entities


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (("4\tgo\tgo\tVERB", "4\tgo\tVERB"), r"letters\.conllu:8: 9 column\(s\), expected ten columns"),
        (("4\tgo", "7\tgo"), r"letters\.conllu:8: ID '7', expected 4"),
        (("\t0\troot", "\t9\troot"), r"letters\.conllu:8: HEAD '9', expected 0 for the root"),
        (("\t0\troot", "\tx\troot"), r"letters\.conllu:8: HEAD 'x'"),
        (
            ("2-3\tdon't", "2-9\tdon't"),
            r"letters\.conllu:9: the token \"don't\" reaches to ID 9, expected an ID up to 5",
        ),
        (("2-3\tdon't", "1-x\tdon't"), r"letters\.conllu:5: ID '1-x'"),
        (("4\tgo\t", "4\t\t"), r"letters\.conllu:8: an empty FORM"),
    ],
)
def test_a_faulty_line_is_named(damage: tuple[str, str], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(DO_NOT_GO.replace(*damage))


def test_a_faulty_sentence_is_skipped_and_the_next_one_is_read() -> None:
    faults: list[FormatError] = []
    lines = Lines(
        (DO_NOT_GO.replace("\t0\troot", "\t9\troot") + DO_NOT_GO).splitlines(keepends=True), "x", faults.append
    )
    assert len(list(conllu.read(lines))) == 1
    assert len(faults) == 1


def test_paragraphs_give_the_raw_text_and_where_sentences_end() -> None:
    text = (
        "# newpar\n# text = Go.\n1\tGo\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No\n2\t.\t_\t_\t_\t_\t1\tpunct\t_\t_\n\n"
    )
    follow = text.replace("# newpar\n", "")
    assert list(conllu.paragraphs(Lines((text + follow + text).splitlines(keepends=True)))) == [
        ("Go. Go.", (3, 7)),
        ("Go.", (3,)),
    ]


def test_a_text_in_parts_is_the_same_as_in_one() -> None:
    parser = conllu.ConlluParser()
    parts = [DO_NOT_GO[start : start + 7] for start in range(0, len(DO_NOT_GO), 7)]
    assert list(parser.analyze(parts)) == list(parser.analyze(DO_NOT_GO)) == read(DO_NOT_GO)
    with pytest.raises(InputError, match="expected just 'conllu'"):
        conllu.ConlluParser("en")


cell = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=6).filter(
    lambda form: form != "_" and form == form.strip()
)


@given(st.lists(st.tuples(cell, cell, st.booleans()), min_size=1, max_size=8), st.data())
def test_reading_gives_back_what_was_written(rows: list[tuple[str, str, bool]], data: st.DataObject) -> None:
    text, words = "", []
    root = data.draw(st.integers(0, len(rows) - 1))
    for index, (form, lemma, glued) in enumerate(rows):
        head = None if index == root else root
        deprel = "root" if index == root else "dep"
        words.append(Word(form, len(text), len(text) + len(form), lemma, "X", "XX", "", head, deprel))
        text += form if glued or index == len(rows) - 1 else form + " "
    analysis = Analysis(text, tuple(words))
    assert read("".join(conllu.write([analysis]))) == [analysis]
