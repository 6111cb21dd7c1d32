"""Releases of a small repository: what is refused, what is built, tagged and written."""

from __future__ import annotations

import datetime
import subprocess
from pathlib import Path

import pytest

from tools import release

TODAY = datetime.date(2026, 11, 16)
FILES = {
    "src/tupelo/core/version.py": '"""The version."""\n\n__version__ = "0.1.0"\n',
    "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2026-11-16\n\n### Added\n\n- Everything.\n",
    "CITATION.cff": "title: Tupelo\nversion: 0.1.0\n",
    "pyproject.toml": '[project]\ndependencies = ["click>=8"]\noptional-dependencies = {}\n[dependency-groups]\n',
    "requirements-dev.lock": f"click==8.5 \\\n    --hash=sha256:{'0' * 64}\n",
    "packages/tupelo-facts-en/pyproject.toml": '[project]\nname = "tupelo-facts-en"\nversion = "1.0.0"\n',
    "packages/tupelo-facts-en/weights.onnx": "numbers\n",
    "Makefile": "dist:\n\ttouch dist-was-made\nsbom:\n\ttest -e dist-was-made\n\ttouch sbom-was-made\n",
    ".gitignore": "*-was-made\n",
    "README.md": "carb|gold:g|v:0.1.0\n",
    "docs/page.md": "carb|gold:g|v:0.1.0, model 0.1.0\n",
    "docs/examples/score.out": "carb|v:0.1.0\n",
}


