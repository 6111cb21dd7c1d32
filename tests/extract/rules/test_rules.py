"""Every rule on a sentence whose parse is written out, so that no model is needed."""

from __future__ import annotations

from tests.extract.parsed import parsed, told
from tupelo.core import Entity


def test_a_clause_keeps_all_its_arguments_in_one_tuple() -> None:
    sentence = parsed(
        "The council gave the museum a statue in 1990.",
        "The the DET DT 2 det",
        "council council NOUN NN 3 nsubj",
        "gave give VERB VBD 0 root",
        "the the DET DT 5 det",
        "museum museum NOUN NN 3 iobj",
        "a a DET DT 7 det",
        "statue statue NOUN NN 3 obj",
        "in in ADP IN 9 case",
        "1990 1990 NUM CD 3 obl",
        ". . PUNCT . 3 punct",
        entities=(Entity("datetime", 8, 9),),
    )
    assert told(sentence) == [
        "clause (The council; gave; the museum; a statue; in 1990)",
    ]


def test_a_clause_in_pieces_tells_one_fact_each() -> None:
    sentence = parsed(
        "The council gave the museum a statue in 1990.",
        "The the DET DT 2 det",
        "council council NOUN NN 3 nsubj",
        "gave give VERB VBD 0 root",
        "the the DET DT 5 det",
        "museum museum NOUN NN 3 iobj",
        "a a DET DT 7 det",
        "statue statue NOUN NN 3 obj",
        "in in ADP IN 9 case",
        "1990 1990 NUM CD 3 obl",
        ". . PUNCT . 3 punct",
        entities=(Entity("datetime", 8, 9),),
    )
    assert told(sentence, shape="pieces") == [
        "clause/piece (The council; gave; the museum)",
        "clause/piece (The council; gave the museum; a statue)",
        "clause/piece (The council; gave the museum a statue in; 1990)",
    ]


def test_the_agent_of_a_passive_ends_the_relation_with_by() -> None:
    sentence = parsed(
        "The bridge was built by monks.",
        "The the DET DT 2 det",
        "bridge bridge NOUN NN 4 nsubj:pass",
        "was be AUX VBD 4 aux:pass",
        "built build VERB VBN 0 root",
        "by by ADP IN 6 case",
        "monks monk NOUN NNS 4 obl:agent",
        ". . PUNCT . 4 punct",
    )
    assert told(sentence) == [
        "clause (The bridge; was built by; monks)",
    ]


def test_a_relative_pronoun_stands_for_its_noun() -> None:
    sentence = parsed(
        "Ann, who wrote the book, lives in Oslo.",
        "Ann Ann PROPN NNP 8 nsubj",
        ", , PUNCT , 4 punct",
        "who who PRON WP 4 nsubj",
        "wrote write VERB VBD 1 acl:relcl",
        "the the DET DT 6 det",
        "book book NOUN NN 4 obj",
        ", , PUNCT , 1 punct",
        "lives live VERB VBZ 0 root",
        "in in ADP IN 10 case",
        "Oslo Oslo PROPN NNP 8 obl",
        ". . PUNCT . 8 punct",
        entities=(
            Entity("person", 0, 1),
            Entity("place", 9, 10),
        ),
    )
    assert told(sentence) == [
        "relative (Ann; wrote; the book)",
        "clause (Ann; lives in; Oslo)",
    ]


def test_a_relative_clause_gives_its_noun_back_as_object() -> None:
    sentence = parsed(
        "The book that Ann wrote won a prize.",
        "The the DET DT 2 det",
        "book book NOUN NN 6 nsubj",
        "that that PRON WDT 5 obj",
        "Ann Ann PROPN NNP 5 nsubj",
        "wrote write VERB VBD 2 acl:relcl",
        "won win VERB VBD 0 root",
        "a a DET DT 8 det",
        "prize prize NOUN NN 6 obj",
        ". . PUNCT . 6 punct",
        entities=(Entity("person", 3, 4),),
    )
    assert told(sentence) == [
        "clause (Ann; wrote; The book)",
        "clause (The book that Ann wrote; won; a prize)",
    ]


