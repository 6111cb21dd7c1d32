"""Reports: communities in a hierarchy, the sentences chosen for them, and how both are written."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from dataclasses import replace

import numpy as np
import pytest

from tests.browser import Watched, becomes, expect, faults
from tests.cli.runner import run
from tests.graph.small import HARBOUR, Said, World, write_graph
from tests.graph.test_page import ATTACK, HOSTILE, town
from tupelo.api.graph import Graph
from tupelo.core import InputError, UnknownNameError
from tupelo.graph.query.network import find_communities
from tupelo.graph.report.dossier import make_report
from tupelo.graph.report.key_facts import KeyFact, KeyFacts, Statement
from tupelo.graph.report.survey import ranked_graph
from tupelo.graph.report.topics import find_topics
from tupelo.graph.store.derive import derive
from tupelo.graph.store.file import create, open_graph
from tupelo.show.report_page import report_html, report_markdown


@pytest.fixture(scope="module")
def harbour_report(harbour):
    with open_graph(harbour) as store:
        return make_report(store, "harbour")


def sentences(report):
    return [fact.sentence for community in report.communities for fact in community.all_facts()]


def of_world(path, *said, **options):
    with open_graph(write_graph(path, World(list(said), {said[0].subject: "person"}))) as store:
        return make_report(store, "world", **options)


def test_a_report_of_a_small_graph(harbour_report):
    first = harbour_report.communities[0]
    assert harbour_report.sizes == {"documents": 3, "sentences": 18, "entities": 9, "edges": 14}
    assert first.entities[0].name in first.title
    assert first.importance == max(community.importance for community in harbour_report.communities)
    assert sum(community.importance for community in harbour_report.communities) <= 1.000_01
    assert "Ann Watson founded Lindvik Shipping in 1998." in sentences(harbour_report)
    assert len(sentences(harbour_report)) == len(set(sentences(harbour_report)))


def test_only_what_the_text_asserts_is_a_fact(harbour_report):
    found = " ".join(sentences(harbour_report))
    for words in ("does not sail", "may buy", "Did North", "would buy", "believes that", "reports"):
        assert words not in found
    stated = [
        said for community in harbour_report.communities for fact in community.facts for said in fact.statements
    ]
    assert {str(said) for said in stated} >= {"Ann Watson | founded | Lindvik Shipping"}
    assert not [said for said in stated if "buy" in said.relation]


def test_every_fact_has_its_source(harbour_report):
    cited = {sentence.id: document for document in harbour_report.sources for sentence in document.sentences}
    facts = [fact for community in harbour_report.communities for fact in community.all_facts()]
    assert {fact.id for fact in facts} == set(cited)
    assert all(cited[fact.id].source == fact.source for fact in facts)
    quoted = [sentence for document in harbour_report.sources for sentence in document.sentences]
    first = next(sentence for sentence in quoted if "in 1998." in sentence.sentence)
    assert (first.before, first.position, first.after) == ("", 0, "Ann Watson lives in Lindvik.")


def test_a_sentence_that_stands_alone_is_preferred(tmp_path):
    said = [
        Said("Ann Lee", "founded", "Acme", "She then founded the firm as well in that same year.", "a.txt"),
        Said("Ann Lee", "founded", "Acme", "Ann Lee founded Acme in the old harbour of Oslo.", "b.txt"),
        Said("Ann Lee", "founded", "Acme", "When was it that Ann Lee founded Acme in Oslo?", "c.txt"),
        Said("Ann Lee", "founded", "Acme", "Ann Lee, founder of Acme, and her harbour", "d.txt"),
    ]
    assert sentences(of_world(tmp_path / "g.duckdb", *said, facts=1)) == [said[1].sentence]
    assert said[2].sentence not in sentences(of_world(tmp_path / "h.duckdb", *said, facts=9))


def test_sentences_that_say_the_same_are_not_both_chosen(tmp_path):
    said = [
        Said("Ann Lee", "founded", "Acme", "Ann Lee founded Acme in Oslo in the summer of 1998.", confidence=0.9),
        Said("Ann Lee", "founded", "Acme", "In the summer of 1998 Ann Lee founded Acme in Oslo.", "b.txt"),
        Said("Ann Lee", "bought", "Globex", "The whole of Globex was bought by Ann Lee last spring.", confidence=0.6),
    ]
    found = sentences(of_world(tmp_path / "g.duckdb", *said, facts=2))
    assert said[2].sentence in found
    assert len(found) == 2


def test_pronouns_are_followed_by_what_they_stand_for():
    said = Statement("e", "Ole Berg", "founded", "Berg Cranes", 0.9)
    fact = KeyFact("s", "He founded Berg Cranes.", "a.txt", 2, ((0, 2, "Ole Berg"),), (said,))
    assert str(fact) == "“He [Ole Berg] founded Berg Cranes.” (a.txt:3)"
    assert fact.segments() == [("He", "Ole Berg"), (" founded Berg Cranes.", "")]


def test_nothing_is_chosen_where_nothing_is_worth_anything(harbour):
    with open_graph(harbour) as store:
        edge = store.rows("SELECT edge_id FROM edges WHERE stance = 'asserted' ORDER BY 1 LIMIT 1")[0][0]
        denied = store.rows("SELECT edge_id FROM edges WHERE stance = 'denied'")[0][0]
        facts = KeyFacts(store, [edge, denied])
        assert len(facts.choose({edge: 1.0}, 5)) == 1
        assert facts.choose({edge: 1.0}, 5, passed={facts.choose({edge: 1.0}, 5)[0].id}) == []
        assert facts.choose({denied: 1.0, "nothing": 1.0}, 5) == []


def test_a_higher_resolution_gives_smaller_communities():
    # A ring of eight triangles, each tied to the next by one edge.
    inner = [(3 * at + a, 3 * at + b) for at in range(8) for a, b in ((0, 1), (1, 2), (0, 2))]
    ring = [(3 * at, (3 * at + 3) % 24) for at in range(8)]
    sizes = [len(np.unique(find_communities(24, [*inner, *ring], resolution=value))) for value in (0.2, 1.0, 3.0)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[2]


def test_what_everybody_mentions_does_not_make_one_topic(tmp_path):
    said = [
        Said(name, relation, f"{name} {part}", f"{name} {relation} {name} {part}.", f"{name}.txt")
        for name in ("Acme", "Globex", "Initech")
        for relation, part in (("owns", "Works"), ("runs", "School"), ("sold", "Line"))
    ]
    said += [Said(name, "is in", "Norway", f"{name} is in Norway.", f"{name}.txt") for name in ("Acme", "Globex")]
    said += [Said("Initech", "is in", "Norway", "Initech is in Norway.", "Initech.txt")]
    with open_graph(write_graph(tmp_path / "g.duckdb", World(said))) as store:
        titles = [community.title for community in make_report(store, "companies").communities]
    assert sorted(title.partition(",")[0].partition(" and ")[0] for title in titles) == ["Acme", "Globex", "Initech"]


def test_a_large_community_is_divided(tmp_path, monkeypatch):
    monkeypatch.setattr("tupelo.graph.report.topics._FIGURES.large", 8)
    path = write_graph(tmp_path / "town.duckdb", town(districts=3, size=20, islands=1))
    with open_graph(path) as store:
        graph = ranked_graph(store)
        topics = find_topics(graph, 10)
        report = make_report(store, "town")
    assert len(topics) >= 3
    for topic in topics:
        for part in topic.parts:
            assert set(part.entities.tolist()) < set(topic.entities.tolist())
            assert set(part.edges.tolist()) < set(np.flatnonzero(np.isin(graph.ends, topic.entities).all(axis=1)))
    assert any(topic.parts for topic in topics)
    assert len(sentences(report)) == len(set(sentences(report)))


def test_a_report_of_one_entity(harbour):
    with open_graph(harbour) as store:
        found = make_report(store, "harbour", entity="watson")
    assert found.entity is not None
    assert (found.entity.entity.name, found.entity.names, found.entity.documents) == ("Ann Watson", ("Watson",), 2)
    facts = [fact.sentence for fact in found.entity.facts]
    assert facts[0] == "Ann Watson founded Lindvik Shipping in 1998."
    assert "Watson also set up North Ferries in May 2004." in facts
    assert "In 1998 the company was founded by Watson." not in facts
    said = [str(statement) for statement in found.entity.statements]
    assert said[0] == "Ann Watson | founded | Lindvik Shipping"
    assert not [line for line in said if "chairman" in line or "bought" in line]
    own = {fact.id for fact in found.entity.facts}
    assert not own & {fact.id for community in found.communities for fact in community.all_facts()}


def test_an_entity_with_several_meanings_is_the_most_mentioned_one_and_says_so(tmp_path):
    said = [
        Said("Ann Berg", "lives in", "Oslo", "Ann Berg lives in Oslo these days."),
        Said("Ole Berg", "lives in", "Bergen", "Ole Berg lives in Bergen these days."),
        Said("Ole Berg", "left", "Voss", "Ole Berg left Voss some time ago."),
    ]
    found = of_world(tmp_path / "g.duckdb", *said, entity="berg")
    assert found.entity is not None
    assert found.entity.entity.name == "Ole Berg"
    assert "2 entities" in found.remarks[0]
    assert found.remarks[0] in found.to_dict()["remarks"]
    assert "2 entities" in found.html
    assert "2 entities" in found.markdown


def test_an_empty_graph_has_an_empty_report(tmp_path):
    with create(tmp_path / "empty.duckdb") as store:
        with store.transaction():
            derive(store)
        found = make_report(store, "empty")
    assert found.communities == ()
    assert "Nothing is asserted" in found.html
    assert "Nothing is asserted" in found.markdown


def test_the_same_graph_gives_the_same_report_whatever_the_order_of_its_rows(tmp_path, harbour_report):
    turned = replace(HARBOUR, statements=[*reversed(HARBOUR.statements)])
    with open_graph(write_graph(tmp_path / "again.duckdb")) as store:
        assert make_report(store, "harbour").html == harbour_report.html
    with open_graph(write_graph(tmp_path / "turned.duckdb", turned)) as store:
        titles = [community.title for community in make_report(store, "harbour").communities]
    assert titles == [community.title for community in harbour_report.communities]


def test_hostile_names_stay_text(tmp_path):
    with open_graph(write_graph(tmp_path / "h.duckdb", HOSTILE)) as store:
        reports = [make_report(store, ATTACK), make_report(store, ATTACK, entity=ATTACK)]
    for report in reports:
        page, text = report_html(report), report_markdown(report)
        pictures = re.findall(
            r'<img alt="The main edges as a picture" src="data:image/svg\+xml;base64,([\w+/=]+)">', page
        )
        assert pictures
        for picture in pictures:
            drawn = b64decode(picture).decode()
            page = page.replace(
                f'<img alt="The main edges as a picture" src="data:image/svg+xml;base64,{picture}">', ""
            )
            assert not re.search(r"<(script|img|b|i)\b|<svg onload", drawn)
        assert ATTACK in report.to_dict()["title"]
        for tag in ("<script", "<img", "<svg", "<b>", "<i>"):
            assert tag not in page
            assert not re.search(rf"(?<!\\){tag}", text)
        assert "javascript:" not in " ".join(re.findall(r'href="([^"]*)"', page))
        assert "\x00" not in page + text
        assert "\u202e" not in page + text


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("1. no list", r"1\. no list"),
        ("- no list", r"\- no list"),
        ("# a *b* _c_ [d](e) <f> `g` |", r"\# a \*b\* \_c\_ \[d\](e) \<f\> \`g\` \|"),
        ("two\nlines", "two lines"),
    ],
)
def test_markup_in_sentences_is_no_markup(tmp_path, given, written):
    said = Said("Ann Lee", "founded", "Acme", given)
    assert f"- {written}[^1]\n" in of_world(tmp_path / "g.duckdb", said).markdown


def test_html_and_markdown_have_the_same_content(harbour_report):
    page, text = harbour_report.html, harbour_report.markdown
    for community in harbour_report.communities:
        assert community.title in page
        assert f"## {community.title}\n" in text
    for number, sentence in enumerate(sentences(harbour_report), start=1):
        assert f'{sentence} <a class="cite" href="#s{number}"' in page
        assert f'<blockquote id="s{number}">' in page
        assert f"- {sentence}[^{number}]\n" in text
        assert f"[^{number}]: " in text


def test_statements_with_a_time_make_a_timeline_and_edges_a_picture(tmp_path):
    import duckdb

    path = write_graph(tmp_path / "g.duckdb")
    with duckdb.connect(path) as store:
        store.execute("UPDATE statements SET valid_from = '1998', valid_until = '..', text = 'She ran <b>it</b>'")
    with open_graph(path) as store:
        found = make_report(store, "harbour")
    assert [(one.valid_from, one.valid_until, one.text) for one in found.timeline] == [
        ("1998", "..", "She ran <b>it</b>")
    ]
    assert "<time>since 1998</time> She ran &lt;b&gt;it&lt;/b&gt;" in found.html
    assert r"- since 1998: She ran \<b\>it\</b\> (" in found.markdown
    assert found.to_dict()["timeline"][0]["valid_from"] == "1998"
    assert len(found.pictures) == len(found.communities)
    [drawn, *_] = re.findall(r"base64,([^\"]+)", found.html)
    assert "founded" in b64decode(drawn).decode()


def test_a_source_on_the_web_is_a_link_and_nothing_else_is(tmp_path):
    sentence = "Ann Lee founded Acme in Oslo."
    for source, linked in (('https://example.org/a?b="c', True), ("javascript:alert(1)", False)):
        page = of_world(tmp_path / f"{linked}.duckdb", Said("Ann Lee", "founded", "Acme", sentence, source)).html
        assert ('<a href="https://example.org/a?b=&quot;c" rel="noreferrer">' in page) == linked


def test_the_command_writes_what_the_name_says(harbour, capsys, tmp_path):
    with Graph.open(harbour) as graph:
        expected = graph.report(entity="Ole Berg", communities=2, facts=1, title="Berg")
        assert graph.report(tmp_path / "api.md").markdown == (tmp_path / "api.md").read_text("utf-8")
    options = ("--entity", "Ole Berg", "--communities", "2", "--facts", "1", "--title", "Berg")
    assert run(capsys, "graph", "report", harbour, *options).out == expected.markdown
    run(capsys, "graph", "report", harbour, *options, "-o", tmp_path / "berg.html")
    assert (tmp_path / "berg.html").read_text("utf-8") == expected.html
    assert json.loads(run(capsys, "graph", "report", harbour, *options, "--json").out) == expected.to_dict()


def test_bad_input_is_named_and_nothing_is_written(harbour, capsys, tmp_path):
    outcome = run(capsys, "graph", "report", harbour, "-o", tmp_path / "report.pdf")
    assert (outcome.status, list(tmp_path.iterdir())) == (2, [])
    assert "report.pdf: expected a name that ends in .html or .md" in outcome.err
    outcome = run(capsys, "graph", "report", harbour, "--entity", "Nobody", "-o", tmp_path / "r.html")
    assert (outcome.status, list(tmp_path.iterdir())) == (2, [])
    assert "no entity named 'Nobody'" in outcome.err
    assert run(capsys, "graph", "report", harbour, "--communities", "0").status == 2
    assert run(capsys, "graph", "report", tmp_path / "none.duckdb").status == 2
    with Graph.open(harbour) as graph:
        with pytest.raises(InputError, match="ends in"):
            graph.report("report.docx")
        with pytest.raises(UnknownNameError):
            graph.report(entity="Nobody")


@pytest.mark.process
@pytest.mark.browser
def test_the_page_in_a_browser(browser, harbour, tmp_path):
    with Graph.open(harbour) as graph:
        graph.report(tmp_path / "r.html", entity="Ann Watson")
    watched = Watched(browser, color_scheme="dark")
    page = watched.page
    page.goto((tmp_path / "r.html").as_uri())
    expect(page.locator("body")).to_have_css("background-color", "rgb(17, 22, 28)")
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("To the content")
    page.focus('a[href="#s1"]')
    page.keyboard.press("Enter")
    expect(page.locator(":target")).to_have_id("s1")
    page.focus("#s1 a")
    page.keyboard.press("Enter")
    expect(page.locator(":target")).to_have_id("f1")
    page.focus("#f1 summary")
    page.keyboard.press("Enter")
    expect(page.locator("#f1 details li").first).to_be_visible()
    assert faults(page) == []
    page.emulate_media(media="print", color_scheme="light")
    expect(page.locator("details").first).not_to_be_visible()
    becomes(page, lambda: page.evaluate("document.documentElement.scrollWidth <= innerWidth"), True)
    assert watched.trouble == []
    assert [url for url in watched.requests if not url.startswith(("file:", "data:"))] == []
    watched.close()
