"""Limits as users write them."""

from __future__ import annotations

import pytest

from tupelo.core import InputError, UnknownNameError
from tupelo.core.limits import Limits


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, {}),
        ([], {}),
        (["member=50MB", "depth=1"], {"member": 50_000_000, "depth": 1}),
        (["member=1", "member=500 kb"], {"member": 500_000}),
        ({"archive": "2GB", "sentence": 800}, {"archive": 2_000_000_000, "sentence": 800}),
        (Limits(ratio=10), {"ratio": 10}),
    ],
)
def test_what_is_not_named_keeps_its_default(given, expected):
    assert Limits.of(given).changes == expected


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(
        UnknownNameError, match=r"no limit named 'membr'. Did you mean 'member'\? Known: archive, depth"
    ):
        Limits.of(["membr=5MB"])


@pytest.mark.parametrize("value", ["", "many", "-5", "5 TB", "1e9", "0", "9" * 30])
def test_a_value_that_is_no_size_is_one_line(value):
    with pytest.raises(InputError, match=r"^limit member=.*, expected") as error:
        Limits.of([f"member={value}"])
    assert "\n" not in str(error.value)


def test_a_limit_without_a_value_says_how_to_write_it():
    with pytest.raises(InputError, match="limit 'member', expected NAME=VALUE with one of document, member"):
        Limits.of(["member"])


def test_what_is_short_may_be_packed_as_tightly_as_it_likes():
    assert Limits().allowed(1) == 10_000_000
    assert Limits(ratio=100).allowed(1_000_000) == 100_000_000
