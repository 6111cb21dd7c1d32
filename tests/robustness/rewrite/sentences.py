"""Sentences with parses written by hand, for the rules of the rewriter."""

from __future__ import annotations

from tests.extract.parsed import parsed
from tupelo.core import Analysis, Entity
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite import RULES
from tupelo.robustness.rewrite.carry import carry
from tupelo.robustness.rewrite.draft import Rewrite, finish


def made(rule: str, analysis: Analysis) -> list[Rewrite]:
    tree = DependencyTree(analysis)
    drafts = [finish(tree, draft) for draft in RULES.get(rule)(tree)]
    return [draft for draft in drafts if draft is not None]


def texts(rule: str, analysis: Analysis) -> list[str]:
    return list(dict.fromkeys(rewrite.text for rewrite in made(rule, analysis)))


def carried(rule: str, analysis: Analysis, *tuples: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The tuples after the first rewrite that the rule makes."""
    return list(carry(tuples, DependencyTree(analysis), made(rule, analysis)[0]))


FOUND = parsed(
    "Mr. Baker found an opening under the house in 1990 .",
    "Mr. Mr. PROPN NNP 2 compound",
    "Baker Baker PROPN NNP 3 nsubj",
    "found find VERB VBD 0 root",
    "an a DET DT 5 det",
    "opening opening NOUN NN 3 obj",
    "under under ADP IN 8 case",
    "the the DET DT 8 det",
    "house house NOUN NN 3 obl",
    "in in ADP IN 10 case",
    "1990 1990 NUM CD 3 obl",
    ". . PUNCT . 3 punct",
    entities=(Entity("person", 0, 2), Entity("datetime", 9, 10)),
)
BUILT = parsed(
    "The bridge was quickly built by monks in Prague .",
    "The the DET DT 2 det",
    "bridge bridge NOUN NN 5 nsubj:pass",
    "was be AUX VBD 5 aux:pass",
    "quickly quickly ADV RB 5 advmod",
    "built build VERB VBN 0 root",
    "by by ADP IN 7 case",
    "monks monk NOUN NNS 5 obl:agent",
    "in in ADP IN 9 case",
    "Prague Prague PROPN NNP 5 obl",
    ". . PUNCT . 5 punct",
    entities=(Entity("place", 8, 9),),
)
SAID = parsed(
    "Critics said that the plan failed .",
    "Critics critic NOUN NNS 2 nsubj",
    "said say VERB VBD 0 root",
    "that that SCONJ IN 6 mark",
    "the the DET DT 5 det",
    "plan plan NOUN NN 6 nsubj",
    "failed fail VERB VBD 2 ccomp",
    ". . PUNCT . 2 punct",
)
REMARK = parsed(
    "The plan failed , critics said .",
    "The the DET DT 2 det",
    "plan plan NOUN NN 3 nsubj",
    "failed fail VERB VBD 0 root",
    ", , PUNCT , 6 punct",
    "critics critic NOUN NNS 6 nsubj",
    "said say VERB VBD 3 parataxis",
    ". . PUNCT . 3 punct",
)
QUOTED = parsed(
    "`` The plan failed , '' said Ann .",
    "`` `` PUNCT `` 4 punct",
    "The the DET DT 3 det",
    "plan plan NOUN NN 4 nsubj",
    "failed fail VERB VBD 7 ccomp",
    ", , PUNCT , 4 punct",
    "'' '' PUNCT '' 4 punct",
    "said say VERB VBD 0 root",
    "Ann Ann PROPN NNP 7 nsubj",
    ". . PUNCT . 7 punct",
    entities=(Entity("person", 7, 8),),
)
PARLIAMENT = parsed(
    "China 's parliament ousted two members .",
    "China China PROPN NNP 3 nmod:poss",
    "'s 's PART POS 1 case",
    "parliament parliament NOUN NN 4 nsubj",
    "ousted oust VERB VBD 0 root",
    "two two NUM CD 6 nummod",
    "members member NOUN NNS 4 obj",
    ". . PUNCT . 4 punct",
    entities=(Entity("place", 0, 1),),
)
GAVE = parsed(
    "The council gave the museum a statue .",
    "The the DET DT 2 det",
    "council council NOUN NN 3 nsubj",
    "gave give VERB VBD 0 root",
    "the the DET DT 5 det",
    "museum museum NOUN NN 3 iobj",
    "a a DET DT 7 det",
    "statue statue NOUN NN 3 obj",
    ". . PUNCT . 3 punct",
)
NURSE = parsed(
    "Alan , a nurse , sang .",
    "Alan Alan PROPN NNP 6 nsubj",
    ", , PUNCT , 4 punct",
    "a a DET DT 4 det",
    "nurse nurse NOUN NN 1 appos",
    ", , PUNCT , 4 punct",
    "sang sing VERB VBD 0 root",
    ". . PUNCT . 6 punct",
    entities=(Entity("person", 0, 1),),
)
RELATIVE = parsed(
    "He saw a door that was built by monks .",
    "He he PRON PRP 2 nsubj",
    "saw see VERB VBD 0 root",
    "a a DET DT 4 det",
    "door door NOUN NN 2 obj",
    "that that PRON WDT 7 nsubj:pass",
    "was be AUX VBD 7 aux:pass",
    "built build VERB VBN 4 acl:relcl",
    "by by ADP IN 9 case",
    "monks monk NOUN NNS 7 obl:agent",
    ". . PUNCT . 2 punct",
)
PARTICIPLE = parsed(
    "He saw a door built by monks .",
    "He he PRON PRP 2 nsubj",
    "saw see VERB VBD 0 root",
    "a a DET DT 4 det",
    "door door NOUN NN 2 obj",
    "built build VERB VBN 4 acl",
    "by by ADP IN 7 case",
    "monks monk NOUN NNS 5 obl:agent",
    ". . PUNCT . 2 punct",
)
BECAUSE = parsed(
    "Ann left because it rained .",
    "Ann Ann PROPN NNP 2 nsubj",
    "left leave VERB VBD 0 root",
    "because because SCONJ IN 5 mark",
    "it it PRON PRP 5 nsubj",
    "rained rain VERB VBD 2 advcl",
    ". . PUNCT . 2 punct",
    entities=(Entity("person", 0, 1),),
)
BUT = parsed(
    "The plan failed , but the team won .",
    "The the DET DT 2 det",
    "plan plan NOUN NN 3 nsubj",
    "failed fail VERB VBD 0 root",
    ", , PUNCT , 8 punct",
    "but but CCONJ CC 8 cc",
    "the the DET DT 7 det",
    "team team NOUN NN 8 nsubj",
    "won win VERB VBD 3 conj",
    ". . PUNCT . 3 punct",
)
TOURED = parsed(
    "He toured the world and earned a nickname .",
    "He he PRON PRP 2 nsubj",
    "toured tour VERB VBD 0 root",
    "the the DET DT 4 det",
    "world world NOUN NN 2 obj",
    "and and CCONJ CC 6 cc",
    "earned earn VERB VBD 2 conj",
    "a a DET DT 8 det",
    "nickname nickname NOUN NN 6 obj",
    ". . PUNCT . 2 punct",
)
OWNER = parsed(
    "Deseret is the parent of the bank .",
    "Deseret Deseret PROPN NNP 4 nsubj",
    "is be AUX VBZ 4 cop",
    "the the DET DT 4 det",
    "parent parent NOUN NN 0 root",
    "of of ADP IN 7 case",
    "the the DET DT 7 det",
    "bank bank NOUN NN 4 nmod",
    ". . PUNCT . 4 punct",
    entities=(Entity("organization", 0, 1),),
)
AGREED = parsed(
    "Chugai agreed to buy the firm .",
    "Chugai Chugai PROPN NNP 2 nsubj",
    "agreed agree VERB VBD 0 root",
    "to to PART TO 4 mark",
    "buy buy VERB VB 2 xcomp",
    "the the DET DT 6 det",
    "firm firm NOUN NN 4 obj",
    ". . PUNCT . 2 punct",
    entities=(Entity("organization", 0, 1),),
)
NEVER = parsed(
    "He never saw them .",
    "He he PRON PRP 3 nsubj",
    "never never ADV RB 3 advmod",
    "saw see VERB VBD 0 root",
    "them they PRON PRP 3 obj",
    ". . PUNCT . 3 punct",
)
ALTHOUGH = parsed(
    "Although the plan failed , the team won .",
    "Although although SCONJ IN 4 mark",
    "the the DET DT 3 det",
    "plan plan NOUN NN 4 nsubj",
    "failed fail VERB VBD 8 advcl",
    ", , PUNCT , 4 punct",
    "the the DET DT 7 det",
    "team team NOUN NN 8 nsubj",
    "won win VERB VBD 0 root",
    ". . PUNCT . 8 punct",
)
ALSO = parsed(
    "Ann also sang songs .",
    "Ann Ann PROPN NNP 3 nsubj",
    "also also ADV RB 3 advmod",
    "sang sing VERB VBD 0 root",
    "songs song NOUN NNS 3 obj",
    ". . PUNCT . 3 punct",
)
THERE = parsed(
    "There is a church in Oslo .",
    "There there PRON EX 2 expl",
    "is be VERB VBZ 0 root",
    "a a DET DT 4 det",
    "church church NOUN NN 2 nsubj",
    "in in ADP IN 6 case",
    "Oslo Oslo PROPN NNP 2 obl",
    ". . PUNCT . 2 punct",
    entities=(Entity("place", 5, 6),),
)
EDITOR = parsed(
    "The editor , Ann Lee , sang .",
    "The the DET DT 2 det",
    "editor editor NOUN NN 7 nsubj",
    ", , PUNCT , 5 punct",
    "Ann Ann PROPN NNP 5 compound",
    "Lee Lee PROPN NNP 2 appos",
    ", , PUNCT , 2 punct",
    "sang sing VERB VBD 0 root",
    ". . PUNCT . 7 punct",
    entities=(Entity("person", 3, 5),),
)
LOOSE = parsed(
    "The bridge , built in 1490 , fell .",
    "The the DET DT 2 det",
    "bridge bridge NOUN NN 8 nsubj",
    ", , PUNCT , 4 punct",
    "built build VERB VBN 2 acl",
    "in in ADP IN 6 case",
    "1490 1490 NUM CD 4 obl",
    ", , PUNCT , 2 punct",
    "fell fall VERB VBD 0 root",
    ". . PUNCT . 8 punct",
    entities=(Entity("datetime", 5, 6),),
)
WROTE = parsed(
    "The book that Ann wrote sold .",
    "The the DET DT 2 det",
    "book book NOUN NN 6 nsubj",
    "that that PRON WDT 5 obj",
    "Ann Ann PROPN NNP 5 nsubj",
    "wrote write VERB VBD 2 acl:relcl",
    "sold sell VERB VBD 0 root",
    ". . PUNCT . 6 punct",
)
LOCALS = parsed(
    "The locals all speak the language .",
    "The the DET DT 2 det",
    "locals local NOUN NNS 4 nsubj",
    "all all ADV RB 4 advmod",
    "speak speak VERB VBP 0 root",
    "the the DET DT 6 det",
    "language language NOUN NN 4 obj",
    ". . PUNCT . 4 punct",
)
FAILED = parsed(
    "Ann left because the plan failed .",
    "Ann Ann PROPN NNP 2 nsubj",
    "left leave VERB VBD 0 root",
    "because because SCONJ IN 6 mark",
    "the the DET DT 5 det",
    "plan plan NOUN NN 6 nsubj",
    "failed fail VERB VBD 2 advcl",
    ". . PUNCT . 2 punct",
)
DRINKS = parsed(
    "Ann likes cold tea and warm milk .",
    "Ann Ann PROPN NNP 2 nsubj",
    "likes like VERB VBZ 0 root",
    "cold cold ADJ JJ 4 amod",
    "tea tea NOUN NN 2 obj",
    "and and CCONJ CC 7 cc",
    "warm warm ADJ JJ 7 amod",
    "milk milk NOUN NN 4 conj",
    ". . PUNCT . 2 punct",
)
