"""The one TOML file of a project."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.annotate.project import Project, Review, read_project, with_setting
from tupelo.core import TupeloError

SMALL = '[project]\nname = "Birds"\ntask = "tuples"\n'


def test_everything_has_a_default(tmp_path):
    project = read_project(tmp_path, SMALL)
    assert isinstance(project, Project)
    assert project.review == Review(sample=0.4, reviewers=2, accept=0.9)
    assert project.database_address() == f"sqlite:///{tmp_path / 'annotations.sqlite'}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "without name"),
        ("[project", "expected TOML"),
        ('[project]\nname = "x"\ntask = "tupels"', "Did you mean 'tuples'"),
        (SMALL + "[reviews]\n", r"unknown table \[reviews\]"),
        (SMALL + "overlop = 2\n", "no such setting"),
        (SMALL + "overlap = 0\n", "whole number from 1"),
        (SMALL + "overlap = 1.5\n", "whole number"),
        (SMALL + "overlap = true\n", "whole number"),
        (SMALL + 'items = "items.txt"\n', "list of names"),
        (SMALL + "guidelines = 3\n", "expected text"),
        (SMALL + "[review]\nsample = 1.5\n", "from 0 to 1"),
        ("project = 3\n", "no table"),
        (SMALL + 'items = ["../../etc/passwd"]\n', "leads out of the project"),
        (SMALL + 'guidelines = "/etc/passwd"\n', "leads out of the project"),
        (SMALL + '[training]\ntutorial = "../t.toml"\n', "leads out of the project"),
        (SMALL + '[server]\nurl = "example.org"\n', "expected an address"),
        (SMALL + '[server]\nurl = "https://example.org/deep"\n', "expected an address"),
    ],
)
def test_a_mistake_is_named(tmp_path, text, message):
    with pytest.raises(TupeloError, match=message):
        read_project(tmp_path, text)


@pytest.mark.parametrize("database", ["../x.sqlite", "sqlite:////etc/x"])
def test_a_database_file_stays_in_the_project(tmp_path, database):
    with pytest.raises(TupeloError, match="expected"):
        read_project(tmp_path, SMALL + f'database = "{database}"\n').database_address()


def test_a_link_that_leads_out_is_not_followed(tmp_path):
    (tmp_path / "project").mkdir()
    (tmp_path / "secret.md").write_text("secret")
    (tmp_path / "project" / "guidelines.md").symlink_to(tmp_path / "secret.md")
    with pytest.raises(TupeloError, match="leads out"):
        read_project(tmp_path / "project", SMALL + 'guidelines = "guidelines.md"\n')


@pytest.mark.parametrize(
    ("tutorial", "message"),
    [
        ("steps = 3", "no list of tables"),
        ("[[steps]]\ntext = 'x'", "a title or a row is missing"),
        ("[[steps]]\ntitle = 'x'\nanswer = { a = 1 }", "a title or a row is missing"),
        ("[[steps]]\ntitle = 'x'\ncolour = 'red'", "'colour'"),
    ],
)
def test_a_mistake_in_the_tutorial_is_named(tmp_path, tutorial, message):
    (tmp_path / "tutorial.toml").write_text(tutorial)
    project = read_project(tmp_path, SMALL + '[training]\ntutorial = "tutorial.toml"\n')
    with pytest.raises(TupeloError, match=message):
        project.tutorial()


def test_records_name_the_guidelines_they_were_made_under(tmp_path):
    project = read_project(tmp_path, SMALL + 'guidelines = "guidelines.md"\n')
    (tmp_path / "guidelines.md").write_text("one")
    first = project.guideline_version()
    (tmp_path / "guidelines.md").write_text("two")
    assert project.guideline_version() != first


TEMPLATE = """# A comment
[project]
name = "x"   # its name
items = ["items.txt"]

[review]
sample = 0.4

[server]
"""


@given(
    st.sampled_from(
        [("project", "name"), ("project", "overlap"), ("review", "sample"), ("server", "url"), ("new", "a")]
    ),
    st.text(alphabet=st.characters(blacklist_categories=["Cs", "Cc"]), max_size=20) | st.integers(0, 10**6),
)
def test_a_changed_setting_is_read_back_and_nothing_else_changes(place, value):
    section, key = place
    before, after = tomllib.loads(TEMPLATE), tomllib.loads(with_setting(TEMPLATE, section, key, value))
    assert after[section][key] == value
    after[section].pop(key)
    before.setdefault(section, {}).pop(key, None)
    assert before == after
    assert with_setting(TEMPLATE, section, key, value).startswith("# A comment\n")