def test_the_object_of_a_relative_clause_comes_first() -> None:
    sentence = parsed(
        "The letter which Ann sent to Bob vanished.",
        "The the DET DT 2 det",
        "letter letter NOUN NN 8 nsubj",
        "which which PRON WDT 5 obj",
        "Ann Ann PROPN NNP 5 nsubj",
        "sent send VERB VBD 2 acl:relcl",
        "to to ADP IN 7 case",
        "Bob Bob PROPN NNP 5 obl",
        "vanished vanish VERB VBD 0 root",
        ". . PUNCT . 8 punct",
        entities=(
            Entity("person", 3, 4),
            Entity("person", 6, 7),
        ),
    )
    assert told(sentence) == [
        "clause (Ann; sent; The letter; to Bob)",
        "clause (The letter which Ann sent to Bob; vanished)",
    ]


def test_a_participle_gets_an_implied_form_of_be() -> None:
    sentence = parsed(
        "The house built by monks burned down.",
        "The the DET DT 2 det",
        "house house NOUN NN 6 nsubj",
        "built build VERB VBN 2 acl",
        "by by ADP IN 5 case",
        "monks monk NOUN NNS 3 obl:agent",
        "burned burn VERB VBD 0 root",
        "down down ADP RP 6 compound:prt",
        ". . PUNCT . 6 punct",
    )
    assert told(sentence) == [
        "participle (The house; was built by; monks)",
        "clause (The house built by monks; burned down)",
    ]


def test_a_present_participle_stands_as_it_is() -> None:
    sentence = parsed(
        "The man selling flowers smiled.",
        "The the DET DT 2 det",
        "man man NOUN NN 5 nsubj",
        "selling sell VERB VBG 2 acl",
        "flowers flower NOUN NNS 3 obj",
        "smiled smile VERB VBD 0 root",
        ". . PUNCT . 5 punct",
    )
    assert told(sentence) == [
        "participle (The man; selling; flowers)",
        "clause (The man selling flowers; smiled)",
    ]


def test_what_a_predicate_noun_does_its_subject_does() -> None:
    sentence = parsed(
        "Ann is a singer who plays chess.",
        "Ann Ann PROPN NNP 4 nsubj",
        "is be AUX VBZ 4 cop",
        "a a DET DT 4 det",
        "singer singer NOUN NN 0 root",
        "who who PRON WP 6 nsubj",
        "plays play VERB VBZ 4 acl:relcl",
        "chess chess NOUN NN 6 obj",
        ". . PUNCT . 4 punct",
        entities=(Entity("person", 0, 1),),
    )
    assert told(sentence) == [
        "copula (Ann; is; a singer who plays chess)",
        "relative (Ann; plays; chess)",
    ]


def test_an_apposition_says_what_somebody_is() -> None:
    sentence = parsed(
        "Bush, the president, resigned.",
        "Bush Bush PROPN NNP 6 nsubj",
        ", , PUNCT , 4 punct",
        "the the DET DT 4 det",
        "president president NOUN NN 1 appos",
        ", , PUNCT , 1 punct",
        "resigned resign VERB VBD 0 root",
        ". . PUNCT . 6 punct",
        entities=(Entity("person", 0, 1),),
    )
    assert told(sentence) == [
        "clause (Bush; resigned)",
        "apposition (Bush; is; the president)",
    ]


def test_the_name_is_the_subject_of_an_apposition() -> None:
    sentence = parsed(
        "The manager, Ann Lee, resigned.",
        "The the DET DT 2 det",
        "manager manager NOUN NN 7 nsubj",
        ", , PUNCT , 4 punct",
        "Ann Ann PROPN NNP 2 appos",
        "Lee Lee PROPN NNP 4 flat",
        ", , PUNCT , 2 punct",
        "resigned resign VERB VBD 0 root",
        ". . PUNCT . 7 punct",
        entities=(Entity("person", 3, 5),),
    )
    assert told(sentence) == [
        "clause (The manager, Ann Lee; resigned)",
        "apposition (Ann Lee; is; The manager)",
    ]


def test_an_owner_has_what_is_owned() -> None:
    sentence = parsed(
        "Ann's brother sings songs.",
        "Ann Ann PROPN NNP 3 nmod:poss",
        "'s 's PART POS 1 case",
        "brother brother NOUN NN 4 nsubj",
        "sings sing VERB VBZ 0 root",
        "songs song NOUN NNS 4 obj",
        ". . PUNCT . 4 punct",
        entities=(Entity("person", 0, 1),),
    )
    assert told(sentence) == [
        "clause (Ann's brother; sings; songs)",
        "possessive (Ann; has; brother)",
    ]


