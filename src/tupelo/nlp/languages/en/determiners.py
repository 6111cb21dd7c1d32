"""Articles, and the determiners that stand in their place."""

from __future__ import annotations

from tupelo.nlp.languages import word_set

ARTICLES = word_set("a an the")
DETERMINERS = word_set("a an the this that these those its his her their our my your")
