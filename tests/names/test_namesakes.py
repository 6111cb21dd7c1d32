"""Who is who in passages of a few sentences: forms of names, and what pronouns and descriptions refer to.

Sentences are divided by `|`. A phrase is written `[words:type]` where it is an anchor, and `[words:type:entity]` or
`[words:type:entity:confidence]` where the parser sees a mention there. The type of a pronoun is `pronoun`, that of a
description `concept`, or `role` of a person.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.extract.parsed import parsed
from tupelo.core import Analysis, Mention, Word
from tupelo.core.statement import MERGE_REASONS, Anchor, Referent
from tupelo.names.referents import find_referents

_PIECE = re.compile(r"\[([^\]:]*):([^\]]*)\]|\w+(?:['.]\w+)*|[^\s\w]")


def marked(sentence: str) -> tuple[Analysis, list[Anchor]]:
    words: list[Word] = []
    anchors: list[Anchor] = []
    mentions: list[Mention] = []
    text = ""
    for piece in _PIECE.finditer(sentence):
        start = len(words)
        for token in (piece[1] or piece[0]).split():
            tag = "NOUN" if any(map(str.isalnum, token)) else "PUNCT"
            words.append(Word(token, len(text), len(text) + len(token), token.lower(), tag))
            text += token + " "
        if piece[2]:
            label, entity, sure = (*piece[2].split(":"), "", "")[:3]
            last = len(words) - 1
            kind = {"pronoun": "pronoun", "concept": "concept", "role": "concept"}.get(label, "name")
            label = {"pronoun": "person", "concept": "organization", "role": "person"}.get(label, label)
            first = start + (words[start].lemma in ("the", "a"))
            phrase = " ".join(word.text for word in words[first:])
            anchors.append(Anchor(first, last + 1, last, kind, label, phrase))
            if entity:
                mentions.append(Mention(int(entity), start, last + 1, last, label, float(sure or 1)))
    return Analysis(text, tuple(words), mentions=tuple(mentions)), anchors


def read(*sentences: str) -> tuple[list[list[Anchor]], list[Referent]]:
    analyses, anchors = zip(*map(marked, sentences), strict=True)
    return find_referents(analyses, anchors)


def groups(*sentences: str) -> list[str]:
    """The wordings of every referent in the order of the text, `=` between them."""
    numbered, referents = read(*sentences)
    found: list[list[str]] = [[] for _ in referents]
    for own in numbered:
        for anchor in own:
            if anchor.referent is not None and anchor.text not in found[anchor.referent]:
                found[anchor.referent].append(anchor.text)
    return [" = ".join(texts) for texts in found]


SAME = {
    "first word": "[Orbis Cloud:organization] was founded | [Orbis:organization] runs data centres.",
    "one name of two types": "[Halden Robotics:organization] grew | [Halden:person] left | [Halden:other] sued.",
    "given name alone": "[Priya Raman:person] sang | [Priya:person] left.",
    "nickname alone": "[Margaret Ashdown:person] sang | [Maggie:person] left.",
    "model": "[Draxby T40:other] was sold | the [T40:other] failed.",
    "isle": "the [Isle of Skerrow:place] is small | [Skerrow:place] is green.",
    "club": "[Hull City:organization] won | [Hull:organization] lost.",
    "acronym of the last words": "[Kent Primary Care Trust:organization] grew | [Kent PCT:organization] left.",
    "acronym of the first words": "the [George Washington Bridge:place] closed | the [GW Bridge:place] opened.",
    "street": "[Main Street:place] is long | [Main St.:place] is short.",
    "court": "the [Supreme Court of Pakistan:organization] met | the [Pakistani Supreme Court:organization] met.",
    "title in another language": "he made [Il treno:work] ( The [Train:work] ) there.",
    "title in quotation marks": 'he wrote " [Nigorie:work] " ( " [Troubled Waters:other] " ).',
    "family name": "[Ann Lee:person] sang | [Lee:person] left.",
    "title": "[Ann Lee:person] sang | [Dr. Lee:person] left.",
    "initials": "[John Robert Smith:person] sang | [J. R. Smith:person] left.",
    "initials without spaces": "[John Robert Smith:person] sang | [J.R. Smith:person] left.",
    "middle initial": "[Joseph R. Anderson:person] sang | [Joseph Anderson:person] left.",
    "nickname": "[William Clinton:person] sang | [Bill Clinton:person] left.",
    "accents": "[José Núñez:person] sang | [Jose Nunez:person] left.",
    "hyphen": "[Jean-Luc Picard:person] sang | [Jean Luc Picard:person] left.",
    "case": "[Toyota:organization] grew | [TOYOTA:organization] shrank.",
    "acronym": "the [World Health Organization:organization] met | [WHO:organization] left.",
    "dotted acronym": "the [European Central Bank:organization] met | the [E.C.B.:organization] left.",
    "stated acronym": "the [Pennsylvania Railroad:organization] ([PRR:organization]) grew.",
    "countries": "the [United States:place] won | the [U.S.:place] left | the [USA:place] left.",
    "company": "[Acme Widgets Inc.:organization] grew | [Acme Widgets:organization] shrank.",
    "also known as": "[Trinity Fatu:person], also known as [Naomi:person], won.",
    "born": "[Ann Lee:person] (born [Ann Smith:person]) won.",
    "formerly": "[Myrtle Bank:organization] (formerly [Acorn Trust:organization]) grew.",
    "other language": "the [Great Belt Bridge:place] (Danish: [Storebæltsbroen:place]) opened.",
    "without its country": "the [American Civil War:event] began | the [Civil War:event] ended.",
    "state": "the [Republic of Karelia:place] grew | [Karelia:place] shrank.",
    "without its kind": "[Interscope Records:organization] grew | [Interscope:organization] shrank.",
    "plural": "a [Vauxhall:other] came | two [Vauxhalls:other] left.",
    "or": "the [Loopline Bridge:place] (or the [Liffey Viaduct:place]) opened.",
    "another script": "[Jiancheng Li:person] ([李建成:person]) ruled.",
    "another name in brackets": "[Gorneas:place:0] ([Garni:place:0:0.9]) fell.",
    "acronym in another language": "the [Malaysian Board:organization:0] ([LPF:organization:0:0.9]) met.",
    "team": "[Wigan Warriors:organization] won | [Wigan:organization] lost.",
    "studio": "[Warp Pictures:organization:0] won | [Warp:organization:0:0.9] lost.",
    "title that fits": "[Ann Lee:person] sang | Mrs [Lee:person] left.",
    "a relative by the parser": "his sister , [Ann Lee:person:0], sang | [Lee:person:0:0.9] left.",
    "route": "[County Road 31:place:0] ([CR 31:place:0:0.9]) ends.",
    "given name of a king": "[Louis XIV:person:0] won | [Louis:person:0:0.9] left.",
    "head of a longer name": "the [Norwegian Parliament:organization:0] met | [Parliament:organization:0:0.9] voted.",
}
APART = {
    "one of several islands": "[Chatham Islands:place] are far | [Chatham Island:place] is large.",
    "two clubs": "[Hull:organization] met [Hull City:organization] and [Hull Rovers:organization].",
    "citation": "he wrote on [Case Grammar:work] ( [Fillmore 1968:work] ).",
    "bracket closed before": "the plan ( of the [Senate:organization] ) known as [Lowland Plan:organization] won.",
    "given name": "[Ryan Mason:person:1] ran | [Ryan Bertrand:person:1] fell.",
    "two of a family": "[Ann Lee:person] met [Bob Lee:person] | [Lee:person] left.",
    "different given names": "[Ann Lee:person] met [Bob Lee:person].",
    "different initials": "[J. Smith:person] met [Robert Smith:person].",
    "numbers of kings": "[Louis XIV:person] met [Louis XV:person].",
    "two with a first word": "[Orbis Cloud:organization] met [Orbis Air:organization] | [Orbis:organization] left.",
    "first word in a sentence": "[Orbis Cloud:organization] sued [Orbis:organization].",
    "acronym and its channel": "[BBC Alba:organization] grew | the [BBC:organization] left.",
    "two with a given name": "[Priya Raman:person] met [Priya Nair:person] | [Priya:person] left.",
    "companies of a group": "[Toyota:organization:0] bought [Toyota Motor Kentucky:organization:0:0.9].",
    "university and town": "[Oxford:place] has [University of Oxford:organization].",
    "part of a place": "[Ukraine:place:0] lies beside [Western Ukraine:place:0:0.9].",
    "verb of calling": "[Ann:person] called [Mary:person].",
    "place in brackets": "[Leeds:place] ([England:place]) grew.",
    "by the parser alone": "[Downy:other:0] grew | [Lenor:other:0:0.9] shrank.",
    "county and country": "[Ash County:place:0] lies in [Norway:place:0:0.9].",
    "province in brackets": "[Angola:place:0] ([Cabinda Province:place:0:0.9]) grew.",
    "language": "[Jashn:event] (Urdu: x, [Hindi:event]: y) began.",
    "country today": "born in the [Russian Empire:place:0] (now [Belarus:place:0:0.9]).",
    "first of two with a hyphen": "[Disney:organization:0] left [Disney-MGM Studios:organization:0:0.9].",
    "senior": "[Joseph Smith:person:0] met [Joseph Smith Sr.:person:0:0.9].",
    "title alone": "[Raja Ram Singh:person:0] won | the [Raja:person:0:0.9] left.",
    "acronym after an acronym": "[BUA:organization:0] ([CI:organization:0:0.9]) grew.",
    "two of a kind": "[First Battle of Homs:event:0] | [Battle of Homs:event:0:0.9].",
    "father and son": "[Walter Elliot:person:0] met [William Walter Elliot:person:1].",
    "people of a country": "[Germans:other] left [Germany:place].",
    "title of the other sex": "[Ann Lee:person] sang | Mr [Lee:person] left.",
    "owner and child": "[Lee:person] 's daughter [Ann Lee:person] sang.",
    "introduced as a relative": "his sister , [Ann Lee:person], sang | [Lee:person] left.",
    "father": "[Rhiryd ap Bleddyn:person] ruled | [Bleddyn:person] died.",
    "grandson of the same name": "[Joseph Smith III:person:0] met [Joseph Smith:person:0:0.9].",
    "two popes": "[Pope Pius X:person:0] died | [Pope John XXIII:person:0:0.95] lived.",
    "kind alone": "[Chelsea:organization:0] lost | [City:organization:0:0.9] won.",
    "part of an acronym": "[GB:organization] met [GB Badminton:organization].",
    "committee": "[EU:organization] founded the [EU Trade Committee:organization].",
    "council": "[Barnet:organization] has a [Barnet Council:organization].",
    "studio of a company": "[Sony:organization] founded [Sony Pictures:organization].",
    "songs of an album": "[Loud:work:0] has [Man Down:work:0:0.9] and [Only Girl:work:0:0.9].",
    "version": 'he sang " [Rock On:work] " ( The [Kings G-Mix:work] ).',
    "letter in brackets": "he has the [HI:work] ( [M:work] ).",
    "several brackets": "he sang [Fame:work] ( [Low:work] ) and [Red Sails:work] ( [Lodger:work] ).",
    "formerly by": "apps by [Acorn:organization], formerly by [Myrtle:organization], grew.",
    "short film": "the [AFI:organization] short [Requiem:organization] won.",
    "born to": "[Ann Lee:person], born to [Eva Juul:person], won.",
    "born in": "[Chorley:person] - born [Ann Lee:person] won.",
    "new one": "the new [Loud:work] is called [Quiet:work].",
    "cut at an owner": "[CBBC:organization] (short for [Children:organization] 's BBC) grew.",
    "different acronym": "the [World Health Organization:organization] met the [UN:organization].",
}


@pytest.mark.parametrize("name", SAME)
def test_forms_of_one_name_are_one(name: str) -> None:
    assert len(groups(*SAME[name].split(" | "))) == 1


@pytest.mark.parametrize("name", APART)
def test_names_of_different_things_stay_apart(name: str) -> None:
    found = groups(*APART[name].split(" | "))
    assert len(found) == APART[name].count("[")
    assert not any("=" in texts for texts in found)


def test_equal_names_in_different_places_are_two() -> None:
    sentences = [
        "[Paris:place:0], [Texas:place:1], is a city",
        "[Paris:place:0:0.9], [France:place:2], is larger",
        "the mayor of [Paris:place:0:0.9], [Texas:place:1:0.9], left",
    ]
    numbered, referents = read(*sentences)
    first, other, again = (own[0].referent for own in numbered)
    assert first == again != other
    assert [referent.place for referent in referents if referent.name == "Paris"] == ["Texas", "France"]


def test_a_person_and_a_place_of_one_name_are_two() -> None:
    sentences = ["[Michael Jordan:person:0] won", "[Jordan:person:0:0.9] left", "he saw [Jordan:place:1]"]
    assert groups(*sentences) == ["Michael Jordan = Jordan", "Jordan"]


def test_a_pronoun_follows_its_cluster() -> None:
    found = groups("[Ann Lee:person:0] sang", "[She:pronoun:0:0.9] left", "[It:pronoun:1] rained")
    assert found == ["Ann Lee = She"]


def test_a_cluster_with_names_of_several_does_not_make_them_one() -> None:
    found = groups("[Ann Lee:person:0] met [Eva Juul:person:0:0.5]", "[She:pronoun:0:0.9] left")
    assert [texts.split(" = ")[0] for texts in found] == ["Ann Lee", "Eva Juul"]


def test_a_pronoun_follows_the_names_that_it_agrees_with() -> None:
    found = groups("[Ann Lee:person:0] met [Bob Juul:person:0:0.5] in [Oslo:place:0:0.5]", "[She:pronoun:0:0.9] left")
    assert found == ["Ann Lee = She", "Bob Juul", "Oslo"]


def test_a_sure_description_is_what_it_describes() -> None:
    sentences = ["[Acme:organization:0] grew", "[the company:concept:0:0.9] shrank", "[a company:concept:1] left"]
    assert groups(*sentences) == ["Acme = company", "company"]


def test_an_office_with_a_capital_is_not_who_holds_it() -> None:
    sentences = [
        "[Ann Lee:person:0] left",
        "[the governor:role:0:0.9] sang",
        "[the Governor:role:0:0.9] met [Oslo:place]",
    ]
    assert groups(*sentences) == ["Ann Lee = governor", "Governor", "Oslo"]


def test_a_word_is_the_person_whose_name_the_document_has() -> None:
    sentences = "[Halden Robotics:organization] grew", "[Jon Halden:person] left", "[Halden:person] sang"
    assert groups(*sentences) == ["Halden Robotics", "Jon Halden = Halden"]
    titled = "[Halden Robotics:organization] grew", "Mr [Halden:person] sang"
    assert groups(*titled) == ["Halden Robotics", "Halden"]


def test_a_short_name_has_a_reason_and_a_probability() -> None:
    _, [halden] = read("[Halden Robotics:organization] grew", "[Halden:person] left")
    assert (halden.name, halden.label) == ("Halden Robotics", "organization")
    [short] = [naming for naming in halden.names if naming.text == "Halden"]
    assert (short.reason, 0.5 < short.probability < 1) == ("short name", True)


def test_a_referent_has_its_fullest_name_and_reasons() -> None:
    _, [lee, *_] = read("[Lee:person:0] sang", "[Ann Lee:person:0:0.9] left", "[She:pronoun:0:0.8] slept")
    assert (lee.name, lee.label, lee.mentions) == ("Ann Lee", "person", 3)
    assert {naming.text: naming.reason for naming in lee.names} == {
        "Ann Lee": "same name",
        "Lee": "short name",
    }
    assert all(naming.reason in MERGE_REASONS and 0 < naming.probability <= 1 for naming in lee.names)


def test_nothing_is_found_in_nothing() -> None:
    assert find_referents([], []) == ([], [])


def test_an_adjective_is_the_place_that_it_names() -> None:
    assert groups("[Kenyan:place] troops left [Kenya:place]") == ["Kenyan = Kenya"]
    _, [unnamed] = read("[Kenyan:place] troops left")
    assert (unnamed.name, [naming.reason for naming in unnamed.names]) == ("Kenya", ["demonym"])


def test_an_adjective_of_two_named_places_stays_apart() -> None:
    assert len(groups("[Korean:place] troops of [South Korea:place] met those of [North Korea:place]")) == 3


def test_an_acronym_in_brackets_is_the_phrase_before_it() -> None:
    _, [area, *_] = read("a [metropolitan statistical area:concept] ([MSA:other]) grew", "[MSA:other] shrank")
    assert (area.name, area.kind, area.mentions) == ("metropolitan statistical area", "entity", 3)


@pytest.mark.parametrize("odd", ["—", "…", "''", "ʾ", "&", "A.", "i.", "的", "X-", "٣"])
@pytest.mark.parametrize("label", ["person", "organization", "place"])
def test_odd_names_are_names(odd: str, label: str) -> None:
    sentence = f"[{odd}:{label}:0] met [{odd} {odd}:{label}:0:0.9] ([Ann Lee:person], [B.:{label}])"
    numbered, referents = read(sentence)
    assert all(anchor.referent is not None for own in numbered for anchor in own)
    assert all(referent.name for referent in referents)


DEFINITION = parsed(
    "A ferry is a boat.",
    "A a DET DT 2 det",
    "ferry ferry NOUN NN 5 nsubj",
    "is be AUX VBZ 5 cop",
    "a a DET DT 5 det",
    "boat boat NOUN NN 0 root",
    ". . PUNCT . 5 punct",
)
KIND = parsed("Ferries sail.", "Ferries ferry NOUN NNS 2 nsubj", "sail sail VERB VBP 0 root", ". . PUNCT . 2 punct")
OWN = parsed(
    "Her ferry sank.", "Her her PRON PRP$ 2 nmod:poss", "ferry ferry NOUN NN 3 nsubj", "sank sink VERB VBD 0 root"
)


def test_a_kind_that_the_passage_defines() -> None:
    anchors = [
        [Anchor(1, 2, 1, "concept", "object", "ferry"), Anchor(4, 5, 4, "concept", "object", "boat")],
        [Anchor(0, 1, 0, "concept", "object", "Ferries")],
        [Anchor(1, 2, 1, "concept", "object", "ferry")],
    ]
    [[ferry, _], [ferries], [own]], referents = find_referents([DEFINITION, KIND, OWN], anchors)
    assert ferry.referent == ferries.referent != own.referent
    assert [(one.kind, one.key) for one in referents] == [
        ("concept", "ferry"),
        ("concept", "boat"),
        ("thing", "ferry"),
    ]


MAGHREB = parsed(
    "Qaeda in the Maghreb (QM) fell.",
    "Qaeda Qaeda PROPN NNP 8 nsubj",
    "in in ADP IN 4 case",
    "the the DET DT 4 det",
    "Maghreb Maghreb PROPN NNP 1 nmod",
    "( ( PUNCT -LRB- 6 punct",
    "QM QM PROPN NNP 1 appos",
    ") ) PUNCT -RRB- 6 punct",
    "fell fall VERB VBD 0 root",
)


def test_brackets_after_the_end_of_a_longer_name_are_about_all_of_it() -> None:
    anchors = [Anchor(3, 4, 3, "name", "place", "Maghreb"), Anchor(5, 6, 5, "name", "place", "QM")]
    mentions = tuple(Mention(0, anchor.start, anchor.end, anchor.head, "place", 0.9) for anchor in anchors)
    [[maghreb, short]], _ = find_referents([replace(MAGHREB, mentions=mentions)], [anchors])
    assert maghreb.referent != short.referent


COMMITTEE = parsed(
    "United Kingdom (UK-APC) met.",
    "United United PROPN NNP 2 compound",
    "Kingdom Kingdom PROPN NNP 8 nsubj",
    "( ( PUNCT -LRB- 4 punct",
    "UK UK PROPN NNP 6 compound",
    "- - PUNCT HYPH 6 punct",
    "APC APC PROPN NNP 2 appos",
    ") ) PUNCT -RRB- 6 punct",
    "met meet VERB VBD 0 root",
)


def test_a_part_of_an_acronym_is_not_what_stands_before_the_bracket() -> None:
    anchors = [Anchor(0, 2, 1, "name", "place", "United Kingdom Names"), Anchor(3, 4, 3, "name", "place", "UK")]
    assert len(find_referents([COMMITTEE], [anchors])[1]) == 2
    spaced = replace(
        COMMITTEE, words=tuple(replace(word, start=9 * n, end=9 * n + 2) for n, word in enumerate(COMMITTEE.words))
    )
    assert len(find_referents([spaced], [anchors])[1]) == 1
