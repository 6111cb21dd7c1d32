"""Tuples of what is said without sentences: labels, tables, CV lines, prices, answers; and who speaks to whom."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from tupelo.core import Analysis, Argument, Attribution, Extraction, Passage, Sentence, SentenceTuples, Word
from tupelo.core.statement import Anchor, Referent
from tupelo.extract.structure import divide
from tupelo.extract.structure.headings import subject_of
from tupelo.extract.structure.labels import label_relation
from tupelo.extract.structure.links import link_structured
from tupelo.extract.structure.reading import StructuredReading
from tupelo.extract.structure.voices import Voice, Voices, quotations, with_quotations, with_speakers, with_voice
from tupelo.io.documents import Reading
from tupelo.io.documents.layout import Layout
from tupelo.io.documents.lines import line_blocks
from tupelo.io.documents.markup import lay_out_markdown
from tupelo.relations.arguments import anchor_kind


def passage(text: str, published: str | None = None) -> Passage:
    return Passage(text, 0, "a", tuple(line_blocks(text)), published)


# Less probable tuples are candidates only.
LEAST = 0.5


def said(text: str) -> list[str]:
    """The tuples of plain text, whose parts must be where they say."""
    return shown(divide(passage(text))[1])


def of_markdown(text: str) -> list[str]:
    layout = Layout("a", Reading())
    lay_out_markdown(layout, text)
    return [one for part in layout.document("text/markdown").passages() for one in shown(divide(part)[1])]


def shown(found: list[SentenceTuples]) -> list[str]:
    for sentence in found:
        for one in sentence.extractions:
            check(one)
    tuples = [one for sentence in found for one in sentence.extractions]
    return [str(one) for one in tuples if (one.confidence or 0) >= LEAST]


def check(extraction: Extraction) -> None:
    assert extraction.rule
    assert extraction.confidence is not None
    for part in (extraction.rel, *extraction.arguments):
        implied = set(part.inferred)
        written = [word for place, word in enumerate(part.text.split()) if place not in implied]
        places = " ".join(span.of(extraction.sentence.text) for span in part.spans or ())
        assert "".join(places.split()) == "".join(written)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Cuisine: Italian", ["(Cuisine; is; Italian)"]),
        ("Ann Lee\n\nEmail: a@b.org\nLanguages: German, French", [
            "(Email; is; a@b.org; Ann Lee)",
            "(Languages; is; German, French; Ann Lee)",
        ]),
        ("Harbour Oslo\n\nFounded: 1048\nOwned by: City of Oslo\nLength (m): 300", [
            "(Harbour Oslo; was Founded; 1048)",
            "(Harbour Oslo; is Owned by; City of Oslo)",
            "(Length (m); is; 300; Harbour Oslo)",
        ]),
        ("Name: Ann Lee\nAge: 31", ["(Ann Lee; has Age; 31)"]),
        ("Surname ...... Lee\nFirst name ... Ann\nBorn ......... 1970", [
            "(Surname; is; Lee)",
            "(First name; is; Ann)",
        ]),
        ("Board meeting\n\nChair: Ann Lee | Room: 12", [
            "(Chair; is; Ann Lee; Board meeting)",
            "(Room; is; 12; Board meeting)",
        ]),
        ("Note: the city was founded in 1850.", []),
        ("He said: no", []),
    ],
)  # fmt: skip
def test_labels_and_their_values(text, expected):
    assert said(text) == expected


def test_lines_of_a_cv():
    text = "Ann Lee – Curriculum Vitae\n\nEXPERIENCE\n2015–2019  Engineer, Acme, Oslo\n\n"
    text += "EDUCATION\n2010-2014: BSc Physics, University of Oslo\n"
    assert said(text) == [
        "(Ann Lee; worked as; Engineer; Acme; Oslo; 2015–2019)",
        "(Ann Lee; worked at; Acme; Engineer; Oslo; 2015–2019)",
        "(Ann Lee; studied; BSc Physics; University of Oslo; 2010-2014)",
        "(Ann Lee; studied at; University of Oslo; BSc Physics; 2010-2014)",
    ]
    (first, *_), *_ = [sentence.extractions for sentence in divide(passage(text))[1]]
    assert [part.role for part in first.args] == [None, None, "location", "time"]


def test_fragments_below_headings_and_people_of_speakers():
    assert of_markdown("# Marsh toad\n\n## Enemies\n\nHerons, snakes, pike.\n\n") == [
        "(Marsh toad; has enemies; Herons)",
        "(Marsh toad; has enemies; snakes)",
        "(Marsh toad; has enemies; pike)",
    ]
    chat = "Ann: my sister Eva Lee comes at six\nBo: good\nAnn: pond 4: dry\nBo: ok\n"
    assert said(chat) == ["(Ann; has sister; Eva Lee)"]


def test_prices_side_by_side_and_roles():
    assert said("Sauna Rauma\n\nMembers 4 €, guests 9 €, children free\n")[:2] == [
        "(Members; costs; 4 €; Sauna Rauma)",
        "(guests; costs; 9 €; Sauna Rauma)",
    ]
    for sentence in ("who was born in Oslo, founded Acme.", "president of Acme, founded Globex.", "a cook, left"):
        assert said(f"Ann Lee, {sentence}") == said(f"News\n\nAnn Lee, {sentence}\n") == []
    assert said("Board of Rauma\n\nHeikki Laine, treasurer of the club\nAino Salmi, chair of the choir\n") == [
        "(Heikki Laine; is; treasurer of the club; Board of Rauma)",
        "(Aino Salmi; is; chair of the choir; Board of Rauma)",
    ]


def test_prices():
    assert said("Café Luna\n\nEspresso ..... 2.50\nTea – 3 EUR per pot\nRoom 4") == [
        "(Espresso; costs; 2.50; Café Luna)",
        "(Tea; costs; 3 EUR per pot; Café Luna)",
    ]


def test_items_below_a_heading_and_contacts():
    text = "# Widget\n\n## Requirements\n- Python 3.11 or newer\n- It must be installed first.\n"
    assert of_markdown(text) == ["(Widget; has requirements; Python 3.11 or newer)"]
    assert of_markdown("# Ann Lee\n\nEngineer\nann@acme.org, +47 22 33 44 55\n") == [
        "(Ann Lee; is; Engineer)",
        "(Ann Lee; has e-mail address; ann@acme.org)",
        "(Ann Lee; has phone number; +47 22 33 44 55)",
    ]


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("|Ferry|Built|Length (m)|\n|-|-|-|\n|Bastø|1997|109|\n|Total||109|", [
            "(Bastø; was built; 1997; Oslo Ferries)", "(Bastø; has length; 109 m; Oslo Ferries)",
            "(Total; has length; 109 m; Oslo Ferries)",
        ]),
        ("|No.|Name|Age|\n|-|-|-|\n|1|Ann|31|", ["(Ann; has age; 31; Oslo Ferries)"]),
        ("||Model A|Model B|\n|-|-|-|\n|Weight|3 kg|5 kg|\n|Bluetooth|yes|no|", [
            "(Model A; has Weight; 3 kg; Oslo Ferries)", "(Model B; has Weight; 5 kg; Oslo Ferries)",
            "(Model A; has; Bluetooth; Oslo Ferries)", "(Model B; has; Bluetooth; Oslo Ferries)",
        ]),
        ("|Item|2023|2024|\n|-|-|-|\n|Revenue|10|12|", [
            "(Revenue; is; 10; 2023; Oslo Ferries)", "(Revenue; is; 12; 2024; Oslo Ferries)",
        ]),
        ("||2023|2024|\n|-|-|-|\n|Revenue|10|12|", [
            "(Revenue; is; 10; 2023; Oslo Ferries)", "(Revenue; is; 12; 2024; Oslo Ferries)",
        ]),
        ("|Year|Ships|\n|-|-|\n|2022|7|\n|2023|9|", [
            "(Oslo Ferries; has ships; 7; 2022)", "(Oslo Ferries; has ships; 9; 2023)",
        ]),
        ("|||\n|-|-|\n|Owner|City of Oslo|", ["(Owner; is; City of Oslo; Oslo Ferries)"]),
    ],
)  # fmt: skip
def test_tables(table, expected):
    assert of_markdown(f"# Oslo Ferries\n\n{table}\n") == expected


def test_captions_say_what_series_measure():
    table = (
        "# Port\n\n## Traffic\n\nTable 1: Goods handled (tonnes)\n\n|Goods|2023|2024|\n|-|-|-|\n|Timber|905|1,110|\n"
    )
    first, _ = of_markdown(table)
    assert first.startswith("(Timber; has goods handled; 905 tonnes; 2023")


def test_rows_without_labels_have_those_of_the_same_table_above():
    text = "PRICES\n\nWATER\n\nCode   Test      Price\nW1     salts     8.00\nW2     metals    96.00\n"
    assert said(f"{text}\nSOIL\n\nS1     texture   15.00\nS2     humus     17.50\n")[4:6] == [
        "(texture; has code; S1; SOIL; PRICES)",
        "(texture; has price; 15.00; SOIL; PRICES)",
    ]


def test_what_names_a_row_is_no_price_and_no_number():
    assert said("Acme\n\nTicket: 58213\nPriority: high\n") == [
        "(Ticket; is; 58213; Acme)",
        "(Priority; is; high; Acme)",
    ]
    assert said("Club\n\nSchool: Mrs Ho (head), Mr Banks (year 5)\nPlace: hall\n")[-1] == "(Place; is; hall; Club)"
    assert of_markdown("# Trams\n\n|line|mean|\n|-|-|\n|1|1.9|\n|2|4.4|\n")[0] == "(line 1; has mean; 1.9; Trams)"


def test_a_name_and_a_role():
    page = "Shop of Rauma\n\nBy Ann Lee, business editor · 14 May\n"
    assert said(page) == ["(Ann Lee; is; business editor; Shop of Rauma)"]


def test_days_are_times_and_amounts_are_prices():
    text = "# Dr. Ho\n\n## Opening hours\n\n- Monday: 8 – 12\n\n## Fees\n\n- Tyres: $3 each, at most four\n"
    assert of_markdown(text) == [
        "(Monday; is; 8 – 12; Dr. Ho; Opening hours)",
        "(Tyres; costs; $3 each, at most four; Fees; Dr. Ho)",
    ]


def test_the_only_heading_of_a_page_is_what_it_is_about():
    layout = Layout("a", Reading())
    layout.heading("Cycle Shed", 1)
    layout.add("paragraph", "Weight: 3 kg")
    layout.heading("Reviews", 2)
    layout.add("paragraph", "Stars: 4")
    parts = layout.document("text/html", "Garden Store").passages()
    assert [one for part in parts for one in shown(divide(part)[1])] == [
        "(Weight; is; 3 kg; Cycle Shed; Garden Store)",
        "(Stars; is; 4; Cycle Shed; Reviews; Garden Store)",
    ]


def test_a_no_in_a_table_is_a_denial():
    layout = Layout("a", Reading())
    lay_out_markdown(layout, "# T\n\n|Name|Wifi|\n|-|-|\n|Hut|no|\n")
    (sentences,) = [divide(part)[1] for part in layout.document("x").passages()]
    assert [[one.negated for one in sentence.extractions] for sentence in sentences] == [[], [True]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "# Acme FAQ\n\n## Where is the office?\n\nIn Oslo, near the harbour.\n",
            "(office; is; In Oslo, near the harbour; Acme FAQ)",
        ),
        ("# Acme FAQ\n\n**How much is a ticket?** 12 euros.\n", "(ticket; costs; 12 euros; Acme FAQ)"),
        ("# Acme FAQ\n\n## Who teaches?\n\nAnn Lee.\n", "(Who teaches?; has answer; Ann Lee; Acme FAQ)"),
    ],
)
def test_answers_that_are_no_sentences(text, expected):
    assert expected in of_markdown(text)


def test_answers_are_stated_once():
    assert of_markdown("# Acme FAQ\n\n## Who teaches?\n\nAnn Lee.\n") == [
        "(Who teaches?; has answer; Ann Lee; Acme FAQ)"
    ]


def test_labels_are_about_what_one_above_them_has_named():
    text = "# Catalogue\n\n## Pumps\n\nProduct: X200\nWeight: 3 kg\nColour: red\n"
    assert of_markdown(text) == [
        "(X200; has Weight; 3 kg; Pumps; Catalogue)",
        "(X200; has Colour; red; Pumps; Catalogue)",
    ]


def test_mails_are_no_cvs_of_their_senders():
    page = passage("2024 figures attached\n\nBest, Ann\n")
    mail = replace(page, blocks=tuple(replace(block, speaker="Ann Lee") for block in page.blocks))
    assert shown(divide(mail)[1]) == []


def test_answers_that_are_sentences_are_read_as_such():
    assert of_markdown("# Acme FAQ\n\n## Where is the office?\n\nOur office is in Oslo near the harbour.\n") == []


def test_prose_stays_prose():
    text = "Ann Lee founded Acme.\nIt grew in 2020: it was a good year.\n\n- First it rained.\n- Then it snowed.\n"
    prose, found = divide(passage(text))
    assert ([part.text for part in prose], found) == ([text], [])


def test_long_cells_are_prose():
    layout = Layout("a", Reading())
    lay_out_markdown(layout, "|Name|Note|\n|-|-|\n|Ann|She was born in Oslo in the year 1970.|\n")
    ((prose, found),) = [divide(part) for part in layout.document("x").passages()]
    assert [part.text for part in prose] == ["She was born in Oslo in the year 1970."]
    assert [(one.sentence.text, one.extractions) for one in found] == [("Name\tNote", ()), ("Ann", ())]


@pytest.mark.parametrize("text", ["8   e\n2   d", "|   y\n|   .", "y\te\ne s a d a e m\tl", "v   : t V i w .\ns   n"])
def test_rows_that_state_nothing_are_sentences(text):
    (part,) = [Passage(text, blocks=tuple(line_blocks(text)))]
    prose, found = divide(part)
    said = "".join([*(one.text for one in prose), *(one.sentence.text for one in found)])
    assert sorted(filter(str.isalnum, said)) == sorted(filter(str.isalnum, text))


def test_subjects_are_headings_that_name_something():
    assert subject_of(("Oslo Harbour", "Ferries")) == "Oslo Harbour"
    assert subject_of(("Acme", "2. Results by region")) == "Acme"
    assert subject_of(("Minutes of the examination board",)) is not None
    assert subject_of(("Catalogue", "Lanner Tent 2")) == "Lanner Tent 2"
    assert subject_of(()) is None


def test_relations_of_labels():
    assert label_relation("Price in EUR", None) == (["has price"], "EUR")
    assert label_relation("Need", None)[0] == ["has need"]


def test_nodes_and_statements_of_structured_sentences():
    found = divide(passage("Name: Ann Lee\nEmployer: Acme Ltd\nSalary: 400 EUR"))[1]
    analyses, linked, referents = link_structured(found, [], 0.5)
    assert [(one.kind, one.name, one.label) for one in referents] == [
        ("entity", "Ann Lee", "person"),
        ("entity", "Acme Ltd", "organization"),
    ]
    assert [(link.relation, link.key) for sentence in linked for link in sentence.links] == [
        ("has Employer", "have employer"),
        ("has Salary", "have salary"),
    ]
    assert [one.text for one in analyses] == ["Employer: Acme Ltd", "Salary: 400 EUR"]
    assert link_structured(found, [], 0.99)[1][0].links == []
    assert anchor_kind("the whole text of a clause that goes on and on")[0] == "statement"


@pytest.mark.parametrize(
    ("line", "reading"),
    [
        ("Weight: 12.8 kg", "Brisalto T3: Weight is 12.8 kg"),
        ("Colours: chalk, slate", "Brisalto T3: Colours is chalk, slate"),
        ("Categories: Robots, Tools", "Brisalto T3: Categories is Robots, Tools"),
    ],
)
def test_a_line_is_read_below_its_heading_which_is_said_once(line, reading):
    found = divide(passage(f"Brisalto T3 – the quiet dehumidifier\n\n{line}\nMore: here and there\n"))[1]
    _, linked, _ = link_structured(found, [], 0.0)
    assert reading in [text for one in linked for text in one.texts]


def test_structured_sentences_come_in_reading_order():
    text = "Ann left.\n\nPrice: 5 EUR\nSize: 3\n\nBo came."
    reading = StructuredReading([passage(text)], 0.0)
    prose = [SentenceTuples(Sentence(part.text, document_id="a"), (), part.start) for part in reading.prose()]
    assert [one.sentence.text.strip() for one in reading.merged(prose)] == [
        "Ann left.",
        "Price: 5 EUR",
        "Size: 3",
        "Bo came.",
    ]


def test_speakers_and_days():
    text = "[04/03/2024, 10:15] Ann Lee: I met you yesterday.\n[04/03/2024, 10:16] Bob: ok\n"
    text += "[04/03/2024, 10:17] Bob: fine\n"
    voices = Voices(passage(text))
    sentence = Sentence("I met you yesterday.")
    parts = (Argument("you"), Argument("yesterday", role="time"), Argument("my car"))
    found = SentenceTuples(
        sentence, (Extraction(sentence, Argument("met"), Argument("I"), parts),), text.index("I met")
    )
    (one,) = with_voice(found, voices.at(found.start)).extractions
    assert [part.resolved for part in one.arguments] == ["Ann Lee", "Bob", "2024-03-03", "Ann Lee's car"]
    said = Analysis("I", (Word("I", 0, 1),))
    pronoun = Anchor(0, 1, 0, "pronoun", "person", "I")
    anchors, referents = with_speakers([[pronoun]], [], [voices.at(found.start)], [said])
    assert (anchors[0][0].referent, referents[0].name, referents[0].kind) == (0, "Ann Lee", "entity")


def test_a_speaker_whom_nothing_names_is_a_thing_outside_quotations():
    texts = (("I", 0), ("“", 0), ("I", 1), ("”", 0), ("I", 0))
    words = tuple(Word(text, 2 * place, 2 * place + 1) for place, (text, _) in enumerate(texts))
    pronouns = [Anchor(place, place + 1, place, "pronoun", "person", "I") for place in (0, 2, 4)]
    anchors, referents = with_speakers([pronouns], [], [Voice()], [Analysis("I “ I ” I", words)])
    assert [anchor.referent for anchor in anchors[0]] == [0, None, 0]
    assert [(one.name, one.kind, one.mentions) for one in referents] == [("speaker", "thing", 2)]


def test_any_lines_can_be_divided():
    chance = random.Random(3)
    words = [
        "Ann",
        "Price:",
        "5",
        "EUR",
        "\n",
        "\n\n",
        "2015–2019",
        ",",
        "|",
        "- ",
        "?",
        "Where is",
        "....",
        "\t",
        "  ",
        "Total",
        "ed by:",
        "@",
        ":",
    ]
    for _ in range(300):
        text = "".join(chance.choice(words) + chance.choice(["", " "]) for _ in range(chance.randrange(40)))
        whole = passage(text)
        prose, found = divide(whole)
        for part in prose:
            assert whole.text[part.start : part.start + len(part.text)] == part.text
        for sentence in found:
            assert text[sentence.start : sentence.start + len(sentence.sentence.text)] == sentence.sentence.text
            for one in sentence.extractions:
                check(one)
        analyses, _, _ = link_structured(found, [], 0.0)
        assert all(isinstance(one, Analysis) for one in analyses)


def test_voices_within_documents_that_are_no_conversations():
    text = "Minutes\n\nPresent: Ann Lee (Chairlady), Bo Ek\n\n"
    text += "Chairlady: I wrote to the city.\nBo Ek (shop 14): My freezer died.\n"
    voices = Voices(passage(text))
    assert voices.at(text.index("I wrote")).named("I") == "Ann Lee"
    assert voices.at(text.index("My freezer")).named("my") == "Bo Ek"
    letter = "My name is Karl Berg and I am new.\n\nI learned much."
    assert Voices(passage(letter)).at(letter.index("and I")).named("I") == "Karl Berg"


def test_whoever_writes_a_cv_is_its_person():
    text = (
        "Ann Lee – Curriculum Vitae\n\nEXPERIENCE\n2015–2019  Engineer, Acme, Oslo\n\nI led a team of five people.\n"
    )
    assert Voices(passage(text)).at(text.index("I led")).named("I") == "Ann Lee"


def group_of(
    text: str, words: str, *organizations: str, others: tuple[tuple[str, str], ...] = (), in_marks: bool = False
) -> str | None:
    names = [*((name, "organization") for name in organizations), *others]
    return Voices(passage(text), names).at(text.index(words)).named("we", in_marks=in_marks)


def test_we_is_the_organization_of_the_letterhead_the_signature_or_the_address():
    report = "HARTWELL MILLS PLC\nAnnual report\n\nDear shareholders,\n\nLast year we sold the mill in Dunrow."
    assert group_of(report, "Last year") == "HARTWELL MILLS"
    advert = "Night Baker\nOrbell Bakeries, Dunrow\n\nWe bake for ninety shops and we pay for your course."
    assert group_of(advert, "We bake", "Orbell Bakeries") == "Orbell Bakeries"
    letter = (
        "Dear Mr Finch,\n\nI fear that we sent the wrong reeds.\n\nKind regards,\nAnn Lee\nSales\nOrbell Reeds Ltd"
    )
    assert group_of(letter, "I fear") == "Orbell Reeds"
    page = "A kettle for two\n\nMade in Dunrow by Orbell Works, who like tea. We repair it for ten years."
    assert group_of(page, "Made in") == "Orbell Works"
    memo = "To: All staff, Orbell Works\nFrom: Ann Lee\n\nPlease send me your keys. We change the locks on Monday."
    assert group_of(memo, "Please") == "Orbell Works"
    headed = "Port of Dunrow – Memorandum\n\nThe board met on Friday. We close the berth in June."
    assert group_of(headed, "We close", others=(("Port of Dunrow", "place"),)) == "Port of Dunrow"
    assert group_of(headed, "We close", others=(("Port of Dunrow", "other"),)) is None
    faq = "Questions – Orbell\n\nCan I visit my reeds?\nYes, we open on Monday."
    assert group_of(faq, "Yes", others=(("Orbell", "person"),)) == "Orbell"
    leaflet = "Reedfinder 5\n*Finds worn reeds, by Orbell*\n\nOur cameras find them."
    assert group_of(leaflet, "Our", "Orbell") == "Orbell"
    said = f'{leaflet}\n\nIts manager, Ann Lee, says: "We found a reed."'
    assert group_of(said, '"We', "Orbell", in_marks=True) is None


def test_we_is_nobody_where_others_speak():
    letter = (
        "Orbell Reeds Ltd\n4 Mill Lane\n\nDear Sir or Madam,\n\nWe bought your reeds.\n\nYours faithfully,\nAnn Lee"
    )
    assert group_of(letter, "We bought", "Orbell Reeds") is None
    forum = "Orbell Reeds\n\nbo: we bought these, too\nann: I would not"
    assert group_of(forum, "we bought", "Orbell Reeds") is None
    article = "Orbell Reeds and Dunrow Works\n\nThe company makes reeds. We know little about its founder."
    assert group_of(article, "We know", "Orbell Reeds", "Dunrow Works") is None
    notice = "SAFETY NOTICE 4\nMaker: Orbell Reeds Ltd\n\nWe have asked the maker to recall the reeds."
    assert group_of(notice, "We have") is None


def test_the_parties_of_a_contract_have_the_names_that_it_gives_them():
    text = 'between Orbell Reeds Ltd, Dunrow (hereinafter "the Seller"), and Ann Lee (the "Buyer"). A (the "b") sang.'
    voice = Voices(passage(text)).at(0)
    assert voice.parties == {"Seller": "Orbell Reeds Ltd", "Buyer": "Ann Lee"}
    words = (Word("The", 0, 3), Word("Seller", 4, 10))
    party = Anchor(0, 2, 1, "concept", "organization", "Seller")
    anchors, referents = with_speakers([[party]], [], [voice], [Analysis("The Seller", words)])
    assert (anchors[0][0].referent, referents[0].name, referents[0].label) == (0, "Orbell Reeds Ltd", "organization")


def test_the_company_is_the_organization_whose_text_it_is_where_no_other_was_named():
    analysis = Analysis("The company", (Word("The", 0, 3), Word("company", 4, 11)))
    for kind, told in (("thing", "Orbell"), ("entity", "Acme")):
        known = Referent(0, kind, "Acme" if kind == "entity" else "company", "organization", ())
        anchor = Anchor(1, 2, 1, "concept", "organization", "company", referent=0)
        anchors, referents = with_speakers([[anchor]], [known], [Voice(group="Orbell")], [analysis])
        assert referents[anchors[0][0].referent or 0].name == told


def test_quoted_people_speak_for_the_organization_in_which_they_have_a_post():
    text = 'ORBELL REEDS PLC: NEW MILL\n\n"We sing," said Bo Ek, a customer.\n\n'
    text += '"We grow," said Ann Lee, managing director.\n\n"We play," said Jo Li, director of Dunrow Opera.'
    assert group_of(text, '"We sing', in_marks=True) is None
    assert group_of(text, '"We grow', in_marks=True) == "ORBELL REEDS"
    assert group_of(text, '"We play', in_marks=True) is None


def test_rows_that_nothing_tells_apart_and_units_say_nothing():
    rows = "".join(f"|WP|{hour}:00|1{hour}.5|{hour}00|\n" for hour in (1, 2, 1, 2, 1, 2))
    assert of_markdown(f"# Storm\n\n|Basin|Time|Lat|Wind|\n|-|-|-|-|\n{rows}") == []
    units = "|Place|Length|Width|\n|-|-|-|\n|name|m|m|\n|Oslo|3|4|\n|Bergen|5|6|\n|Moss|7|8|\n|Tromsø|9|1|\n"
    assert of_markdown(f"# Quays\n\n{units}")[0] == "(Oslo; has length; 3; Quays)"


def test_rows_of_amounts_are_no_properties():
    assert said("Report\n\nKabugao 233.00 233.00 Benguet 40,692.00   171,226.00\n") == []


def test_persons_of_cvs_and_values_behind_colons():
    cv = (
        "Curriculum vitae 1/2\n\nANN LINDQVIST\n\nWORK\n\nMill operator, Acme Ltd\n\n"
        "SKILLS\n\nHome language  : Finnish\nDriving        : B, C\nEyesight       : good\n"
    )
    found = said(cv)
    assert any(one.startswith("(ANN LINDQVIST; has Home language; Finnish") for one in found), found


def test_answers_of_several_fragments_and_columns_of_amounts():
    assert of_markdown("# Acme Kayaks FAQ\n\n**Parking?**\nBehind the barn. Free for guests.\n\n") == [
        "(Parking?; has answer; Behind the barn. Free for guests; Acme Kayaks FAQ)"
    ]
    table = "# Shop\n\n|Price|Article|Stock|\n|-|-|-|\n|4.20 CHF|Blue mug|12|\n|6.80 CHF|Red jug|3|\n"
    assert of_markdown(table)[:1] == ["(Blue mug; has price; 4.20 CHF; Shop)"]


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        # Two columns name a row where one does not tell rows apart; the third, with different cells, does not.
        (
            "|Service|Class|Price|\n|-|-|-|\n|check|S|120 €|\n|check|M|140 €|\n|wash|S|10 €|\n|wash|M|15 €|\n",
            ["(check S; has price; 120 €; Garage)", "(check M; has price; 140 €; Garage)"],
        ),
        # Two tables side by side.
        (
            "|Tool|Level|Language|Level|\n|-|-|-|-|\n|Python|daily|Setswana|good|\n|QGIS|sometimes|English|fluent|\n",
            [
                "(Python; has level; daily; Garage)",
                "(Python; has language; Setswana; Garage)",
                "(Setswana; has level; good; Garage)",
            ],
        ),
        (
            "|Name|Born|Name|Born|\n|-|-|-|-|\n|Tom Lee|1950|Ann Lee|1952|\n|Bo Berg|1960|Di Berg|1961|\n",
            ["(Tom Lee; was born; 1950; Garage)", "(Ann Lee; was born; 1952; Garage)"],
        ),
        # Labels with digits are no values.
        (
            "|Country|CO2|Capital|Area|\n|-|-|-|-|\n|Norway|40|Oslo|385|\n|Sweden|35|Visby|450|\n",
            ["(Norway; has CO2; 40; Garage)", "(Norway; has capital; Oslo; Garage)"],
        ),
        (
            "|Player|Goals 2024|Club|Coach|\n|-|-|-|-|\n|Ann Lee|12|Lund|Bo Berg|\n|Cy Dahl|7|Voss|Di Moe|\n",
            ["(Ann Lee; has goals 2024; 12; Garage)", "(Ann Lee; has club; Lund; Garage)"],
        ),
        (
            "|Region|Q1|Region|Q2|\n|-|-|-|-|\n|North|5|North|6|\n|South|7|South|8|\n",
            ["(North; is; 5; Q1; Garage)", "(North; is; 6; Q2; Garage)"],
        ),
        (
            "|Name|2020|Rank|2021|\n|-|-|-|-|\n|Lund|5|first|6|\n|Voss|7|second|8|\n",
            ["(Lund; is; 5; 2020; Garage)", "(Lund; is; 6; 2021; Garage)"],
        ),
        # Columns whose cells are alike are properties of the rows; a unit belongs to its number.
        (
            "|Parameter|Value|Unit|Flag|\n|-|-|-|-|\n|ALT|188|U/l|high|\n|Urea|5.1|mmol/l|low|\n|Iron|9|mg|low|\n",
            ["(parameter ALT; has value; 188 U/l; Garage)", "(parameter ALT; has flag; high; Garage)"],
        ),
        # Beginnings and ends are times.
        (
            "|Ship|Rank|From|To|\n|-|-|-|-|\n|Coral|cook|2019|2021|\n|Bula|mess hand|2015|2018|\n",
            ["(Coral; has rank; cook; Garage)", "(Coral; begins; 2019; Garage)", "(Coral; ends; 2021; Garage)"],
        ),
        # Numbers of plots name them.
        (
            "|Plot|Grape|\n|-|-|\n|112/1|Veltliner|\n|112/3|Riesling|\n|115|Zweigelt|\n",
            ["(plot 112/1; has grape; Veltliner; Garage)"],
        ),
    ],
)
def test_which_cells_name_a_row(table, expected):
    found = of_markdown(f"# Garage\n\n{table}")
    assert found[: len(expected)] == expected


def test_labels_that_are_said_of_the_document_and_lines_that_name_their_person():
    meeting = "SKARVOY FERRIES\n\nHeld at: waiting room, quay 2\nChair: Anders Myhre"
    assert said(meeting)[0] == "(SKARVOY FERRIES; is Held at; waiting room, quay 2)"
    assert said("Lab\n\nMachine: 8 cores, NVMe\nOS: Debian 12")[1:] == ["(OS; is; Debian 12; Lab)"]
    assert said("Cleaning (cost: 1,450 €)\n") == []
    referees = "ANN LEE\n\nREFEREES\n\nDesmond Frederick, harbour master, +1 268 555 0120\n"
    assert "(Desmond Frederick; has phone number; +1 268 555 0120; REFEREES; ANN LEE)" in said(referees)
    assert said("TOWN HALL\n\nJoin us\n\nyour@email\n") == []


def test_jobs_after_colons_and_places_after_schools():
    text = "Ann Lee – Curriculum Vitae\n\nEXPERIENCE\nArchive of the City, Bremerhafen: conservator, 2013–2018\n"
    assert said(text)[0] == "(Ann Lee; worked as; conservator; Archive of the City; Bremerhafen; 2013–2018)"
    school = "Ann Lee – Curriculum Vitae\n\nEDUCATION\n1994–1998 Secondary school of building, Volyn\n"
    shop = "Ann Lee – Curriculum Vitae\n\nEMPLOYMENT\n2010-2015 Anders Stores, Manchester\n"
    assert said(shop) == ["(Ann Lee; worked at; Anders Stores; Manchester; 2010-2015)"]
    assert said(school) == ["(Ann Lee; studied at; Secondary school of building; Volyn; 1994–1998)"]
    unnamed = "Ann Lee\n\nExperience\n\n2015–2019 part-time\n- built a team of 11\n\nHobbies\n- chess\n"
    assert "(Ann Lee; has experience; built a team of 11)" in said(unnamed)
    mixed = "Ann Lee\n\nExperience\n\n2012–2014 Engineer, Acme\n\n2008–2012 BSc, University of Oslo\n- built a raft\n"
    assert not any("Acme; includes" in one for one in said(mixed))


def test_labels_over_several_columns_and_tasks_and_hours():
    layout = Layout("a", Reading())
    heads = [["Berth", "Summer", "", "Winter", ""], ["", "members", "guests", "members", "guests"]]
    layout.table([*heads, ["A", "320", "410", "120", "150"], ["B", "480", "600", "180", "220"]])
    found = [one for part in layout.document("text/csv").passages() for one in shown(divide(part)[1])]
    assert found[1] == "(berth A; has summer guests; 410)"
    tasks = "Elm School\n\nTo do\n- Jana: book the gym\n- Ann: flowers\n- Monday: ask the band\n- Wine: in the hall\n"
    found = [one.partition("; To do")[0] for one in said(tasks)]
    assert found[:2] == ["(Jana; has task; book the gym", "(Ann; has task; flowers"]
    assert not any("has task" in one for one in found[2:])
    boxes = "- [ ] Write the report – Friday\n- [ ] Mend the boiler – Tom Reed\n"
    days = of_markdown(f"# Elm School\n\n## Actions\n\n{boxes}")
    assert days[1].startswith("(Tom Reed; has task; Mend the boiler")
    assert not any("Friday; has" in one for one in days)
    assert "(Vesna Kralj; has phone number; +386 555 102" in said("Call\n\nVesna Kralj – sales – +386 555 102\n")[0]
    both = ["(Fri; is; 8-16; Harbour Hotel)", "(Harbour Hotel; has phone number; +47 22 33 44 55)"]
    assert of_markdown("# Harbour Hotel\n\nFri 8-16 +47 22 33 44 55\n") == both
    hours = "HARBOUR CAFE\n\nOpening hours\n   Mon-Fri 7-18\n   Sat 8-13\n"
    assert said(hours)[0] == "(Mon-Fri; is; 7-18; HARBOUR CAFE; Opening hours)"


def test_lists_below_what_introduces_them_in_a_turn():
    text = "[10:00] Ann: ok\n[10:01] Bo: hi\n[10:02] Ann: great, list so far:\ntables - Sam\n[10:03] Bo: our van\n"
    found = [str(one) for sentence in divide(passage(text))[1] for one in sentence.extractions]
    assert found == ["(tables; is; Sam; great, list so far; Ann)"]
    assert not divide(passage(text.replace("\ntables", "\n[10:02] Bo: tables")))[1]


def test_you_is_whom_a_turn_names_or_answers():
    text = "[10:00] Ann: Bo, you have it\n[10:01] Bo: you took it\n[10:02] Cy: you two!\n[10:03] Ann: @Cy you rest\n"
    blocks = [replace(one, time=None) for one in line_blocks(text)]
    voices = Voices(Passage(text, 0, "a", tuple(blocks)))
    assert [voices.at(one.start).named("you") for one in blocks] == ["Bo", "Ann", None, "Cy"]


def test_headings_in_capitals_and_by_number_without_blank_lines():
    menu = "HILL CAFE\nTeas and cakes\nFISH (fried to order)\nCod ........ 7.80\nWET\nTartare: 40p\n"
    assert said(menu)[-2:] == [
        "(Cod; costs; 7.80; FISH (fried to order); HILL CAFE; Teas and cakes)",
        "(Tartare; costs; 40p; WET; HILL CAFE; Teas and cakes)",
    ]
    report = "Weirs\n\n1. Summary\n\nAll is well.\n\n2. Costs\n\nTable 1 Sums\nWeir    400   500\nSlip    300   200\n"
    kinds = [(block.kind, block.path[1:]) for block in line_blocks(report)]
    assert [kind for kind, _ in kinds] == ["title", "heading", "paragraph", "heading", "paragraph", "table"]
    assert kinds[-1][1] == ("Costs",)


def test_units_in_a_column_of_their_own_and_tables_of_what_was_planned():
    assert of_markdown("# Stove 300\n\n||||\n|-|-|-|\n|Heat output|2.4|kW|\n|Weight|118|kg|\n") == [
        "(Heat output; is; 2.4 kW; Stove 300)",
        "(Weight; is; 118 kg; Stove 300)",
    ]
    table = "# Fair\n\n||Planned|Spent|\n|-|-|-|\n|Bus to the zoo|350 €|0 €|\n|New slide|600 €|212 €|\n"
    assert of_markdown(table)[0].startswith("(Bus to the zoo; has planned; 350 €")


def test_names_of_forms_and_answers_that_are_no_labels():
    form = (
        "FORM 7\n\nSurname .. REED\nFirst name(s) .. ANN\nPassport ... Irish\n\nEMPLOYMENT\n\n2015-2019 Cook, Inn\n"
    )
    assert "(ANN REED; has Passport; Irish; FORM 7)" in said(form)
    faq = (
        "# Boat FAQ\n\n**How early?**\n\nBy car: 40 minutes. On foot: 15.\n\n**Who is in which van?**\n\nNewts: Bex\n"
    )
    assert [one.partition(";")[0] for one in of_markdown(faq)] == ["(How early?", "(Who is in which van?"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "| Population | Town |\n|-|-|\n| 12000 | Lund |\n| 34000 | Voss |\n| 5600 | Moss |\n",
            "(Lund; has population; 12000)",
        ),
        ("# Moving costs\n\nHelpers: 3\n", "(Helpers; is; 3; Moving costs)"),
        (
            "| Ship | From | To |\n|-|-|-|\n| Coral | Pier 1 | Pier 3 |\n| Mira | Pier 2 | Pier 4 |\n",
            "(Coral; has origin; Pier 1)",
        ),
        (
            "| Name | Room | Phone |\n|-|-|-|\n| Ann Lee | | |\n| Bo Ek | 12 | 555 |\n| Eva Goe | 14 | 556 |\n",
            "(Bo Ek; has room; 12)",
        ),
        ("| Day | From | To |\n|-|-|-|\n| Mon | 7:00 | 9:00 |\n| Tue | 8:00 | 9:30 |\n", "(Mon; begins; 7:00)"),
        ("# River Bank Cafe\n\nEspresso: 2.50 EUR\n", "(Espresso; costs; 2.50 EUR; River Bank Cafe)"),
        ("# Jan Novak\n\n## Actions\n\nVenue: town hall\n", "(Venue; is; town hall; Jan Novak; Actions)"),
        ("| Song | Band |\n|-|-|\n| (Bob) | Beta |\n| (vacant) | Gamma |\n", "((Bob); has band; Beta)"),
        ("# Harbour Hotel\n\nFri 8-16 022 33 44 55\n", "(Harbour Hotel; has phone number; 022 33 44 55)"),
        ("Monica 5-7\n\nSatu 2-0\n", None),
        (
            "# Contacts\n\nJohn Smith: budget +44 20 7946 0000\n",
            "(John Smith; has phone number; +44 20 7946 0000; Contacts)",
        ),
        ("# What does it cost?\n\n12 euros a month.\n", "(What does it cost?; has answer; 12 euros a month)"),
        ("# Club\n\n## Menu\n\n- Soup\n- 5 EUR\n", "(Club; has menu; Soup)"),
        (
            "# Jan Novak\n\n## Employment\n\nNorrby School: until 2009\n",
            "(Jan Novak; worked at; Norrby School; until 2009)",
        ),
        ("# Ann Lee\n\nborn in Windsor\n", None),
    ],
)
def test_what_looks_like_another_form(text, expected):
    assert of_markdown(text)[:1] == ([expected] if expected else [])


def test_forms_in_capitals():
    text = "ACME LTD\n\nCHIEF EXECUTIVE OFFICER: ANN MARY LEE JONES\nREGISTERED OFFICE: 12 HIGH STREET, LONDON\n"
    assert len(said(text)) == len(of_markdown(text)) == 2
    # The first words are what a form is about; below them, capitals are the caption of a part.
    form = "ANN LEE\n\nEmail: a@b.org\nLanguages: German, French\n"
    assert len(of_markdown(form)) == 2
    assert not any("(Club; " in one for one in of_markdown(f"Club\n\n{form}"))
    assert said("ACME FOODS PLC: STATEMENT ON REPORTS OF THE PRESS\n") == []


def test_sentences_within_one_quotation_are_of_the_one_who_is_quoted() -> None:
    texts = ['"It failed .', 'Costs rose ," said Ann', "It rained .", '"Old Harbour " hangs there', '"Prices fell ."']
    analyses, found, start = [], [], 0
    for number, text in enumerate(texts):
        words = [
            Word(word, text.index(word), text.index(word) + len(word)) for word in re.findall(r"[\w’]+|[^\w\s]", text)
        ]
        analyses.append(Analysis(text, tuple(words), start=start))
        start += len(text) + 1
        at = 1 if text.startswith('"') else 0
        one = Extraction(Sentence(text), Argument("is", tokens=(at + 1,)), Argument("it", tokens=(at,)))
        attribution = Attribution("Ann", "said") if number == 1 else None
        found.append(SentenceTuples(Sentence(text), (replace(one, attribution=attribution),)))
    found[3] = replace(
        found[3], extractions=(replace(found[3].extractions[0], args=(Argument("x", tokens=(4, 5)),)),)
    )
    shown = [one.extractions[0].attribution for one in with_quotations(found, analyses)]
    assert [str(one) if one else None for one in shown] == ["Ann said", "Ann said", None, None, "said"]


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('It is 24" wide . Bo left .', ""),
        ('"Ann sold it . Bo left .', ""),
        ('He read "Ann sold it . Bo left .\n\nCy came .', ""),
        ('"Ann sold it . Bo left .\n\n"Cy came ." Di left .', '" Ann sold it . Bo left . " Cy came .'),
        ('"It is 24" he said . "Bo left ." Cy came .', '" It is 24 " Bo left .'),
    ],
)
def test_inches_and_marks_that_nothing_closes_quote_nothing(text: str, quoted: str) -> None:
    analyses = []
    for match in re.finditer(r'\S[^.]*\.(?:"(?= |$)| ")?', text):
        words = (Word(one[0], one.start(), one.end()) for one in re.finditer(r"[\w’]+|[^\w\s]", match[0]))
        analyses.append(Analysis(match[0], tuple(words), start=match.start()))
    pairs = zip(analyses, quotations(analyses), strict=True)
    assert " ".join(word.text for one, row in pairs for word, on in zip(one.words, row, strict=True) if on) == quoted


def test_values_below_their_labels_with_a_colon():
    assert said("Norrby pump\n\nType\n: centrifugal\nSeal\n: double\n")[-1].startswith("(Seal; is; double")


def test_forms_of_labels_and_values_side_by_side():
    rows = "|Driver|Ann Lee|Contract|K-7742|\n|-|-|-|-|\n|Plate|TK-55|Colour|white|\n|km out|84 310|km in|84 957|\n"
    found = of_markdown(f"# Van hand-over sheet\n\n{rows}")
    assert [one.split(";")[0] for one in found] == ["(Driver", "(Contract", "(Plate", "(Colour", "(km out", "(km in"]


def test_what_is_below_a_title_is_a_context_but_not_of_itself():
    report = (
        "# Annual report\n\nFishermen of Havnsund\n\n## Key figures\n\n|  | 2022 | 2023 |\n|-|-|-|\n|Members|61|58|\n"
    )
    assert of_markdown(report) == [
        "(Members; is; 61; 2022; Key figures; Annual report; Fishermen of Havnsund)",
        "(Members; is; 58; 2023; Key figures; Annual report; Fishermen of Havnsund)",
    ]
    assert said("HILL CAFE\n\nTea 4 €, cake 9 €\n") == [
        "(Tea; costs; 4 €; HILL CAFE)",
        "(cake; costs; 9 €; HILL CAFE)",
    ]
    # A person of a CV is enough.
    person = of_markdown(
        "# Ann Lee\n\nOslo\n\n## Employment\n\nPhone: 555\nNationality: Danish\n\n## Skills\n\n- Go\n"
    )
    assert not any("Oslo" in one for one in person if "Danish" in one)


def test_lines_that_are_indented_belong_to_the_one_above():
    minutes = "Tennis club\n\n1. Courts\n   Responsible: Matt Drury\n\n2. Summer party\n   Band: The Net Cords\n"
    assert said(minutes)[0].endswith("(Responsible; is; Matt Drury; Tennis club; Courts)")
    assert "(Band; is; The Net Cords; Tennis club; Summer party)" in said(minutes)


def test_the_unit_of_all_prices_and_prices_without_a_word_for_them():
    rows = "| Boat | Persons | Half day | Day |\n|-|-|-|-|\n| Canoe | 3 | 250 | 380 |\n| Tern | 4 | 300 | 450 |\n"
    assert of_markdown(f"# Prices\n\nAll prices in NOK, deposit 500.\n\n{rows}")[:3] == [
        "(Canoe; has persons; 3; Prices)",
        "(Canoe; has half day price; 250; Prices; All prices in NOK)",
        "(Canoe; has day price; 380; Prices; All prices in NOK)",
    ]
    rows = "| Article | Unit | Price |\n|-|-|-|\n| Tar | l | 17.20 |\n| Board | m | 2.15 |\n| Screw | box | 8.90 |\n"
    assert "(Tar; has price; 17.20 per l; Shop)" in of_markdown(f"# Shop\n\n{rows}")
    halls = "| Room | Per hour |\n|-|-|\n| Hayloft | £14 |\n| Dairy | £7 |\n"
    assert of_markdown(f"# The barn\n\n{halls}")[0] == "(Hayloft; costs per hour; £14; The barn)"


def test_who_is_told_beside_a_remark_and_an_event():
    assert "(Bo Ek; has role; manager; For the quarry; Dust group)" in said(
        "Dust group\n\nFor the quarry: Bo Ek (manager), Ann\n"
    )
    rows = (
        "| Year | Work | Contractor |\n|-|-|-|\n| 1931 | new bearings | Lund AG |\n| 1977 | new rails | Ostbau AG |\n"
    )
    assert of_markdown(f"# Tarvel Viaduct\n\n## Repairs\n\n{rows}")[:2] == [
        "(Tarvel Viaduct; has work; new bearings; 1931; Repairs)",
        "(new bearings; has contractor; Lund AG; 1931; Repairs; Tarvel Viaduct)",
    ]
    assert said("Harbour pilots\n\nSalonen: I'll draft it by Friday.\nRoom: 12\n") == [
        "(Room; is; 12; Harbour pilots)"
    ]


def test_labels_below_a_section_are_not_of_the_document():
    text = "# Riverbank Primary\n\n## Winter fair\n\nStalls: 14\nMusic: the choir\n"
    assert of_markdown(text)[0] == "(Stalls; is; 14; Riverbank Primary; Winter fair)"
    rows = "|  | 2023 | 2024 |\n|-|-|-|\n|Missions|94|121|\n|of these at night|23|30|\n"
    assert (
        of_markdown(f"# Rescue Val Torga\n\n{rows}")[2]
        == "(of these at night; is; 23; 2023; Missions; Rescue Val Torga)"
    )
    vitae = "Curriculum vitae\n\nName: Winnifred Holm\nBorn: 1985\n\nWork\n\n- Go\n"
    assert said(vitae)[-1] == "(Winnifred Holm; has work; Go; Curriculum vitae)"


def test_values_go_on_in_the_next_line():
    people = "Ann Lee (chair), Bo Ek, Cy Dow, Dan Okoye"
    assert f"(Present; is; {people}, Erin Walsh; Club)" in said(
        f"Club\n\nPresent: {people},\nErin Walsh\nGuests: 4\n"
    )
    wide = f"Club\n\nPresent:    {people},\n            Erin Walsh\nExcused:    Eva Moe\n"
    assert said(wide)[:1] == [f"(Present; is; {people}, Erin Walsh; Club)"]