def test_coordinated_phrases_are_told_one_by_one() -> None:
    sentence = parsed(
        "Ann and Bob ate apples and pears.",
        "Ann Ann PROPN NNP 4 nsubj",
        "and and CCONJ CC 3 cc",
        "Bob Bob PROPN NNP 1 conj",
        "ate eat VERB VBD 0 root",
        "apples apple NOUN NNS 4 obj",
        "and and CCONJ CC 7 cc",
        "pears pear NOUN NNS 5 conj",
        ". . PUNCT . 4 punct",
        entities=(
            Entity("person", 0, 1),
            Entity("person", 2, 3),
        ),
    )
    assert told(sentence) == [
        "clause (Ann; ate; apples)",
        "clause (Ann; ate; pears)",
        "clause (Bob; ate; apples)",
        "clause (Bob; ate; pears)",
    ]


def test_an_infinitive_is_told_with_the_verb_above_it() -> None:
    sentence = parsed(
        "Ann refused to sell the house.",
        "Ann Ann PROPN NNP 2 nsubj",
        "refused refuse VERB VBD 0 root",
        "to to PART TO 4 mark",
        "sell sell VERB VB 2 xcomp",
        "the the DET DT 6 det",
        "house house NOUN NN 4 obj",
        ". . PUNCT . 2 punct",
        entities=(Entity("person", 0, 1),),
    )
    assert told(sentence) == [
        "control (Ann; refused to sell; the house)",
    ]


def test_an_infinitive_is_told_with_the_adjective_above_it() -> None:
    sentence = parsed(
        "Ann was able to sell the house.",
        "Ann Ann PROPN NNP 3 nsubj",
        "was be AUX VBD 3 cop",
        "able able ADJ JJ 0 root",
        "to to PART TO 5 mark",
        "sell sell VERB VB 3 xcomp",
        "the the DET DT 7 det",
        "house house NOUN NN 5 obj",
        ". . PUNCT . 3 punct",
        entities=(Entity("person", 0, 1),),
    )
    assert told(sentence) == [
        "copula (Ann; was able to sell; the house)",
    ]


def test_what_somebody_is_asked_to_do_is_told_with_the_asking() -> None:
    sentence = parsed(
        "The king asked Bob to leave Rome.",
        "The the DET DT 2 det",
        "king king NOUN NN 3 nsubj",
        "asked ask VERB VBD 0 root",
        "Bob Bob PROPN NNP 3 iobj",
        "to to PART TO 6 mark",
        "leave leave VERB VB 3 xcomp",
        "Rome Rome PROPN NNP 6 obj",
        ". . PUNCT . 3 punct",
        entities=(
            Entity("person", 3, 4),
            Entity("place", 6, 7),
        ),
    )
    assert told(sentence) == [
        "clause (The king; asked; Bob; to leave Rome)",
        "object-control (The king; asked Bob to leave; Rome)",
    ]


def test_whoever_is_kept_from_something_is_its_subject() -> None:
    sentence = parsed(
        "The wall kept Bob from leaving Rome.",
        "The the DET DT 2 det",
        "wall wall NOUN NN 3 nsubj",
        "kept keep VERB VBD 0 root",
        "Bob Bob PROPN NNP 3 obj",
        "from from SCONJ IN 6 mark",
        "leaving leave VERB VBG 3 advcl",
        "Rome Rome PROPN NNP 6 obj",
        ". . PUNCT . 3 punct",
        entities=(
            Entity("person", 3, 4),
            Entity("place", 6, 7),
        ),
    )
    assert told(sentence) == [
        "clause (The wall; kept; Bob)",
        "object-control (Bob; leaving; Rome)",
    ]


def test_an_adverbial_participle_shares_the_subject_of_the_main_clause() -> None:
    sentence = parsed(
        "Singing a song, Ann left the room.",
        "Singing sing VERB VBG 6 advcl",
        "a a DET DT 3 det",
        "song song NOUN NN 1 obj",
        ", , PUNCT , 1 punct",
        "Ann Ann PROPN NNP 6 nsubj",
        "left leave VERB VBD 0 root",
        "the the DET DT 8 det",
        "room room NOUN NN 6 obj",
        ". . PUNCT . 6 punct",
        entities=(Entity("person", 4, 5),),
    )
    assert told(sentence) == [
        "adverbial (Ann; Singing; a song)",
        "clause (Ann; left; the room)",
    ]


