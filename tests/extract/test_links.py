"""What a sentence says between the things that it names."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.extract.checks import check
from tests.extract.linking import linked, links_of, numbered, read
from tests.extract.wild import bent, wild_analysis
from tupelo.extract.anchors import find_anchors
from tupelo.extract.links import find_links
from tupelo.extract.links.orders import order_tuples
from tupelo.extract.links.tuples import NOT_IN_SENTENCE, REPEATED
from tupelo.extract.parts import sentence_of
from tupelo.extract.rules import RuleExtractor
from tupelo.extract.stages import ReadStatements
from tupelo.io.analyses import read_analyses
from tupelo.nlp.syntax import DependencyTree

# The bundled text as our own model parsed it.
PARSED = list(read_analyses(Path(__file__).parent / "harbour.conllu"))


@pytest.mark.model
@pytest.mark.parametrize(
    ("text", "link"),
    [
        (
            "Marta Solheim joined the faculty of Harvard University.",
            "Marta Solheim | joined faculty of | Harvard University",
        ),
        ("Ann Lee is the chairman of Statoil.", "Ann Lee | is chairman of | Statoil"),
        (
            "The Loud Tour was the fourth concert tour by Barbadian singer Rihanna.",
            "Loud Tour | was fourth concert tour by | Rihanna",
        ),
        ("Hamlet was written by William Shakespeare.", "William Shakespeare | wrote | Hamlet"),
        ("Statoil is owned by Norway.", "Norway | owns | Statoil"),
        ("Ann Lee told reporters that prices would rise.", "Ann Lee | told | prices would rise"),
        ("The station employs fourteen people.", "station | employs | fourteen people"),
        ("Herring made the town rich.", "Herring | made rich | town"),
        ("A storm hit Bergen, sinking eleven boats.", "storm | sank | eleven boats"),
        ("Sunol is located in Alameda County, California.", "Sunol | is located in | California"),
        ("The film is a thriller directed by Ann Lee.", "Ann Lee | directed | film"),
        ("The capital of Norway is Oslo.", "Oslo | is capital of | Norway"),
        ("Ann Lee sold Acme to Bob Hall.", "Acme | was sold to | Bob Hall"),
        ("The song was performed in Rome by Ann Lee.", "Ann Lee | performed in | Rome"),
        ("Her work was shown in galleries such as the Louvre.", "work | was shown in | Louvre"),
    ],
)
def test_a_tuple_links_its_subject_to_what_it_speaks_of(text, link):
    assert link in links_of(text)


@pytest.mark.model
@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("Apple CEO Tim Cook visited China.", "Tim Cook | is CEO of | Apple"),
        ("Rihanna's album Loud sold well.", "Loud | is album of | Rihanna"),
        ("The Kenyan runner Eliud Kipchoge smiled.", "Eliud Kipchoge | is runner from | Kenyan"),
        ("They met in Paris, Texas.", "Paris | is in | Texas"),
        (
            "The government of Kenya signed an agreement with China.",
            "Kenya | government signed agreement with | China",
        ),
    ],
)
def test_a_short_path_links_two_names(text, link):
    assert link in links_of(text)


@pytest.mark.model
def test_coordinated_names_have_a_link_each():
    found = links_of("Ann Lee studied in Oslo and Rome.")
    assert found == ["Ann Lee | studied in | Oslo", "Ann Lee | studied in | Rome"]


@pytest.mark.model
def test_names_that_are_merely_coordinated_are_not_linked():
    assert not [
        link for link in links_of("Norway and Sweden signed the treaty.") if "Norway |" in link and "Sweden" in link
    ]


@pytest.mark.model
@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("Ann Lee is not a lawyer who defended Acme.", "Ann Lee | defended | Acme"),
        ("Oslo is a city near a district of Bergen.", "Oslo | is in | Bergen"),
        ("Ann Lee was seized along with Bob Hall.", "Bob Hall | seized | Ann Lee"),
    ],
)
def test_what_is_not_said_is_not_linked(text, link):
    assert link not in links_of(text)


@pytest.mark.model
def test_times_qualify_other_links():
    [sentence] = linked("Marta Solheim moved to Lindvik in March 2011.")
    [link] = sentence.links
    assert link.beside == (2,)
    assert sentence.parts == [[0, 1, 2]]


@pytest.mark.model
def test_a_time_is_an_attribute_where_there_is_nothing_else():
    assert links_of("Acme was founded in 1998.") == ["Acme | was founded in | 1998"]


@pytest.mark.model
@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("Did Apple buy Beats?", "asked"),
        ("If Google sold Fitbit, Garmin would celebrate.", "conditional"),
        ("Apple may buy Beats.", "possible"),
        ("Apple did not buy Beats.", "denied"),
        ("Ann Lee said that Apple bought Beats.", "reported"),
        ("Apple bought Beats.", "asserted"),
    ],
)
def test_what_is_not_asserted_keeps_its_stance(text, stance):
    [sentence] = linked(text)
    names = {"Apple", "Beats", "Google", "Fitbit"}
    found = [
        sentence.tuples.extractions[link.tuple].stance
        for link in sentence.links
        if {sentence.anchors[link.subject].text, sentence.anchors[link.object].text} <= names
    ]
    assert found == [stance]


@pytest.mark.model
def test_tense_and_modality_leave_the_key_as_it_is():
    keys = {
        link.key
        for text in (
            "Apple wants to buy Beats.",
            "Apple bought Beats.",
            "Apple has bought Beats.",
            "Apple will buy Beats.",
            "Beats was bought by Apple.",
        )
        for sentence in linked(text)
        for link in sentence.links
    }
    assert keys == {"buy"}


@pytest.mark.model
def test_every_link_has_a_tuple_and_every_other_tuple_a_reason():
    for sentence in linked("She smiled at him. Apple CEO Tim Cook visited China. The harbour is old."):
        of_tuples = {link.tuple for link in sentence.links}
        count = len(sentence.tuples.extractions)
        assert len(sentence.parts) == len(sentence.unlinked) == count
        assert {number for number, reason in enumerate(sentence.unlinked) if reason is None} == of_tuples
        assert all(0 <= number < count for number in of_tuples)


@pytest.mark.model
@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("The harbour is old.", "harbour | is | old"),
        ("The wings are developed.", "wings | are developed | "),
        ("The Gates Foundation funds Ada Okafor's team.", "Gates Foundation | funds | Ada Okafor's team"),
        ("Caterpillars come in a variety of shapes and colors.", "Caterpillars | come in | colors"),
        ("The wing is a part of the body.", "wing | is part of | body"),
        ("Google was fined 1.49 billion euros in March 2019.", "Google | was fined | 1.49 billion euros"),
    ],
)
def test_every_tuple_has_a_statement(text, link):
    assert link in links_of(text)
    assert all(sentence.unlinked == [None] * len(sentence.unlinked) for sentence in linked(text))


@pytest.mark.model
@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("He bought Beats.", "He | bought | Beats"),
        ("These are good signs of arrogance.", "These | are | good signs"),
    ],
)
def test_a_pronoun_that_nobody_resolved_stands_for_itself(text, link):
    assert links_of(text) == [link]


@pytest.mark.model
@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("In 1990, Ann Lee founded Acme in Oslo.", ["In 1990, Ann Lee founded Acme in Oslo"]),
        (
            "Smugness is often a reflection of limited experience.",
            ["Smugness is often a reflection of limited experience"],
        ),
        ("There are many kinds of shoes.", ["There are many kinds of shoes"]),
        ("Ann Lee lives in Oslo. She's a biologist.", ["Ann Lee lives in Oslo", "Ann Lee is a biologist"]),
        ("Sam and Dean drive through Ohio.", ["Sam and Dean drive through Ohio"] * 2),
        (
            "A whale is a mammal that lives in the sea.",
            ["A whale is a mammal that lives in the sea", "A whale lives in the sea"],
        ),
        ("He did it in a way that nobody had seen.", ["He did it in a way that nobody had seen"]),
        ("Mossgrove sold its plant in Marrick.", ["Mossgrove sold its plant in Marrick"]),
    ],
)
def test_a_statement_reads_as_a_sentence(text, readings):
    assert [reading for sentence in linked(text) for reading in sentence.texts] == readings


@pytest.mark.model
def test_the_rule_of_a_path_has_its_shape():
    [sentence] = linked("The Louvre in Paris hired Ann Lee.")
    rules = [sentence.tuples.extractions[link.tuple].rule or "" for link in sentence.links]
    assert any(rule.startswith("path/") and rule.endswith(" nmod(in) place") for rule in rules)


@pytest.mark.parametrize("seed", range(3))
def test_any_words_in_any_tree_give_links_of_their_anchors(seed):
    source = random.Random(seed)
    made = 0
    for number in range(150):
        analysis = bent(source, source.choice(PARSED)) if number % 2 else wild_analysis(source)
        extractions = RuleExtractor().propose(analysis)[0]
        [anchors], referents = numbered([analysis], [find_anchors(analysis, extractions)])
        sentence = find_links(analysis, extractions, anchors, referents)
        for anchor in anchors:
            assert 0 <= anchor.start <= anchor.head < anchor.end <= len(analysis.words)
        for extraction in sentence.tuples.extractions:
            check(extraction, analysis)
        assert all(reason in (None, REPEATED, NOT_IN_SENTENCE) for reason in sentence.unlinked)
        for link in sentence.links:
            assert link.relation
            arguments = sentence.tuples.extractions[link.tuple].arguments
            assert all(0 <= place < len(arguments) for place in link.beside)
        made += len(sentence.links)
    assert made > 20


@pytest.mark.model
@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Caterpillars eat leaves. A caterpillar has spines.", {"caterpillar": "concept"}),
        ("The larva is small. Larvae eat leaves.", {"larva": "concept"}),
        ("The lab in Nairobi hired Ada Okafor.", {"lab in Nairobi": "thing", "Ada Okafor": "entity"}),
        ("A man bought a boat. The boat sank in Oslo.", {"man": "value", "Oslo": "entity"}),
        ("Host plants provide food in 2019.", {"host plant": "concept", "2019": "value"}),
        ("Eva Berg is a musician.", {"musician": "concept"}),
        ("Eva Berg is musician.", {"musician": "concept"}),
        ("Eva Berg met a musician.", {"musician": "value"}),
        ("Eva Berg is a shock.", {"shock": "value"}),
    ],
)
def test_nodes_are_entities_things_concepts_and_values(text, kinds):
    rows = list(ReadStatements().rows([{"document_id": "a", "number": 0, "start_at": 0, "text": text}]))
    found = {referent["name"]: referent["kind"] for referent in rows[0]["referents"]}
    assert kinds.items() <= found.items()
    assert not {"it", "they", "his", "its"} & {
        name["text"].lower() for referent in rows[0]["referents"] for name in referent["names"]
    }


@pytest.mark.model
@pytest.mark.parametrize(
    ("order", "text", "modality"),
    [
        ("Rinse the filter every two weeks.", "the filter is to be rinsed every two weeks", "necessary"),
        ("Do not use hot water.", "hot water is not to be used", "necessary"),
        (
            "If the lamp blinks, replace the battery.",
            "If the lamp blinks, the battery is to be replaced",
            "necessary",
        ),
        ("Wear gloves and close the window.", "gloves are to be worn", "necessary"),
        ("Show Ann Lee the way.", "the way is to be shown to Ann Lee", "necessary"),
    ],
)
def test_an_order_says_what_is_to_be_done(order: str, text: str, modality: str) -> None:
    [(analysis, _)] = read(order)
    tree = DependencyTree(analysis)
    extraction, *_ = order_tuples(tree, sentence_of(analysis))
    [anchors], referents = numbered([analysis], [find_anchors(analysis, [extraction], tree)])
    found = find_links(analysis, [extraction], anchors, referents, tree)
    assert (found.texts[0], extraction.modality) == (text, modality)


@pytest.mark.model
@pytest.mark.parametrize(
    "text",
    [
        "They live in Oslo and own a car.",
        "Thank you.",
        "Go home.",
        "The men rinse filters.",
        "Let the tea cool.",
        "See Figure 2.",
        "Take care of the dog.",
    ],
)
def test_other_sentences_are_no_orders_of_things(text: str) -> None:
    [(analysis, _)] = read(text)
    assert not [*order_tuples(DependencyTree(analysis), sentence_of(analysis))]
