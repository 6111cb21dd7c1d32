"""Parts and their settings as users write them."""

import pytest

from tupelo.core import InputError, UnknownNameError
from tupelo.core.spec import number, one_of, read_pairs, require_known, typed_settings, whole_number


def make(layer: int = -1, share: float = 0.5, fast: bool = False, form: str = "sentence") -> None: ...


def test_settings_are_typed_by_the_defaults_of_the_constructor():
    given = {"layer": "3", "share": "1", "fast": "yes", "form": "triple"}
    assert typed_settings(make, given, "method 'm'") == {"layer": 3, "share": 1.0, "fast": True, "form": "triple"}
    assert typed_settings(make, {"layer": 4}, "method 'm'") == {"layer": 4}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"layer": "nine"}, "'layer=nine' has a value of the wrong kind, expected one like -1"),
        ({"fast": "perhaps"}, "'fast=perhaps' has a value of the wrong kind"),
        ({"colour": "red"}, "'colour=red' is no setting of method 'm', expected one of: layer=-1, share=0.5"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(settings, message):
    with pytest.raises(InputError, match=message):
        typed_settings(make, settings, "method 'm'")


@pytest.mark.parametrize("text", ["layer", "=5", " =5"])
def test_a_setting_needs_a_name_and_a_value(text):
    with pytest.raises(InputError, match="is not NAME=VALUE"):
        list(read_pairs([text]))


def test_a_value_may_have_an_equals_sign_and_be_empty():
    assert list(read_pairs(["base-url=http://x/?a=b", "template="])) == [
        ("base-url", "http://x/?a=b"),
        ("template", ""),
    ]


@pytest.mark.parametrize("text", ["x", "-1", "nan", "inf", ""])
def test_numbers_are_finite_and_not_below_the_least(text):
    with pytest.raises(InputError, match=f"setting 'n' is '{text}', expected a number, 0 or more"):
        number({"n": text}, "n", 1.0)
    with pytest.raises(InputError, match=f"setting 'n' is '{text}', expected a whole number, 1 or more"):
        whole_number({"n": text}, "n", 1)


def test_what_is_not_given_has_the_default():
    assert (number({}, "n", 0.5), whole_number({}, "n", 3), one_of({}, "n", ("no", "yes"))) == (0.5, 3, "no")


def test_unknown_settings_and_values_are_refused():
    with pytest.raises(UnknownNameError, match="Did you mean 'block'"):
        require_known({"blok": "3"}, ["block"], "command")
    with pytest.raises(InputError, match="'default' has no settings"):
        require_known({"x": "3"}, [], "default")
    with pytest.raises(InputError, match="setting 'doubtful' is 'maybe', expected no or yes"):
        one_of({"doubtful": "maybe"}, "doubtful", ("no", "yes"))