def test_a_purpose_has_the_subject_of_the_main_clause() -> None:
    sentence = parsed(
        "Ann went home to write a letter.",
        "Ann Ann PROPN NNP 2 nsubj",
        "went go VERB VBD 0 root",
        "home home ADV RB 2 advmod",
        "to to PART TO 5 mark",
        "write write VERB VB 2 advcl",
        "a a DET DT 7 det",
        "letter letter NOUN NN 5 obj",
        ". . PUNCT . 2 punct",
        entities=(Entity("person", 0, 1),),
    )
    assert told(sentence) == [
        "clause (Ann; went; home; to write a letter)",
        "purpose (Ann; to write; a letter)",
    ]


def test_reported_speech_is_an_argument_of_its_verb() -> None:
    sentence = parsed(
        '"It works," said Ann.',
        '" " PUNCT `` 3 punct',
        "It it PRON PRP 3 nsubj",
        "works work VERB VBZ 6 ccomp",
        ", , PUNCT , 3 punct",
        "\" \" PUNCT '' 3 punct",
        "said say VERB VBD 0 root",
        "Ann Ann PROPN NNP 6 nsubj",
        ". . PUNCT . 6 punct",
        entities=(Entity("person", 6, 7),),
    )
    assert told(sentence) == [
        "clause (It; works)",
        'clause (Ann; said; "It works,")',
    ]


def test_an_adjective_with_a_preposition_is_part_of_the_relation() -> None:
    sentence = parsed(
        "The law is subject to change.",
        "The the DET DT 2 det",
        "law law NOUN NN 4 nsubj",
        "is be AUX VBZ 4 cop",
        "subject subject ADJ JJ 0 root",
        "to to ADP IN 6 case",
        "change change NOUN NN 4 obl",
        ". . PUNCT . 4 punct",
    )
    assert told(sentence) == [
        "copula (The law; is subject to; change)",
    ]


def test_an_adverb_before_a_predicate_noun_belongs_to_the_relation() -> None:
    sentence = parsed(
        "Ann is also the deputy.",
        "Ann Ann PROPN NNP 5 nsubj",
        "is be AUX VBZ 5 cop",
        "also also ADV RB 5 advmod",
        "the the DET DT 5 det",
        "deputy deputy NOUN NN 0 root",
        ". . PUNCT . 5 punct",
        entities=(Entity("person", 0, 1),),
    )
    assert told(sentence) == [
        "copula (Ann; is also; the deputy)",
    ]


def test_a_preposition_after_the_copula_ends_the_relation() -> None:
    sentence = parsed(
        "The boat is in the harbour.",
        "The the DET DT 2 det",
        "boat boat NOUN NN 6 nsubj",
        "is be AUX VBZ 6 cop",
        "in in ADP IN 6 case",
        "the the DET DT 6 det",
        "harbour harbour NOUN NN 0 root",
        ". . PUNCT . 6 punct",
    )
    assert told(sentence) == [
        "copula (The boat; is in; the harbour)",
    ]


def test_a_clause_can_be_a_predicate() -> None:
    sentence = parsed(
        "The idea is that money grows.",
        "The the DET DT 2 det",
        "idea idea NOUN NN 6 nsubj:outer",
        "is be AUX VBZ 6 cop",
        "that that SCONJ IN 6 mark",
        "money money NOUN NN 6 nsubj",
        "grows grow VERB VBZ 0 root",
        ". . PUNCT . 6 punct",
    )
    assert told(sentence) == [
        "copula (The idea; is that; money grows)",
        "clause (money; grows)",
    ]


def test_a_second_verb_shares_the_subject() -> None:
    sentence = parsed(
        "Ann was born in Oslo and died in Rome.",
        "Ann Ann PROPN NNP 3 nsubj:pass",
        "was be AUX VBD 3 aux:pass",
        "born bear VERB VBN 0 root",
        "in in ADP IN 5 case",
        "Oslo Oslo PROPN NNP 3 obl",
        "and and CCONJ CC 7 cc",
        "died die VERB VBD 3 conj",
        "in in ADP IN 9 case",
        "Rome Rome PROPN NNP 7 obl",
        ". . PUNCT . 3 punct",
        entities=(
            Entity("person", 0, 1),
            Entity("place", 4, 5),
            Entity("place", 8, 9),
        ),
    )
    assert told(sentence) == [
        "clause (Ann; was born in; Oslo)",
        "conjunct (Ann; died in; Rome)",
    ]


