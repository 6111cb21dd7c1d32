"""Names that look like another, that cannot be seen, or that mix alphabets."""

from __future__ import annotations

import unicodedata

import pytest
from sqlalchemy import select

from tests.annotate.serving import PASSWORD, live, make_setting, pairs
from tupelo.annotate.credentials import _lookalikes, check_distinct, usable_name
from tupelo.annotate.people import make_link
from tupelo.annotate.schema import people
from tupelo.web.guard import Refusal


@pytest.mark.parametrize(
    ("taken", "asked"),
    [
        ("Ann Cox", "Аnn Cox"),  # one letter of another alphabet
        ("Coco", "Сосо"),  # all Cyrillic
        ("TOMA", "ТОМА"),
        ("Toma", "тома"),
        ("Hanna", "ΗΑΝΝΑ"),  # Greek capitals
        ("Joe", "Јое"),
        ("Сосо", "Coco"),  # the other way round
        ("Alice", "AIice"),
        ("Alice", "A1ice"),
        ("Bob0", "BobO"),
        ("Emma", "Ernrna"),
        ("Ann", "ａｎｎ"),
        ("Ann", "ANN"),
        ("Ann Cox", "Ann   Cox"),
        ("Fiona", "ﬁona"),
        ("Zoë", "Zoe\u0308"),
        ("ёж", "е\u0308ж"),
        ("SWAN", "ꓢꓪꓮꓠ"),
    ],
)
def test_a_name_that_looks_like_another_is_refused(taken, asked):
    with pytest.raises(Refusal, match=r"taken|one alphabet"):
        check_distinct(usable_name(asked), ["Root", taken])


@pytest.mark.parametrize(
    "name",
    ["Аnn", "Annа", "Ρaul", "pаypal", "Ann Иванова", "Zoë Παπα", "Սam", "山田Анна"],
)
def test_letters_of_two_alphabets_are_refused(name):
    with pytest.raises(Refusal, match="one alphabet") as refusal:
        usable_name(name)
    assert (refusal.value.code, refusal.value.field) == ("invalid", "name")


@pytest.mark.parametrize(
    "name",
    [
        "", " ", "\u3164", "Ann\u200b", "Ann\u202e", "Ann\u2066x", "A\u034fnn", "Ann\ufe0f", "\u115fAnn", "Ann\u2800",
        "Ann\U000e0101", "Ann\0", "Ann\u00ad", "\ud800",
    ],
)  # fmt: skip
def test_what_cannot_be_seen_is_refused(name):
    with pytest.raises(Refusal, match="visible"):
        usable_name(name)


NAMES = [
    "Ann", "Анна Иванова", "Νίκος Παπαδόπουλος", "Արամ", "山田太郎", "田中 Anna", "さくらサクラ", "김민준",
    "João d’Été-Ågren", "محمد",
    "נועה", "ผู้ใช้", "Ştefan Ţurcanu", "Işıl", "O'Brien-42", "Đặng Thị", "Сергей", "Ёлка", "अनिता",
    "annotator_7", "Ann 🐦",
]  # fmt: skip


def test_genuine_names_of_any_alphabet_stay_and_do_not_clash():
    known: list[str] = []
    for name in NAMES:
        made = usable_name(name)
        assert made == unicodedata.normalize("NFKC", name)
        check_distinct(made, known)
        known.append(made)


def test_near_names_in_one_alphabet_are_different():
    for one, other in [("Ian", "Lan"), ("Ann", "Anna"), ("Ann 2", "Ann 3"), ("Zoe", "Zoë"), ("Мария", "Марина")]:
        check_distinct(one, [other])


def test_the_table_of_look_alikes_leads_to_characters_that_stay():
    table = _lookalikes()
    assert not set(table) & set(table.values())
    assert all(unicodedata.normalize("NFKD", one) == one for one in table)


def test_a_look_alike_cannot_join(tmp_path):
    with live(make_setting(tmp_path, rows=pairs(1))) as server:
        server.enter("Coco")
        _, token = make_link(server.setting.desk, "annotator")
        for name, code in [("Сосо", "conflict"), ("Соco", "invalid")]:
            reply = server.visitor().post(f"/api/invitations/{token}", {"name": name, "password": PASSWORD})
            assert (reply.code, reply.body["error"]["field"]) == (code, "name")
        # The link was not used up.
        server.visitor().join(token, "Сарра")
        assert [row.name for row in server.setting.rows(select(people.c.name))] == ["Coco", "Сарра"]
