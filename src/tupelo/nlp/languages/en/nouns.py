"""Nouns that say little on their own."""

from tupelo.nlp.languages import word_set

# No node of a graph: what they stand for is said by the words around them.
HOLLOW_NOUNS = word_set(
    "one ones other others lot lots thing things something anything nothing everything someone somebody anyone "
    "anybody everyone everybody nobody none way ways part parts place case cases fact kind kinds sort sorts type "
    "types example examples addition order result basis bit number amount range rest half majority minority side "
    "sides end ends top bottom respect regard terms term means effect account time times moment sense matter reason "
    "reasons pair couple variety total extent turn favor favour hand hands course front back middle support aim help"
)
# What follows *of* is what is meant: "one of the boats", "a number of towns".
MEASURES = word_set(
    "one some all many most several few both each any none half lot lots number part parts majority minority rest "
    "kind kinds sort sorts type types group groups series set pair couple variety range "
    "two three four five six seven eight nine ten dozen dozens hundreds thousands millions"
)
# "The town of Lindvik" is Lindvik.
PLACE_KINDS = word_set(
    "city town village hamlet municipality commune parish district county province state region territory island "
    "republic kingdom country suburb neighbourhood neighborhood borough township community settlement prefecture "
    "department canton port emirate duchy principality oblast peninsula"
)
# "Miranda state" is Miranda; "an Oslo suburb" is not Oslo.
NAMED_PLACE_KINDS = PLACE_KINDS - word_set(
    "city town village hamlet country suburb neighbourhood neighborhood community settlement port republic kingdom"
)
# What is in a part of a place is in the place.
PLACE_PARTS = word_set(
    "part portion section area half corner outskirts heart centre center middle interior north south east west "
    "northeast northwest southeast southwest tip shore bank coast vicinity"
)