def test_a_second_bare_verb_shares_the_auxiliary_as_well() -> None:
    sentence = parsed(
        "Ann will sing and dance tangos.",
        "Ann Ann PROPN NNP 3 nsubj",
        "will will AUX MD 3 aux",
        "sing sing VERB VB 0 root",
        "and and CCONJ CC 5 cc",
        "dance dance VERB VB 3 conj",
        "tangos tango NOUN NNS 5 obj",
        ". . PUNCT . 3 punct",
        entities=(Entity("person", 0, 1),),
    )
    assert told(sentence) == [
        "clause (Ann; will sing)",
        "conjunct (Ann; will dance; tangos)",
    ]


def test_a_title_says_what_somebody_is() -> None:
    sentence = parsed(
        "President Lee met Bob.",
        "President President PROPN NNP 2 nmod:desc",
        "Lee Lee PROPN NNP 3 nsubj",
        "met meet VERB VBD 0 root",
        "Bob Bob PROPN NNP 3 obj",
        ". . PUNCT . 3 punct",
        entities=(
            Entity("person", 0, 2),
            Entity("person", 3, 4),
        ),
    )
    assert told(sentence) == [
        "clause (President Lee; met; Bob)",
        "title (Lee; is; President)",
    ]


def test_a_noun_inside_an_argument_makes_a_nested_fact() -> None:
    sentence = parsed(
        "Ann served as mayor of Oslo.",
        "Ann Ann PROPN NNP 2 nsubj",
        "served serve VERB VBD 0 root",
        "as as ADP IN 4 case",
        "mayor mayor NOUN NN 2 obl",
        "of of ADP IN 6 case",
        "Oslo Oslo PROPN NNP 4 nmod",
        ". . PUNCT . 2 punct",
        entities=(
            Entity("person", 0, 1),
            Entity("place", 5, 6),
        ),
    )
    assert told(sentence, shape="all") == [
        "clause (Ann; served as; mayor of Oslo)",
        "clause/nested (Ann; served as mayor of; Oslo)",
    ]


def test_a_participle_inside_an_argument_makes_a_nested_fact() -> None:
    sentence = parsed(
        "The court handles cases involving children.",
        "The the DET DT 2 det",
        "court court NOUN NN 3 nsubj",
        "handles handle VERB VBZ 0 root",
        "cases case NOUN NNS 3 obj",
        "involving involve VERB VBG 4 acl",
        "children child NOUN NNS 5 obj",
        ". . PUNCT . 3 punct",
    )
    assert told(sentence, shape="all") == [
        "clause (The court; handles; cases involving children)",
        "clause/nested (The court; handles cases involving; children)",
        "participle (cases; involving; children)",
    ]


def test_an_existential_says_what_is_where() -> None:
    sentence = parsed(
        "There are wolves in Norway.",
        "There there PRON EX 2 expl",
        "are be VERB VBP 0 root",
        "wolves wolf NOUN NNS 2 nsubj",
        "in in ADP IN 5 case",
        "Norway Norway PROPN NNP 3 nmod",
        ". . PUNCT . 2 punct",
        entities=(Entity("place", 4, 5),),
    )
    assert told(sentence) == [
        "existential (wolves; are in; Norway)",
    ]


def test_an_existential_without_a_place_keeps_there() -> None:
    sentence = parsed(
        "There are seven wonders.",
        "There there PRON EX 2 expl",
        "are be VERB VBP 0 root",
        "seven seven NUM CD 4 nummod",
        "wonders wonder NOUN NNS 2 nsubj",
        ". . PUNCT . 2 punct",
        entities=(Entity("number", 2, 3),),
    )
    assert told(sentence) == [
        "existential (There; are; seven wonders)",
    ]


def test_a_place_after_a_comma_contains_the_one_before() -> None:
    sentence = parsed(
        "Ann lives in Bergen, Norway.",
        "Ann Ann PROPN NNP 2 nsubj",
        "lives live VERB VBZ 0 root",
        "in in ADP IN 4 case",
        "Bergen Bergen PROPN NNP 2 obl",
        ", , PUNCT , 6 punct",
        "Norway Norway PROPN NNP 4 nmod:unmarked",
        ". . PUNCT . 2 punct",
        entities=(
            Entity("person", 0, 1),
            Entity("place", 3, 4),
            Entity("place", 5, 6),
        ),
    )
    assert told(sentence) == [
        "clause (Ann; lives in; Bergen, Norway)",
        "place (Bergen; is in; Norway)",
    ]


