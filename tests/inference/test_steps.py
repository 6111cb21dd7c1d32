"""The ten steps: hand-made cases for each, and a slow reference that follows the supplement word by word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.inference.handmade import GOOD, MALFORMED, TOGETHER, line_of
from tests.inference.reference import aggregate, assertion_of, remove_rare_relations
from tupelo.core.assertion import Assertion
from tupelo_training.assertions import steps
from tupelo_training.assertions.lines import Token, line_fault, parse_tokens, tree_fault
from tupelo_training.assertions.stage import extract_block


@pytest.mark.parametrize(("tokens", "count", "expected"), [case[1:] for case in GOOD], ids=[case[0] for case in GOOD])
def test_an_ngram_gives_the_assertion_worked_out_by_hand(tokens, count, expected):
    found = assertion_of(parse_tokens(tokens), count)
    assert found == (None if expected is None else Assertion(*expected, count))


def passes(tokens: tuple[Token, ...]) -> int:
    """The first step that rejects an n-gram, 8 when none does."""
    if not steps.has_pattern(tokens):
        return 2
    if not steps.has_one_subject_and_root(tokens):
        return 3
    subject, object_ = steps.subject_of(tokens), steps.object_of(tokens)
    if not (steps.is_noun_phrase(tokens, subject) and steps.is_noun_phrase(tokens, object_)):
        return 6
    return 8 if steps.relation_of(tokens, subject, object_) is not None else 7


@pytest.mark.parametrize("case", [case for case in GOOD if case[3] is None], ids=lambda case: case[0])
def test_an_ngram_is_rejected_by_the_step_that_is_named(case):
    assert f"step {passes(parse_tokens(case[1]))}:" == case[0][:7]


@pytest.mark.parametrize(("line", "fault"), MALFORMED)
def test_what_is_wrong_with_a_line(line, fault):
    assert line_fault(line) == fault


def test_a_good_line_has_no_fault():
    assert [line_fault(line_of(tokens, count)) for _, tokens, count, _ in GOOD] == [None] * len(GOOD)
    assert line_fault("dogs\tdogs/NNS/nsubj/0\t10") is None


def test_there_are_enough_cases():
    assert len(GOOD) >= 60
    for step in (2, 3, 6, 7):
        assert sum(case[0].startswith(f"step {step}:") and case[3] is None for case in GOOD) >= 2


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("extended-biarcs.00-of-99.gz", True),
        ("/data/eng/extended-quadarcs.98-of-99", True),
        ("extended-triarcs", True),
        ("biarcs.00-of-99.gz", False),
        ("extended-arcs.00-of-99.gz", False),
        ("extended-biarcsx.gz", False),
        ("extended-biarcs.d/notes.txt", False),
    ],
)
def test_step_1_takes_the_extended_collections(name, wanted):
    assert steps.is_collection(name) is wanted


def test_step_9_adds_the_counts_of_equal_assertions():
    found = [assertion_of(parse_tokens(tokens), count) for _, tokens, count, _ in GOOD]
    together = aggregate(filter(None, found))
    assert all(Assertion(*words, count) in together for words, count in TOGETHER.items())
    # 30 lines are accepted; of two, three and two of them one is left.
    assert len(together) == 30 - 1 - 2 - 1
    assert sum(a.count for a in together) == sum(case[2] for case in GOOD if case[3] is not None)
    assert together == sorted(together, key=lambda a: (a.relation, a.subject, a.object))


def test_step_10_counts_different_pairs_not_appearances():
    often = [Assertion(f"s{number}", "often", "o", 1) for number in range(10)]
    rare = [Assertion(f"s{number}", "rare", "o", 1000) for number in range(9)]
    assert remove_rare_relations([*often, *rare]) == often
    assert remove_rare_relations([*often, *rare], min_pairs=9) == [*often, *rare]
    assert remove_rare_relations([*often[1:], often[1]]) == []


# ------------------------------------------------------------------ a slow reference, straight from the supplement


def reference(text: str) -> tuple[str, str, str] | None:
    """Steps 2 to 8 with sets and loops, nothing shared with the package."""
    rows = []
    for number, token in enumerate(text.split(" "), start=1):
        pieces = token.split("/")
        rows.append((number, "/".join(pieces[:-3]), pieces[-3], pieces[-2], int(pieces[-1])))
    head_of = {row[0]: row[4] for row in rows}

    def is_below(number: int, top: int) -> bool:
        while number != 0:
            if number == top:
                return True
            number = head_of[number]
        return False

    subjects = [row for row in rows if row[3] in ("nsubj", "nsubjpass", "xsubj")]
    roots = [row for row in rows if row[4] == 0]
    last = rows[-1]
    # 2: a subject, followed by a verb at the root, and ending with an object
    fits = False
    for subject in subjects:
        for root in roots:
            if subject[0] < root[0] < last[0] and root[2][:1] == "V" and last[3] in ("dobj", "pobj", "attr"):
                fits = True
    # 3: exactly one subject and one root
    if not fits or len(subjects) != 1 or len(roots) != 1:
        return None
    # 4 and 5: subtrees of the subject token and of the last token
    subject_tree = {row[0] for row in rows if is_below(row[0], subjects[0][0])}
    object_tree = {row[0] for row in rows if is_below(row[0], last[0])}
    # 6: continuous, with few kinds of dependencies inside
    for tree, top in ((subject_tree, subjects[0][0]), (object_tree, last[0])):
        if tree != set(range(min(tree), max(tree) + 1)):
            return None
        for row in rows:
            if row[0] in tree and row[0] != top and row[3] not in ("det", "amod", "nn", "dep"):
                return None
    # 7: between them a subtree that includes the root
    between = {row[0] for row in rows if max(subject_tree) < row[0] < min(object_tree)}
    if roots[0][0] not in between:
        return None
    reached, waiting = {roots[0][0]}, [roots[0][0]]
    while waiting:
        above = waiting.pop()
        for row in rows:
            if row[4] == above and row[0] in between and row[0] not in reached:
                reached.add(row[0])
                waiting.append(row[0])
    if reached != between:
        return None
    # 8: strings
    words = {row[0]: row[1] for row in rows}
    parts = [" ".join(words[number] for number in sorted(part)) for part in (subject_tree, between, object_tree)]
    return parts[0], parts[1], parts[2]


WORDS = st.sampled_from(["dog", "and/or", "/", "Łódź", "x", "nsubj/2", "it"])
TAGS = st.sampled_from(["NN", "VB", "VBD", "V", "IN", "MD", "JJ"])
LABELS = st.sampled_from(["nsubj", "nsubjpass", "xsubj", "csubj", "dobj", "pobj", "attr", "det", "nn", "prep", "aux"])


@st.composite
def wild_ngrams(draw) -> str:
    """Anything that has the form of tokens, circles and several roots included."""
    size = draw(st.integers(1, 6))
    return " ".join(f"{draw(WORDS)}/{draw(TAGS)}/{draw(LABELS)}/{draw(st.integers(0, size))}" for _ in range(size))


@st.composite
def likely_ngrams(draw) -> str:
    """A noun phrase, a verb with company and a noun phrase; then up to two tokens changed."""
    before, inside = draw(st.integers(0, 1)), st.sampled_from(["det", "amod", "nn", "dep"])
    left, middle, right = draw(st.integers(0, 2)), draw(st.integers(0, 2)), draw(st.integers(0, 2))
    subject, verb = before + left + 1, before + left + 1 + middle + 1
    size = verb + right + 1
    rows = [["w", "IN", "mark", verb] for _ in range(before)]
    rows += [
        ["w", "JJ", draw(inside), draw(st.integers(before + 1 + place, subject))] for place in range(1, left + 1)
    ]
    rows += [["s", "NN", draw(st.sampled_from(["nsubj", "nsubjpass", "xsubj"])), verb]]
    rows += [["w", "RB", "advmod", draw(st.integers(subject + 1, verb))] for _ in range(middle)]
    rows += [["v", "VBD", "ROOT", 0]]
    rows += [["w", "JJ", draw(inside), size] for _ in range(right)]
    rows += [["o", "NN", draw(st.sampled_from(["dobj", "pobj", "attr"])), draw(st.integers(subject + 1, verb))]]
    for _ in range(draw(st.integers(0, 2))):
        row = rows[draw(st.integers(0, len(rows) - 1))]
        column = draw(st.integers(0, 3))
        row[column] = draw([WORDS, TAGS, LABELS, st.integers(0, size)][column])
    return " ".join("/".join(map(str, row)) for row in rows)


@given(st.lists(st.one_of(wild_ngrams(), likely_ngrams()), max_size=20))
def test_blocks_of_lines_give_what_the_reference_gives(ngrams):
    lines = [line_of(tokens, number + 1) for number, tokens in enumerate(ngrams)]
    expected = []
    for number, tokens in enumerate(ngrams):
        if line_fault(lines[number]) is None and (parts := reference(tokens)) is not None:
            expected.append((*parts, number + 1))
    columns, faults = extract_block("".join(f"{line}\n" for line in lines).encode())
    assert list(zip(*columns, strict=True)) == expected
    # A circle is reported where it could have mattered; whatever is reported is one.
    assert all(line_fault(lines[number]) == fault for number, fault in faults)


@pytest.mark.parametrize("years", ["", "\t1990,3", "\t1990,3\t1991,7"])
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_the_last_line_counts_however_it_ends(years, end):
    line = line_of("dogs/NNS/nsubj/2 chase/VBP/ROOT/0 cats/NNS/dobj/2", 10, years)
    columns, faults = extract_block(f"{line}\n{line}{end}".encode())
    assert (columns, faults) == ((["dogs"] * 2, ["chase"] * 2, ["cats"] * 2, [10, 10]), [])


def test_the_reference_agrees_with_the_cases_by_hand():
    assert [reference(tokens) for _, tokens, _, _ in GOOD] == [expected for *_, expected in GOOD]


def test_likely_ngrams_are_often_accepted():
    """A property that is never put to the test proves nothing."""
    from hypothesis import find

    found = find(
        likely_ngrams(), lambda text: tree_fault(parse_loosely(text)) is None and reference(text) is not None
    )
    assert reference(found) is not None


def parse_loosely(text: str) -> list[Token]:
    rows = (token.rsplit("/", 3) for token in text.split(" "))
    return [Token(word, tag, label, int(head)) for word, tag, label, head in rows]


@given(st.text(alphabet="ab/\t 0123,\u00e9\n\r", max_size=40))
def test_the_quick_check_of_a_line_finds_what_the_careful_one_finds(text):
    lines = text.replace("\r\n", "\n").split("\n")
    _, faults = extract_block(text.encode())
    reported = {number for number, _ in faults}
    for number, line in enumerate(lines):
        if number == len(lines) - 1 and not line:
            continue  # nothing follows the last line end
        fault = line_fault(line)
        if fault is not None and ("beyond the last" in fault or "depends on itself" in fault):
            continue
        assert (number in reported) == (fault is not None), (line, fault)
