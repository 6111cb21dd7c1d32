"""Irregular forms of English; each line is a base form and its irregular forms."""

from tupelo.nlp.languages import word_set

_VERBS = """
be am is are was were been being 's 'm 're m r s | have has had 've ve having | do does did done
go goes went gone gon | will 'll wo ll | can ca | shall sha | would 'd | arise arose arisen | awake awoke awoken
bear bore borne born | beat beaten | become became | befall befell befallen | begin began begun | bend bent
bet | bid bade bidden | bind bound | bite bit bitten | bleed bled | blow blew blown | break broke broken
breed bred | bring brought | build built | burn burnt | burst | buy bought | cast | catch caught
choose chose chosen | cling clung | come came | cost | creep crept | cut | deal dealt | dig dug | dive dove
draw drew drawn | dream dreamt | drink drank drunk | drive drove driven | dwell dwelt | eat ate eaten
fall fell fallen | feed fed | feel felt | fight fought | find found | flee fled | fling flung | fly flew flown
forbid forbade forbidden | foresee foresaw foreseen | forget forgot forgotten | forgive forgave forgiven
underlie underlying underlain | overlie overlying | undergo undergoing | freeze froze frozen
get got gotten gettin | give gave given | grind ground | grow grew grown | hang hung | hear heard
hide hid hidden | hit | hold held | hurt | keep kept | kneel knelt | know knew known knowin | lay laid
lead led | lean leant | leap leapt | learn learnt | leave left | lend lent | let | lie lain lying | light lit
lose lost | make made | mean meant | meet met | mislead misled | mistake mistook mistaken
misunderstand misunderstood | outdo outdid outdone | overcome overcame | overdo overdid overdone
oversee oversaw overseen | overtake overtook overtaken | overhear overheard | overthrow overthrew overthrown
pay paid | plead pled | prove proven | put | quit | read | rebuild rebuilt | redo redid redone | rend rent
repay repaid | prepay prepaid | rewrite rewrote rewritten | rid | ride rode ridden | ring rang rung
rise rose risen | run ran | saw sawn | say said | see saw seen | seek sought | sell sold | send sent | set
sew sewn | shake shook shaken | shed | shine shone | shoot shot | show shown | sow sown | shrink shrank shrunk
shut | sing sang sung | sink sank sunk | sit sat | slay slew slain | sleep slept | slide slid | sling slung
slit | smell smelt | sneak snuck | speak spoke spoken | speed sped | spell spelt | spend spent | spill spilt
spin spun | spit spat | split | spoil spoilt | spread | spring sprang sprung | stand stood | steal stole stolen
stick stuck | sting stung | stink stank stunk | stride strode | strike struck stricken | string strung
strive strove striven | swear swore sworn | sweep swept | swell swollen | swim swam swum | swing swung
take took taken takin | teach taught | tear tore torn | tell told | think thought | throw threw thrown | thrust
tread trod trodden | understand understood | undertake undertook undertaken | undo undid undone
undergo underwent undergone | uphold upheld | upset | wake woke woken | wear wore worn | weave wove woven
weep wept | win won | wind wound | withdraw withdrew withdrawn | withhold withheld | withstand withstood
wring wrung | write wrote written | die dying | tie tying | vie vying | dye dyeing | singe singeing
panic panicked panicking | mimic mimicked mimicking
"""

_NOUNS = """
man men | woman women | child children | foot feet | tooth teeth | goose geese | mouse mice | louse lice
ox oxen | penny pence | die dice | brother brethren | calf calves | half halves | knife knives | leaf leaves
life lives | loaf loaves | self selves | sheaf sheaves | shelf shelves | thief thieves | wife wives
wolf wolves | scarf scarves | elf elves | hoof hooves | analysis analyses | axis axes | basis bases
crisis crises | diagnosis diagnoses | emphasis emphases | hypothesis hypotheses | oasis oases
parenthesis parentheses | synthesis syntheses | thesis theses | synopsis synopses | neurosis neuroses
criterion criteria | phenomenon phenomena | bacterium bacteria | curriculum curricula | datum data
medium media | memorandum memoranda | stratum strata | symposium symposia | alumnus alumni | cactus cacti
focus foci | fungus fungi | nucleus nuclei | radius radii | stimulus stimuli | syllabus syllabi | larva larvae
alga algae | vertebra vertebrae | formula formulae | antenna antennae | matrix matrices | vertex vertices
index indices | appendix appendices
"""

_ADJECTIVES = """
good better best | bad worse worst | far farther farthest | further furthest | less | more | most | least
"""
_ADVERBS = """
well better best | badly worse worst | far farther farthest | further furthest | late later latest | more | most
less | least
"""


def _table(text: str) -> dict[str, str]:
    """Form -> base form, the first base form winning."""
    table: dict[str, str] = {}
    for entry in text.replace("\n", "|").split("|"):
        base, *forms = entry.split() or [""]
        table.setdefault(base, base)
        for form in forms:
            table.setdefault(form, base)
    return table


IRREGULAR = {
    "VERB": _table(_VERBS),
    "NOUN": _table(_NOUNS),
    "ADJ": _table(_ADJECTIVES),
    "ADV": _table(_ADVERBS),
}

# Words that look like inflected forms but are not.
UNINFLECTED = word_set(
    "is was has this its as us during king thing spring bring ring sing string wing bed red need seed feed breed "
    "always perhaps series species news less unless across process basis united based"
)
