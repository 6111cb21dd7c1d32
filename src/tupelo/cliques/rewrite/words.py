"""Lists of English words on which the rules depend. Verbs and nouns are lemmas."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """Words from a text that has spaces between them."""
    return frozenset(text.split())


# Their objects cannot become subjects.
NO_PASSIVE = word_set(
    "feature have be become cost fit lack resemble want get mean suit equal weigh last let like love hate need "
    "comprise possess contain fail belong seem remain happen become enter leave reach join total number exceed "
    "near cross undergo escape survive befit agree appear marry meet concern begin start continue stop finish "
    "try keep soar plunge rise fall climb drop gain jump decline slip grow order attribute see watch hear"
)
# What one does on purpose, so that "what she did was ..." can be said.
DYNAMIC = word_set(
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
# With these the object does not say what was acted on; the pair is one idiom.
LIGHT = word_set("take have make do give pay play lose let get keep put set hold bear catch draw cast")

QUANTIFIERS = word_set(
    "no none nobody nothing neither nor few little many much most some any all each every either both several "
    "half more less fewer only such not hardly another other others enough one everyone everybody everything "
    "anyone anything someone something least what whatever which whichever whoever who that this these those "
    "it there rather instead so as too even just about nearly almost up over at"
)
POSSESSIVES = word_set("his her its their my our your")
REFLEXIVES = word_set("himself herself itself themselves myself ourselves yourself yourselves oneself")
THIRD_PERSON = word_set("he she it they him her them his its their") | REFLEXIVES
PERSONAL = {"he": "who", "she": "who", "they": "who", "we": "who", "i": "who", "you": "who"}

# Prepositions whose phrase can be taken out of its place.
MOVING = word_set(
    "in on at during after before since until from by through throughout with under within near across around "
    "against among between behind beyond over into along following inside outside despite upon via for toward "
    "towards because due prior as to without"
)
FOCUSED = word_set(
    "in on at during after before since from by through throughout under within near across around against "
    "among between behind into inside outside upon via with to following"
)
PLACING = word_set("in at on near within inside outside")
TIMING = word_set("in on during at")

SPEECH = word_set(
    "say add claim report announce state declare note explain argue contend insist maintain warn predict "
    "believe suggest estimate acknowledge concede admit assert observe"
)
BELIEVED_NOT = word_set("deny doubt wonder ask hope wish")

MONTHS = word_set(
    "january february march april may june july august september october november december jan. feb. mar. apr. "
    "aug. sept. oct. nov. dec."
)
PEOPLE = word_set(
    "man woman boy girl child person officer king queen president minister director actor actress writer "
    "author doctor nurse player singer teacher student professor lawyer judge manager chairman leader general "
    "soldier scientist artist father mother son daughter brother sister wife husband analyst spokesman "
    "spokeswoman executive official critic investor economist governor senator mayor bishop priest prince "
    "princess engineer composer poet historian driver coach captain employee worker farmer villager founder "
    "owner member biographer grandmother grandfather uncle aunt nephew niece commander attorney researcher "
    "reviewer resident citizen candidate champion parent physician journalist editor painter architect "
    "producer guitarist drummer philosopher chief deputy secretary ambassador emperor duke earl pope saint"
)
