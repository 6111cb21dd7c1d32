from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.core import Analysis, Entity, FormatError, InputError, Mention, Word
from tupelo.core.analysis import MENTION_TYPES
from tupelo.io import conllu
from tupelo.io.analyses import read_analyses
from tupelo.io.lines import Lines
from tupelo_training.parser.paragraphs import paragraphs

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


COREFUD = """\
# newdoc id = mill
# global.Entity = eid-etype-head-other
# sent_id = mill-1
# text = Nora sold her boat
1\tNora\t_\tPROPN\t_\t_\t2\tnsubj\t_\tEntity=(e1-person-1-)|Name=(person)
2\tsold\t_\tVERB\t_\t_\t0\troot\t_\t_
3\ther\t_\tPRON\t_\t_\t4\tnmod:poss\t_\tEntity=(e2-object-2-(e1-person-1-)
4\tboat\t_\tNOUN\t_\t_\t2\tobj\t_\tEntity=e2)

"""
# The fields of GUM, with several documents, nesting and a minimal span of several words.
GUM = """\
# newdoc id = one
# global.Entity = GRP-etype-infstat-salience-centering-minspan-link-identity
# text = Ada King of Kent met Bo .
1\tAda\t_\tPROPN\t_\t_\t5\tnsubj\t_\tEntity=(7-person-new-nnnnn-cf1-1,2-coref-Ada_King(9-person-new-nnnnn-cf1-1-sgl
2\tKing\t_\tPROPN\t_\t_\t1\tflat\t_\tEntity=9)
3\tof\t_\tADP\t_\t_\t4\tcase\t_\t_
4\tKent\t_\tPROPN\t_\t_\t1\tnmod\t_\tEntity=(4-place-new-nnnnn-cf1-1-sgl)7)
5\tmet\t_\tVERB\t_\t_\t0\troot\t_\t_
6\tBo\t_\tPROPN\t_\t_\t5\tobj\t_\tEntity=(1-person-new-nnnnn-cf1-1-sgl)
7\t.\t_\tPUNCT\t_\t_\t5\tpunct\t_\t_

# newdoc id = two
# text = Bo left
1\tBo\t_\tPROPN\t_\t_\t2\tnsubj\t_\tEntity=(7-person-new-nnnnn-cf1-1-sgl)
2\tleft\t_\tVERB\t_\t_\t0\troot\t_\t_

"""


def test_mentions_take_the_place_of_names_which_move() -> None:
    (analysis,) = read(COREFUD)
    assert analysis.mentions == (
        Mention(0, 0, 1, 0, "person"),
        Mention(1, 2, 4, 3, "object"),
        Mention(0, 2, 3, 2, "person"),
    )
    assert analysis.entities == (Entity("person", 0, 1),)
    assert "".join(conllu.write([analysis])) == COREFUD


def test_a_sentence_without_mentions_is_known_to_have_none() -> None:
    follow = "# text = Go\n1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    assert [analysis.mentions for analysis in read(follow + COREFUD + follow)][::2] == [None, ()]


def test_fields_are_read_by_name_and_entities_numbered_by_document() -> None:
    first, second = read(GUM)
    assert [(m.entity, first.phrase(m), first.words[m.head].text, m.label) for m in first.mentions or ()] == [
        (0, "Ada King of Kent", "Ada", "person"),
        (1, "Ada King", "Ada", "person"),
        (2, "Kent", "Kent", "place"),
        (3, "Bo", "Bo", "person"),
    ]
    assert second.mentions == (Mention(0, 0, 1, 0, "person"),)
    assert (first.document_id, second.document_id) == ("one", "two")
    assert read("".join(conllu.write([first, second]))) == [first, second]


def test_documents_without_names_keep_their_entities_apart() -> None:
    found = read(GUM.replace("# newdoc id = one", "# newdoc").replace("# newdoc id = two", "# newdoc"))
    assert [analysis.document_id for analysis in found] == [None, None]
    assert [m.entity for analysis in found for m in analysis.mentions or ()] == [0, 1, 2, 3, 4]


def test_after_a_document_with_a_name_one_without_comes_back() -> None:
    go = Analysis("Go", (Word("Go", 0, 2, feats=""),))
    analyses = [replace(go, document_id="d"), go]
    assert read("".join(conllu.write(analyses))) == analyses


def test_the_parts_of_a_mention_become_one() -> None:
    parts = COREFUD.replace("Entity=(e1-person-1-)|Name=(person)", "Entity=(e3[1/2]-person-1-)")
    parts = parts.replace("Entity=(e2-object-2-(e1-person-1-)", "Entity=(e3[2/2]-person-1-").replace(
        "e2)", "e3[2/2])"
    )
    assert read(parts)[0].mentions == (Mention(0, 0, 4, 1, "person"),)


def test_mentions_of_empty_nodes_alone_are_left_out_and_others_shortened() -> None:
    empty = "1.1\tshe\t_\t_\t_\t_\t_\t_\t_\tEntity=(e5-person-1-)(e6-event-2-\n2\tsold"
    found = read(COREFUD.replace("2\tsold", empty).replace("Entity=(e2", "Entity=e6)(e2"))[0]
    assert found.mentions is not None
    assert Mention(1, 1, 3, 1, "event") in found.mentions
    assert len(found.mentions) == 4


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (("Entity=e2)", "Entity=e2"), r"letters\.conllu:8: Entity=e2, expected brackets such as"),
        (("Entity=e2)", "Entity="), r"letters\.conllu:8: Entity=, expected brackets"),
        (("Entity=e2)", "Entity=e3)"), r"letters\.conllu:8: the end of a mention of 'e3', expected its beginning"),
        (("Entity=e2)", "_"), r"letters\.conllu:7: a mention of 'e2' without an end, expected its end"),
        (("(e2-object-2-", "(e2-object-3-"), r"letters\.conllu:7: head or minspan '3', expected numbers from 1 to 2"),
        (("(e2-object-2-", "(e2-object-x-"), r"letters\.conllu:7: head or minspan 'x'"),
        (("(e2-object-2-", f"(e2-object-{'9' * 5000}-"), r"letters\.conllu:7: head or minspan '999"),
    ],
)
def test_a_faulty_mention_is_named(damage: tuple[str, str], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(COREFUD.replace(*damage))


@pytest.mark.slow
def test_the_mentions_of_gum_are_read(shared: Path) -> None:
    found = read_analyses(shared / "data/gum/gum-dev.conllu.gz")
    assert sum(len(analysis.mentions or ()) for analysis in found) == 7897
    assert all(mention.label in MENTION_TYPES for analysis in found for mention in analysis.mentions or ())
    assert list(conllu.read(Lines("".join(conllu.write(found)).split("\n")))) == found


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
    assert list(paragraphs(Lines((text + follow + text).splitlines(keepends=True)))) == [
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
