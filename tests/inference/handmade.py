"""N-grams written by hand, each with the assertion that the ten steps give for it, worked out on paper.

`GOOD` are n-grams that are well formed: why, tokens, count and the assertion, or
`None` with the step that rejects it named in the reason. `MALFORMED` are lines that are no n-grams,
each with what is wrong.
"""

from __future__ import annotations

GOOD: tuple[tuple[str, str, int, tuple[str, str, str] | None], ...] = (
    # Step 2, accepted: the three kinds of subject and of object.
    ("direct object", "dogs/NNS/nsubj/2 chase/VBP/ROOT/0 cats/NNS/dobj/2", 10, ("dogs", "chase", "cats")),
    (
        "passive subject, prepositional object",
        "cities/NNS/nsubjpass/3 were/VBD/auxpass/3 built/VBN/ROOT/0 on/IN/prep/3 hills/NNS/pobj/4",
        11,
        ("cities", "were built on", "hills"),
    ),
    (
        "controlling subject",
        "he/PRP/xsubj/3 to/TO/aux/3 leave/VB/xcomp/0 town/NN/dobj/3",
        12,
        ("he", "to leave", "town"),
    ),
    ("copular object", "she/PRP/nsubj/2 is/VBZ/ROOT/0 queen/NN/attr/2", 13, ("she", "is", "queen")),
    (
        "the example of the supplement",
        "chocolate/NN/nsubjpass/3 is/VBZ/auxpass/3 made/VBN/ROOT/0 from/IN/prep/3 the/DT/det/7 cocoa/NN/nn/7 "
        "bean/NN/pobj/4",
        22,
        ("chocolate", "is made from", "the cocoa bean"),
    ),
    ("the root may have any label", "rain/NN/nsubj/2 makes/VBZ/ccomp/0 mud/NN/dobj/2", 14, ("rain", "makes", "mud")),
    ("every tag of a verb: VB", "rain/NN/nsubj/2 make/VB/ccomp/0 mud/NN/dobj/2", 15, ("rain", "make", "mud")),
    ("VBD", "rain/NN/nsubj/2 made/VBD/rcmod/0 mud/NN/dobj/2", 16, ("rain", "made", "mud")),
    ("VBG", "rain/NN/nsubj/2 making/VBG/partmod/0 mud/NN/dobj/2", 17, ("rain", "making", "mud")),
    ("VBN", "rain/NN/nsubj/2 made/VBN/partmod/0 mud/NN/dobj/2", 18, ("rain", "made", "mud")),
    (
        "tokens in between",
        "rain/NN/nsubj/3 often/RB/advmod/3 makes/VBZ/ROOT/0 mud/NN/dobj/3",
        19,
        ("rain", "often makes", "mud"),
    ),
    (
        "tokens before the subject are left out",
        "when/WRB/advmod/3 rain/NN/nsubj/3 makes/VBZ/ROOT/0 mud/NN/dobj/3",
        20,
        ("rain", "makes", "mud"),
    ),
    (
        "two tokens before the subject",
        "and/CC/cc/4 then/RB/advmod/4 rain/NN/nsubj/4 makes/VBZ/ROOT/0 mud/NN/dobj/4",
        21,
        ("rain", "makes", "mud"),
    ),
    (
        "modals and negation stay in the relation",
        "rain/NN/nsubj/4 may/MD/aux/4 not/RB/neg/4 make/VB/ROOT/0 mud/NN/dobj/4",
        22,
        ("rain", "may not make", "mud"),
    ),
    (
        "an object inside the relation",
        "france/NNP/nsubj/2 declared/VBD/ROOT/0 war/NN/dobj/2 on/IN/prep/2 germany/NNP/pobj/4",
        23,
        ("france", "declared war on", "germany"),
    ),
    # Step 2, rejected.
    ("step 2: no subject", "chase/VBP/ROOT/0 the/DT/det/3 cats/NNS/dobj/1", 30, None),
    ("step 2: a clause is no subject", "smoking/VBG/csubj/2 kills/VBZ/ROOT/0 people/NNS/dobj/2", 31, None),
    (
        "step 2: a passive clause is none either",
        "lying/VBG/csubjpass/3 is/VBZ/auxpass/3 called/VBN/ROOT/0 sin/NN/dobj/3",
        32,
        None,
    ),
    ("step 2: the root is a noun", "she/PRP/nsubj/4 is/VBZ/cop/4 the/DT/det/4 queen/NN/ROOT/0", 33, None),
    (
        "step 2: the root is a noun before an object",
        "she/PRP/nsubj/2 fan/NN/ROOT/0 of/IN/prep/2 jazz/NN/pobj/3",
        34,
        None,
    ),
    ("step 2: a modal is no verb", "she/PRP/nsubj/2 can/MD/ROOT/0 french/NNP/dobj/2", 35, None),
    (
        "step 2: a verb that is not the root does not count",
        "she/PRP/nsubj/4 having/VBG/partmod/1 a/DT/det/4 fan/NN/ROOT/0 of/IN/prep/4 jazz/NN/pobj/5",
        36,
        None,
    ),
    ("step 2: no object at the end", "dogs/NNS/nsubj/2 chase/VBP/ROOT/0 cats/NNS/dobj/2 daily/RB/advmod/2", 37, None),
    ("step 2: the verb is the last token", "cats/NNS/dobj/3 dogs/NNS/nsubj/3 chase/VBP/ROOT/0", 38, None),
    (
        "step 2: the subject comes after the verb",
        "said/VBD/ROOT/0 he/PRP/nsubj/1 to/TO/prep/1 me/PRP/pobj/3",
        39,
        None,
    ),
    ("step 2: an indirect object is none", "she/PRP/nsubj/2 told/VBD/ROOT/0 him/PRP/iobj/2", 40, None),
    ("step 2: an adjective after be is none", "she/PRP/nsubj/2 is/VBZ/ROOT/0 happy/JJ/acomp/2", 41, None),
    ("step 2: a clause as object is none", "she/PRP/nsubj/2 said/VBD/ROOT/0 left/VBD/ccomp/2", 42, None),
    ("step 2: a single token", "dogs/NNS/nsubj/0", 43, None),
    ("step 2: a preposition at the end", "dogs/NNS/nsubj/2 live/VBP/ROOT/0 in/IN/prep/2", 44, None),
    ("step 2: a label that only begins like one", "she/PRP/nsubj/2 ate/VBD/ROOT/0 it/PRP/dobjx/2", 45, None),
    ("step 2: a label that only ends like one", "she/PRP/xnsubj/2 ate/VBD/ROOT/0 it/PRP/dobj/2", 46, None),
    # Step 3, rejected: what is unique must be.
    ("step 3: two subjects", "he/PRP/nsubj/3 who/WP/nsubj/3 ate/VBD/ROOT/0 it/PRP/dobj/3", 50, None),
    (
        "step 3: a subject of the subject's clause",
        "man/NN/nsubj/4 she/PRP/nsubj/3 knew/VBD/rcmod/1 ate/VBD/ROOT/0 it/PRP/dobj/4",
        51,
        None,
    ),
    (
        "step 3: two kinds of subject are two subjects",
        "he/PRP/nsubj/2 was/VBD/ROOT/0 seen/VBN/nsubjpass/2 by/IN/prep/2 us/PRP/pobj/4",
        52,
        None,
    ),
    ("step 3: two roots", "he/PRP/nsubj/2 ate/VBD/ROOT/0 drank/VBD/ROOT/0 tea/NN/dobj/3", 53, None),
    ("step 3: a second root that is no verb", "oh/UH/ROOT/0 he/PRP/nsubj/3 ate/VBD/ROOT/0 it/PRP/dobj/3", 54, None),
    # Steps 4 and 5: subtrees.
    (
        "step 4: everything below the subject",
        "the/DT/det/4 big/JJ/amod/4 guard/NN/nn/4 dogs/NNS/nsubj/5 chase/VBP/ROOT/0 cats/NNS/dobj/5",
        60,
        ("the big guard dogs", "chase", "cats"),
    ),
    (
        "step 4: what is below something below the subject",
        "the/DT/det/4 guard/NN/nn/3 dog/NN/nn/4 school/NN/nsubj/5 trains/VBZ/ROOT/0 dogs/NNS/dobj/5",
        61,
        ("the guard dog school", "trains", "dogs"),
    ),
    (
        "step 5: everything below the last token",
        "dogs/NNS/nsubj/2 chase/VBP/ROOT/0 the/DT/det/6 small/JJ/amod/6 house/NN/nn/6 cats/NNS/dobj/2",
        62,
        ("dogs", "chase", "the small house cats"),
    ),
    (
        "step 5: the object is that of the last token, not the nearest",
        "dogs/NNS/nsubj/2 give/VBP/ROOT/0 cats/NNS/dobj/2 to/TO/prep/2 the/DT/det/6 wind/NN/pobj/4",
        63,
        ("dogs", "give cats to", "the wind"),
    ),
    (
        "step 6: dep inside is allowed",
        "dogs/NNS/nsubj/2 chase/VBP/ROOT/0 two/CD/dep/4 cats/NNS/dobj/2",
        64,
        ("dogs", "chase", "two cats"),
    ),
    # Step 6, rejected.
    (
        "step 6: a possessive inside the subject",
        "his/PRP$/poss/2 dogs/NNS/nsubj/3 chase/VBP/ROOT/0 cats/NNS/dobj/3",
        70,
        None,
    ),
    (
        "step 6: a number inside the object",
        "dogs/NNS/nsubj/2 chase/VBP/ROOT/0 two/CD/num/4 cats/NNS/dobj/2",
        71,
        None,
    ),
    (
        "step 6: a preposition inside the subject",
        "dogs/NNS/nsubj/4 of/IN/prep/1 war/NN/pobj/2 chase/VBP/ROOT/0 cats/NNS/dobj/4",
        72,
        None,
    ),
    (
        "step 6: a relative clause inside the subject",
        "dogs/NNS/nsubj/3 barking/VBG/partmod/1 chase/VBP/ROOT/0 cats/NNS/dobj/3",
        73,
        None,
    ),
    (
        "step 6: a gap in the subject",
        "the/DT/det/3 often/RB/advmod/4 dogs/NNS/nsubj/4 chase/VBP/ROOT/0 cats/NNS/dobj/4",
        74,
        None,
    ),
    (
        "step 6: the subject goes on after the verb",
        "man/NN/nsubj/2 came/VBD/ROOT/0 old/JJ/amod/1 to/TO/prep/2 town/NN/pobj/4",
        75,
        None,
    ),
    ("step 6: a gap in the object", "dogs/NNS/nsubj/3 big/JJ/amod/4 chase/VBP/ROOT/0 cats/NNS/dobj/3", 76, None),
    (
        "step 6: a conjunct inside the object",
        "dogs/NNS/nsubj/2 chase/VBP/ROOT/0 cats/NNS/conj/4 birds/NNS/dobj/2",
        77,
        None,
    ),
    (
        "step 6: one bad label deep inside is enough",
        "dogs/NNS/nsubj/2 chase/VBP/ROOT/0 his/PRP$/poss/4 house/NN/nn/5 cats/NNS/dobj/2",
        78,
        None,
    ),
    # Step 7.
    (
        "step 7: a chain of prepositions",
        "he/PRP/nsubj/2 came/VBD/ROOT/0 out/IN/prep/2 of/IN/prep/3 town/NN/pobj/4",
        80,
        ("he", "came out of", "town"),
    ),
    (
        "step 7: a clause between",
        "he/PRP/nsubj/2 wants/VBZ/ROOT/0 to/TO/aux/4 eat/VB/xcomp/2 cake/NN/dobj/4",
        81,
        ("he", "wants to eat", "cake"),
    ),
    (
        "step 7: a token between that belongs to one before the subject",
        "slowly/RB/advmod/4 he/PRP/nsubj/4 very/RB/advmod/1 ate/VBD/ROOT/0 cake/NN/dobj/4",
        82,
        None,
    ),
    (
        "step 7: a chain that leaves the span",
        "slowly/RB/advmod/5 he/PRP/nsubj/5 so/RB/advmod/4 very/RB/advmod/1 ate/VBD/ROOT/0 cake/NN/dobj/5",
        83,
        None,
    ),
    (
        "step 7: the object's own preposition stands before the subject",
        "in/IN/prep/3 he/PRP/nsubj/3 lived/VBD/ROOT/0 towns/NNS/pobj/1",
        84,
        ("he", "lived", "towns"),
    ),
    (
        "step 7: a word between with its own subtree",
        "he/PRP/nsubj/2 drinks/VBZ/ROOT/0 the/DT/det/4 tea/NN/dobj/2 with/IN/prep/2 milk/NN/pobj/5",
        85,
        ("he", "drinks the tea with", "milk"),
    ),
    # Step 8: strings.
    (
        "step 8: a word with a slash",
        "and/or/CC/cc/3 he/she/PRP/nsubj/3 ate/VBD/ROOT/0 1/2/CD/dobj/3",
        90,
        ("he/she", "ate", "1/2"),
    ),
    ("step 8: a word that is a slash", "//NN/nsubj/2 means/VBZ/ROOT/0 //NN/dobj/2", 91, ("/", "means", "/")),
    (
        "step 8: a word that looks like a token",
        "a/nsubj/1/NN/nsubj/2 means/VBZ/ROOT/0 b/VB/ROOT/0/NN/dobj/2",
        92,
        ("a/nsubj/1", "means", "b/VB/ROOT/0"),
    ),
    (
        "step 8: words outside English",
        "Łódź/NNP/nsubj/2 liebt/VBZ/ROOT/0 Käse/NN/dobj/2",
        93,
        ("Łódź", "liebt", "Käse"),
    ),
    ("step 8: case is kept", "Dogs/NNS/nsubj/2 Chase/VBP/ROOT/0 CATS/NNS/dobj/2", 94, ("Dogs", "Chase", "CATS")),
    (
        "step 8: the same words from another tree count together with the first line",
        "dogs/NNS/nsubj/2 chase/VBP/conj/0 cats/NNS/pobj/2",
        95,
        ("dogs", "chase", "cats"),
    ),
)

