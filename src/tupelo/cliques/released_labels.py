"""The labels that the released HWS program knows, in the order of the numbers that it gives them.

The numbers matter: a cap in that program compares their decimal digits. The
order is that of the file `tag_dict.json` in qijimrc/ROBUST at commit 2051b45 (MIT).
"""

RELEASED_LABELS = (
    "ROOT", "S", "NP", "NNP", "VP", "VBD", ":", "SBAR", "PP", "IN", "DT", "NN", ",", "CD", "NNS", "JJ", ".",
    "CC", "VBG", "TO", "VB", "WHPP", "WHNP", "WDT", "WP", "ADJP", "VBN", "ADVP", "RB", "PRP", "PRT", "RP",
    "PRP$", "MD", "JJR", "NNPS", "QP", "POS", "VBZ", "PRN", "-LRB-", "-RRB-", "X", "VBP", "JJS", "RBS", "FW",
    "CONJP", "FRAG", "WHADVP", "WRB", "$", "WP$", "SINV", "RBR", "UCP", "EX", "``", "''", "#", "PDT", "SQ",
    "NX", "NAC", "RRC", "SYM", "LS", "SBARQ", "WHADJP", "INTJ", "LST", "UH", "NML", "NFP", "ADD", "HYPH",
)  # fmt: skip
