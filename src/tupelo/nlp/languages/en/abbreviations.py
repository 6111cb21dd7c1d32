"""Abbreviations that keep their full stop, in lower case, without it."""

_WORDS = """
mr mrs ms mx dr prof rev fr sr jr st ste mt ft hon esq messrs mme mlle
gen lt sgt capt col cpl cmdr maj pvt adm gov sen rep reps pres sec supt det
inc co corp ltd llc bros assn dept univ
jan feb apr jun jul aug sep sept oct nov dec
tue tues thu thur thurs fri
etc vs al cf eg ie viz ca approx eds vol vols pp figs eq eqs sect chap para
ave blvd rd hwy apt bldg
ala ariz ark calif colo conn fla kan ky md mich minn neb nev okla tenn
tex va vt wis wyo
oz lb lbs yr yrs hr hrs tel ext attn esp incl excl misc orig ph nr
"""

ABBREVIATIONS = frozenset(_WORDS.split())
