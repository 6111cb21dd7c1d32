"""Titles before the names of people."""

from __future__ import annotations

from tupelo.nlp.languages import word_set

COURTESY_TITLES = word_set("mr. mrs. ms. dr. mr mrs ms dr sir madam lord lady")
MALE_TITLES = word_set("mr. mr sir lord king prince father duke baron pope uncle")
FEMALE_TITLES = word_set("mrs. mrs ms. ms miss lady queen princess madam dame duchess baroness aunt")
TITLES = MALE_TITLES | FEMALE_TITLES | word_set("dr. dr president senator professor prof. gen. sen.")
# Words before a person's name that are not part of it. Titles of kings, popes and saints are part of the name.
DETACHABLE_TITLES = word_set(
    "mr mrs ms miss mx dr prof professor sir dame lady lord rev reverend judge justice attorney mayor gov "
    "governor sen senator rep representative congressman congresswoman president chancellor premier minister "
    "secretary ambassador chairman chairwoman director coach captain capt major maj general gen colonel col "
    "lieutenant lt sergeant sgt admiral commander officer detective inspector"
) | {"prime minister"}