def test_a_preposition_between_nouns_makes_no_tuple() -> None:
    sentence = parsed(
        "The road through the forest is closed.",
        "The the DET DT 2 det",
        "road road NOUN NN 7 nsubj:pass",
        "through through ADP IN 5 case",
        "the the DET DT 5 det",
        "forest forest NOUN NN 2 nmod",
        "is be AUX VBZ 7 aux:pass",
        "closed close VERB VBN 0 root",
        ". . PUNCT . 7 punct",
    )
    assert told(sentence) == ["clause (The road through the forest; is closed)"]


def test_a_clause_after_that_is_an_argument() -> None:
    sentence = parsed(
        "Ann believes that the old bridge will collapse.",
        "Ann Ann PROPN NNP 2 nsubj",
        "believes believe VERB VBZ 0 root",
        "that that SCONJ IN 8 mark",
        "the the DET DT 6 det",
        "old old ADJ JJ 6 amod",
        "bridge bridge NOUN NN 8 nsubj",
        "will will AUX MD 8 aux",
        "collapse collapse VERB VB 2 ccomp",
        ". . PUNCT . 2 punct",
        entities=(Entity("person", 0, 1),),
    )
    assert told(sentence) == [
        "clause (Ann; believes that; the old bridge will collapse)",
        "clause (the old bridge; will collapse)",
    ]


def test_time_follows_the_clause_that_was_said() -> None:
    sentence = parsed(
        "The senator announced on Monday that taxes would rise.",
        "The the DET DT 2 det",
        "senator senator NOUN NN 3 nsubj",
        "announced announce VERB VBD 0 root",
        "on on ADP IN 5 case",
        "Monday Monday PROPN NNP 3 obl",
        "that that SCONJ IN 9 mark",
        "taxes tax NOUN NNS 9 nsubj",
        "would would AUX MD 9 aux",
        "rise rise VERB VB 3 ccomp",
        ". . PUNCT . 3 punct",
        entities=(Entity("datetime", 4, 5),),
    )
    assert told(sentence) == [
        "clause (The senator; announced that; taxes would rise; on Monday)",
        "clause (taxes; would rise)",
    ]


def test_a_second_object_complement_is_an_argument() -> None:
    sentence = parsed(
        "Ann called Bob a liar.",
        "Ann Ann PROPN NNP 2 nsubj",
        "called call VERB VBD 0 root",
        "Bob Bob PROPN NNP 2 obj",
        "a a DET DT 5 det",
        "liar liar NOUN NN 2 xcomp",
        ". . PUNCT . 2 punct",
        entities=(
            Entity("person", 0, 1),
            Entity("person", 2, 3),
        ),
    )
    assert told(sentence) == [
        "clause (Ann; called; Bob; a liar)",
    ]


def test_a_clause_without_arguments_is_kept_with_little_confidence() -> None:
    sentence = parsed(
        "Ann swims.",
        "Ann Ann PROPN NNP 2 nsubj",
        "swims swim VERB VBZ 0 root",
        ". . PUNCT . 2 punct",
        entities=(Entity("person", 0, 1),),
    )
    assert told(sentence) == [
        "clause (Ann; swims)",
    ]


def test_questions_are_told_as_well() -> None:
    sentence = parsed(
        "Who wrote the play Bob saw in Leeds?",
        "Who who PRON WP 2 nsubj",
        "wrote write VERB VBD 0 root",
        "the the DET DT 4 det",
        "play play NOUN NN 2 obj",
        "Bob Bob PROPN NNP 6 nsubj",
        "saw see VERB VBD 4 acl:relcl",
        "in in ADP IN 8 case",
        "Leeds Leeds PROPN NNP 6 obl",
        "? ? PUNCT . 2 punct",
        entities=(
            Entity("person", 4, 5),
            Entity("place", 7, 8),
        ),
    )
    assert told(sentence) == [
        "clause (Who; wrote; the play Bob saw in Leeds)",
        "clause (Bob; saw; the play; in Leeds)",
    ]


def test_an_imperative_without_subject_tells_nothing() -> None:
    sentence = parsed(
        "Run!",
        "Run run VERB VB 0 root",
        "! ! PUNCT . 1 punct",
    )
    assert told(sentence) == []
