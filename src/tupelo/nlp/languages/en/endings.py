"""Last words of the names of organizations and places that may be left out."""

from __future__ import annotations

from tupelo.nlp.languages import word_set

COMPANY_ENDINGS = word_set(
    "inc incorporated corp corporation co company companies ltd limited llc llp lp plc ag gmbh sa nv bv ab oy oyj "
    "asa as spa srl kk kg se sas pty pte bhd &"
)
# *Hull* is short for *Hull City*, and *Warner* for *Warner Bros.*.
CLUB_ENDINGS = word_set(
    "fc afc cf sc rfc rc city united town rovers wanderers athletic albion hotspur rugby villa argyle alexandra "
    "orient county warriors lions tigers wolves rhinos bulls giants saints rangers sharks eagles bears panthers "
    "dragons hawks vikings wildcats bros brothers airlines airways"
)
# *Ubisoft Pictures* may be a part of *Ubisoft*.
STUDIO_ENDINGS = word_set("entertainment pictures")
# What an organization may have, or what may be named after somebody.
BODIES = word_set(
    "board commission committee conference council court department foundation fund legislature ministry office "
    "tribunal trust"
)
# *Vätsäri* is short for *Vätsäri Wilderness Area*, and so is *House* for *House of Representatives*.
KINDS_OF_THINGS = word_set(
    "academy agency agreement area army assembly association authority bank board borderlands bridge bureau camp "
    "canal castle cathedral center centre church club college commission committee commons company conference "
    "congress council court department district estate federation festival force foundation front fund government "
    "group holdings hospital hotel house institute institution island islands lake league legislature library "
    "ministry movement museum navy office orchestra order organisation organization palace park parliament party "
    "police province railroad railway records region river school senate series service site society station street "
    "studios supreme system theater theatre tribunal trust union university valley village wilderness"
)