def git(folder: Path, *arguments: str) -> str:
    who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
    done = subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(folder: Path) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "A state")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    # The tag is made by the tool's own call of git, on machines without a configured name too.
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Ann")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "ann@example.org")
    # `make test` hands its own flags down; they are not those of the small repository.
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def change(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text("utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new), "utf-8")


@pytest.mark.process
def test_a_release_builds_then_tags_and_pushes_nothing(
    repository: Path, tmp_path_factory: pytest.TempPathFactory, capfd: pytest.CaptureFixture[str]
):
    remote = tmp_path_factory.mktemp("remote")
    git(repository, "init", "--quiet", "--bare", str(remote))
    git(repository, "remote", "add", "origin", str(remote))
    assert release.main(["make"], repository) == 0
    assert (repository / "sbom-was-made").exists()
    assert git(repository, "for-each-ref", "refs/tags", "--format=%(refname:short) %(objecttype)") == "v0.1.0 tag"
    assert git(repository, "rev-list", "-n1", "v0.1.0") == git(repository, "rev-parse", "HEAD")
    assert "to publish: git push origin HEAD v0.1.0" in capfd.readouterr().out
    assert git(remote, "for-each-ref") == ""


@pytest.mark.process
def test_a_dry_run_checks_and_says_what_would_run(repository: Path, capsys: pytest.CaptureFixture[str]):
    assert release.main(["make", "--dry-run"], repository) == 0
    assert "would run: make dist sbom\nwould run: git tag --annotate v0.1.0" in capsys.readouterr().out
    assert not (repository / "dist-was-made").exists()
    assert git(repository, "tag") == ""


@pytest.mark.process
@pytest.mark.parametrize(
    ("name", "old", "new", "reason"),
    [
        ("CHANGELOG.md", "## 0.1.0 - 2026-11-16\n", "## 0.0.9 - 2026-11-16\n", "no heading '## 0.1.0 - DATE'"),
        ("CHANGELOG.md", "- Everything.\n", "", "nothing under 0.1.0"),
        ("CHANGELOG.md", "## Unreleased\n", "## Unreleased\n\n- A late line.\n", "lines under Unreleased"),
        ("CITATION.cff", "0.1.0", "0.0.9", "CITATION.cff: version 0.0.9, expected 0.1.0"),
        ("CITATION.cff", "version: 0.1.0\n", "", "CITATION.cff: version missing, expected 0.1.0"),
        ("pyproject.toml", "click>=8", "click>=9", "click 8.5, but pyproject.toml asks for click>=9"),
        ("src/tupelo/core/version.py", "__version__", "version", "no line __version__"),
        ("Makefile", "touch dist-was-made", "false", "make dist sbom failed; v0.1.0 was not made"),
        ("Makefile", "touch sbom-was-made", "false", "make dist sbom failed; v0.1.0 was not made"),
    ],
    ids=["no-entry", "empty-entry", "unreleased", "citation", "no-citation", "lock", "no-version", "dist", "sbom"],
)
def test_what_is_not_ready_is_refused(
    repository: Path, capfd: pytest.CaptureFixture[str], name: str, old: str, new: str, reason: str
):
    change(repository, name, old, new)
    commit(repository)
    assert release.main(["make"], repository) == 1
    assert reason in capfd.readouterr().err
    assert git(repository, "tag") == ""


@pytest.mark.process
@pytest.mark.parametrize("name", ["README.md", "new.txt"], ids=["changed", "untracked"])
def test_a_dirty_tree_is_refused(repository: Path, capsys: pytest.CaptureFixture[str], name: str):
    (repository / name).write_text("not committed\n", "utf-8")
    assert release.main(["make"], repository) == 1
    assert f"release: 1 file(s) differ from the last commit, first {name}." in capsys.readouterr().err
    assert git(repository, "tag") == ""


@pytest.mark.process
def test_a_version_that_is_tagged_is_refused(repository: Path, capsys: pytest.CaptureFixture[str]):
    git(repository, "tag", "v0.1.0")
    assert release.main(["make"], repository) == 1
    assert "release: v0.1.0 is tagged already" in capsys.readouterr().err


@pytest.mark.process
def test_a_model_package_that_changed_needs_a_new_version(repository: Path, capsys: pytest.CaptureFixture[str]):
    git(repository, "tag", "v0.0.9")
    change(repository, "packages/tupelo-facts-en/weights.onnx", "numbers", "better numbers")
    commit(repository)
    assert release.main(["make", "--dry-run"], repository) == 1
    assert "packages/tupelo-facts-en/pyproject.toml: version 1.0.0 as in v0.0.9" in capsys.readouterr().err
    change(repository, "packages/tupelo-facts-en/pyproject.toml", "1.0.0", "1.0.1")
    commit(repository)
    assert release.main(["make", "--dry-run"], repository) == 0


@pytest.mark.process
def test_all_reasons_are_given_at_once(repository: Path, capsys: pytest.CaptureFixture[str]):
    change(repository, "CHANGELOG.md", "- Everything.\n", "")
    change(repository, "CITATION.cff", "0.1.0", "0.0.9")
    assert release.main(["make"], repository) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert all(line.startswith("release: ") for line in lines)


@pytest.mark.process
def test_preparing_writes_the_version_where_it_stands_and_then_a_release_passes(repository: Path):
    git(repository, "tag", "v0.1.0")
    change(repository, "CHANGELOG.md", "## Unreleased\n", "## Unreleased\n\n### Added\n\n- More.\n")
    commit(repository)
    release.prepare(repository, "0.2.0", TODAY)
    assert release.version_of(repository) == "0.2.0"
    assert (repository / "CITATION.cff").read_text() == "title: Tupelo\nversion: 0.2.0\ndate-released: 2026-11-16\n"
    assert release.changelog_entry(repository, "Unreleased") == ""
    assert release.changelog_entry(repository, "0.2.0") == "### Added\n\n- More."
    assert release.changelog_entry(repository, "0.1.0") == "### Added\n\n- Everything."
    assert (repository / "README.md").read_text() == "carb|gold:g|v:0.2.0\n"
    assert (repository / "docs/page.md").read_text() == "carb|gold:g|v:0.2.0, model 0.1.0\n"
    assert (repository / "docs/examples/score.out").read_text() == "carb|v:0.2.0\n"
    commit(repository)
    assert release.main(["make", "--dry-run"], repository) == 0


@pytest.mark.process
@pytest.mark.parametrize(
    ("version", "reason"),
    [
        ("0.2", "expected a form such as 1.2.0"),
        ("0.1.0", "tagged already"),
        ("0.2.0", "nothing under '## Unreleased'"),
    ],
    ids=["form", "tagged", "nothing-new"],
)
def test_preparing_refuses_what_cannot_be_a_release(
    repository: Path, capsys: pytest.CaptureFixture[str], version: str, reason: str
):
    git(repository, "tag", "v0.1.0")
    assert release.main(["prepare", version], repository) == 1
    assert reason in capsys.readouterr().err
    assert git(repository, "status", "--porcelain") == ""


@pytest.mark.process
def test_notes_are_the_changelog_of_the_tag(repository: Path, capsys: pytest.CaptureFixture[str]):
    assert release.main(["notes", "v0.1.0"], repository) == 0
    assert capsys.readouterr().out == "### Added\n\n- Everything.\n"
    assert release.main(["notes", "v0.2.0"], repository) == 1
    assert capsys.readouterr().err == "release: tag v0.2.0, but the version is 0.1.0\n"


def test_the_citation_has_the_version_of_the_package():
    cited = (release.ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {release.version_of(release.ROOT)}\n" in cited