# Step 9: the lines with the same words.
TOGETHER = {
    ("dogs", "chase", "cats"): 10 + 95,
    ("rain", "makes", "mud"): 14 + 20 + 21,
    ("rain", "made", "mud"): 16 + 18,
}

MALFORMED: tuple[tuple[str, str], ...] = (
    ("", "an empty line"),
    ("dogs", "1 field(s)"),
    ("dogs dogs/NNS/nsubj/0 10", "1 field(s)"),
    ("dogs\tdogs/NNS/nsubj/0", "2 field(s)"),
    ("\tdogs/NNS/nsubj/0\t10", "an empty head word"),
    ("dogs\tdogs/NNS/nsubj\t10", "token 'dogs/NNS/nsubj' has 3 part(s)"),
    ("dogs\t/NNS/nsubj/0\t10", "token '/NNS/nsubj/0' has an empty part"),
    ("dogs\tdogs//nsubj/0\t10", "token 'dogs//nsubj/0' has an empty part"),
    ("dogs\tdogs/NNS//0\t10", "token 'dogs/NNS//0' has an empty part"),
    ("dogs\tdogs/NNS/nsubj/x\t10", "token 'dogs/NNS/nsubj/x' has head 'x'"),
    ("dogs\tdogs/NNS/nsubj/\t10", "token 'dogs/NNS/nsubj/' has head ''"),
    ("dogs\tdogs/NNS/nsubj/-1\t10", "token 'dogs/NNS/nsubj/-1' has head '-1'"),
    ("dogs\tdogs/NNS/nsubj/00\t10", "token 'dogs/NNS/nsubj/00' has head '00'"),
    ("dogs\tdogs/NNS/nsubj/²\t10", "token 'dogs/NNS/nsubj/²' has head '²'"),
    ("dogs\tdogs/NNS/nsubj/2  bark/VBP/ROOT/0\t10", "token '' has 1 part(s)"),
    ("dogs\t\t10", "token '' has 1 part(s)"),
    ("dogs\tdogs/NNS/nsubj/0\tten", "total 'ten'"),
    ("dogs\tdogs/NNS/nsubj/0\t-10", "total '-10'"),
    ("dogs\tdogs/NNS/nsubj/0\t1234567890123456789", "total '1234567890123456789'"),
    ("dogs\tdogs/NNS/nsubj/0\t10\t1990", "year '1990'"),
    ("dogs\tdogs/NNS/nsubj/0\t10\t1990,x", "year '1990,x'"),
    ("dogs\tdogs/NNS/nsubj/0\t10\t1990,1\t", "year ''"),
    # Trees are asked about where the n-gram could pass step 2.
    (
        "chase\tdogs/NNS/nsubj/2 chase/VBP/ROOT/0 cats/NNS/dobj/4\t10",
        "token 'cats/NNS/dobj/4' has a head beyond the last of 3 token(s)",
    ),
    ("chase\tdogs/NNS/nsubj/1 chase/VBP/ROOT/0 cats/NNS/dobj/2\t10", "token 'dogs/NNS/nsubj/1' depends on itself"),
    ("chase\tdogs/NNS/nsubj/3 chase/VBP/ROOT/0 cats/NNS/dobj/1\t10", "token 'dogs/NNS/nsubj/3' depends on itself"),
)


def line_of(tokens: str, count: int, years: str = "\t1990,3\t2001,7") -> str:
    """A line of a file, without its end."""
    return f"{tokens.split(' ')[0].rsplit('/', 3)[0]}\t{tokens}\t{count}{years}"
