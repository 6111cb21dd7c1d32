"""Last words of the names of companies, which may be left out."""

from __future__ import annotations

from tupelo.nlp.languages import word_set

COMPANY_ENDINGS = word_set(
    "inc incorporated corp corporation co company companies ltd limited llc llp lp plc ag gmbh sa nv bv ab oy oyj "
    "asa as spa srl kk kg se sas pty pte bhd group holding holdings international & and enterprises industries"
)
