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
    "orient bros brothers entertainment pictures airlines airways"
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
