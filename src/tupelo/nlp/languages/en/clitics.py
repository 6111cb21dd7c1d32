"""How English writes several words as one."""

# Taken off the end of a word, longest first; both apostrophes and the grave accent are in use.
CLITICS = ("n't", "'ll", "'ve", "'re", "'s", "'m", "'d")

# Whole words that are two, in lower case: where the second one begins.
SPLIT_WORDS = {
    "cannot": 3,
    "gonna": 3,
    "gotta": 3,
    "wanna": 3,
    "gimme": 3,
    "lemme": 3,
    "outta": 3,
    "lotta": 3,
    "sorta": 4,
    "alot": 1,
    "c'mon": 3,
    "dont": 2,
    "cant": 2,
    "wont": 2,
    "doesnt": 4,
    "didnt": 3,
    "isnt": 2,
    "arent": 3,
    "wasnt": 3,
    "werent": 4,
    "havent": 4,
    "hasnt": 3,
    "hadnt": 3,
    "wouldnt": 5,
    "couldnt": 5,
    "shouldnt": 6,
    "aint": 2,
    "im": 1,
    "ive": 1,
    "youre": 3,
    "theyre": 4,
    "youll": 3,
    "thats": 4,
}

# After one of these, a hyphen stays inside the word (co-founder); after anything else it is a separate token.
_PREFIXES = """
anti co counter cross e ex extra hyper inter intra mega micro mid mini multi neo non over pan post pre pro
pseudo re semi socio sub super trans tri ultra un vice bi psycho arch
"""
JOINING_PREFIXES = frozenset(_PREFIXES.split())
