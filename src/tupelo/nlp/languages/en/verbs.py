"""Verbs (lemmas) with a grammar of their own."""

from __future__ import annotations

from tupelo.nlp.languages import word_set

# Subject control: the subject of such a verb, not its object, is the subject of its infinitive.
SUBJECT_CONTROL = word_set("promise threaten vow")
# What several do with each other: "Ann and Bob share a room".
COLLECTIVE_VERBS = word_set("share marry divorce merge unite differ collaborate")
# Their objects cannot become subjects.
NO_PASSIVE_VERBS = word_set(
    "feature have be become cost fit lack resemble want get mean suit equal weigh last let like love hate need "
    "comprise possess contain fail belong seem remain happen become enter leave reach join total number exceed "
    "near cross undergo escape survive befit agree appear marry meet concern begin start continue stop finish "
    "try keep know follow parallel include face approach target point soar "
    "plunge rise fall climb drop gain jump decline slip grow order attribute see watch hear"
)
# Intentional actions, which allow "what she did was ...".
ACTION_VERBS = word_set(
    "abandon accept acquire adapt add address adjust admit adopt advise agree allow amend announce appeal "
    "apply appoint approach approve arrange arrest ask assemble assign assist attach attack attempt attend "
    "award ban begin block borrow break bring build burn buy call campaign cancel capture carry cast cause "
    "celebrate challenge change charge choose circulate claim clear climb close collect come commission commit "
    "compete complete compose conduct confirm conquer construct consult contact contribute convert convince "
    "cover create criticize cross cut deal declare decide defeat defend deliver demand denounce deploy deposit "
    "describe design destroy develop devote direct discover discuss dismiss display distribute divide donate "
    "draft draw drive drop earn edit elect eliminate employ enlist enroll enter escape establish evacuate "
    "examine exchange execute expand experiment explain explore expose express extend fight file fill find "
    "finish fire flee focus follow force form found fund gather give go grant greet guide halt hand help hire "
    "hit host identify impose improve increase inform initiate insert install instruct interview introduce "
    "invade invent invest investigate invite issue join jump kick kill land launch lead leave lend license "
    "limit load make manage march marry meet merge mobilize modify mount move name negotiate nominate notify "
    "obtain occupy offer open oppose order organize oust pass pay perform pick place plan plant play plead "
    "pledge present press produce promise promote propose protect protest provide publish pull purchase pursue "
    "push put raise reach read rebuild recall recommend reconstruct record recruit redesign reduce refer "
    "refuse reject release relocate remove rename rent repeat replace report rescue resign respond restore "
    "restrict return reveal review revise rule run save search seek seize select sell send serve set settle "
    "shift ship shoot show sign sing speak spend start stop strike study submit sue suggest support surrender "
    "suspend switch take teach tell test threaten throw tour trade train transfer transform translate travel "
    "try turn undertake unveil urge use visit vote walk warn wear win withdraw work write"
)
# Events, as opposed to states.
EVENT_VERBS = word_set(
    "abandon accept acquire adopt announce appoint approve arrest arrive attack award ban become begin "
    "bomb break buy build cancel capture cause change claim close collapse come complete convert cut "
    "damage decide declare defeat demand demolish destroy develop die discontinue discover dismiss double "
    "drop earn elect end escape establish evacuate explode fail fall find fire flee flood force found "
    "give go grant hit increase introduce invade issue join jump kill launch lay leave lose make marry "
    "merge move murder offer open order oust pass place postpone promote propose publish purchase raise "
    "reach receive reduce reject release remove rename replace resign resume retire return rise sell send "
    "separate settle shoot sign sink slash split start stop strike suspend take transfer turn vote win "
    "withdraw"
)
# With these, verb and object form an idiom: the object is not what is acted on.
LIGHT_VERBS = word_set("take have make do give pay play lose let get keep put set hold bear catch draw cast")
# "What she agreed to do was ...".
INTENTION_VERBS = word_set(
    "agree decide plan want try have begin refuse promise offer seek attempt intend hope choose need vow "
    "threaten continue start expect use help manage tend"
)
LOCATED_VERBS = word_set("locate situate base house place bury include attach display list")
# "gave Bob a book" is "gave a book to Bob", "bought Bob a book" is "bought a book for Bob".
DATIVE_TO_VERBS = word_set(
    "give offer send show lend grant hand award teach tell sell pay bring pass owe promise deny"
)
DATIVE_FOR_VERBS = word_set("buy build make find cook order reserve")
# Verb and its complement -> light verb, noun phrase, preposition: "decided to" is "made a decision to".
LIGHT_VERB_PHRASES = {
    ("decide", "xcomp"): ("make", "a decision", ""),
    ("attempt", "xcomp"): ("make", "an attempt", ""),
    ("promise", "xcomp"): ("make", "a promise", ""),
    ("agree", "xcomp"): ("reach", "an agreement", ""),
    ("plan", "xcomp"): ("have", "plans", ""),
    ("visit", "obj"): ("pay", "a visit", "to"),
    ("investigate", "obj"): ("conduct", "an investigation", "of"),
    ("describe", "obj"): ("give", "a description", "of"),
    ("review", "obj"): ("conduct", "a review", "of"),
    ("discuss", "obj"): ("hold", "a discussion", "of"),
    ("examine", "obj"): ("conduct", "an examination", "of"),
    ("criticize", "obj"): ("express", "criticism", "of"),
    ("support", "obj"): ("give", "support", "to"),
    ("influence", "obj"): ("have", "an influence", "on"),
    ("affect", "obj"): ("have", "an effect", "on"),
    ("attack", "obj"): ("make", "an attack", "on"),
    ("use", "obj"): ("make", "use", "of"),
}
FORMS_OF_BE = word_set("be am is are was were been being")
FORMS_OF_HAVE = word_set("have has had having")
FORMS_OF_DO = word_set("do does did")
PAST_AUXILIARIES = word_set("was were had did been")
# Verbs whose noun complement is copular though UD has no `cop` for them.
COPULAR_VERBS = word_set("become remain stay seem appear turn")
# Vague relations (lemmas, and nouns within such relations), which follow from many others.
VAGUE_RELATION_WORDS = word_set(
    "be have include involve associate relate connect concern affect know find use see make do get take go come "
    "contain possess appear occur exist part common kind important popular"
)
