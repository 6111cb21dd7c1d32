"""Makes a release in three steps, of which a person does the last.

1. `python -m tools.release prepare 0.2.0` writes the version where it stands: the package, CITATION.cff, the
   signatures that the documentation shows, and the changelog, where *Unreleased* becomes *0.2.0* with the date. Read,
   test, commit.
2. `make release` checks that nothing is missing, builds and checks the packages and the bill of materials, and makes
   the tag `v0.2.0` here. `DRY_RUN=1` stops after the checks.
3. `git push` sends the tag, and the workflow `release.yml` publishes what it builds from it.
"""

from __future__ import annotations

import argparse
import datetime
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ("make", "dist", "sbom")
_VERSION_FILE = "src/tupelo/core/version.py"
_VERSION_LINE = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
_CITED_VERSION = re.compile(r"^version: (.+)$", re.MULTILINE)
_CITED_DATE = re.compile(r"^date-released: .+\n", re.MULTILINE)
_HEADING = re.compile(r"^## (?P<title>\S+)(?: - \d{4}-\d\d-\d\d)?$", re.MULTILINE)
_NUMBER = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?")


class ReleaseError(Exception):
    """Why there is no release."""


def version_of(folder: Path) -> str:
    found = _VERSION_LINE.search((folder / _VERSION_FILE).read_text("utf-8"))
    if found is None:
        raise ReleaseError(f'{_VERSION_FILE}: no line __version__ = "…"')
    return found[1]


def changelog_entry(folder: Path, title: str) -> str | None:
    """What stands under a heading of the changelog; nothing without the heading."""
    text = (folder / "CHANGELOG.md").read_text("utf-8")
    headings = list(_HEADING.finditer(text))
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        if heading["title"] == title:
            return text[heading.end() : following.start() if following else None].strip()
    return None


def has_items(entry: str) -> bool:
    return re.search(r"^- \S", entry, re.MULTILINE) is not None


def problems(folder: Path) -> Iterator[str]:
    """Everything that keeps the present commit from being released."""
    # Needs `packaging`; the rest of this module runs with any Python.
    from tools import lock

    version = version_of(folder)
    if changed := git(folder, "status", "--porcelain").splitlines():
        yield f"{len(changed)} file(s) differ from the last commit, first {changed[0][3:]}. Commit or remove them"
    if git(folder, "tag", "--list", f"v{version}"):
        yield f"v{version} is tagged already. Choose the next version: python -m tools.release prepare VERSION"
    entry = changelog_entry(folder, version)
    if entry is None:
        yield f"CHANGELOG.md: no heading '## {version} - DATE'. Run python -m tools.release prepare {version}"
    elif not has_items(entry):
        yield f"CHANGELOG.md: nothing under {version}, expected at least one line that begins with '- '"
    if has_items(changelog_entry(folder, "Unreleased") or ""):
        yield f"CHANGELOG.md: lines under Unreleased. Move them to {version}"
    cited = _CITED_VERSION.search((folder / "CITATION.cff").read_text("utf-8"))
    if cited is None or cited[1] != version:
        yield f"CITATION.cff: version {cited[1] if cited else 'missing'}, expected {version}"
    yield from packages_without_a_new_version(folder)
    pyproject = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))
    yield from lock.problems(pyproject, (folder / lock.LOCK).read_text("utf-8"))


def packages_without_a_new_version(folder: Path) -> Iterator[str]:
    """Model packages that changed since the last tag: under their old version the index would keep the old files."""
    tags = git(folder, "tag", "--list", "v*", "--merged", "HEAD", "--sort=-creatordate").splitlines()
    for path in sorted(folder.glob("packages/*/pyproject.toml")):
        name = path.relative_to(folder).as_posix()
        if not tags or not git(folder, "ls-tree", tags[0], name):
            continue
        before = tomllib.loads(git(folder, "show", f"{tags[0]}:{name}"))["project"]["version"]
        changed = git(folder, "diff", "--name-only", tags[0], "HEAD", "--", str(path.parent))
        if changed and tomllib.loads(path.read_text("utf-8"))["project"]["version"] == before:
            yield f"{name}: version {before} as in {tags[0]}, but files of the package changed since. Raise it"


def make(folder: Path, dry_run: bool = False) -> None:
    """Check, build, tag. The tag is made last, so there is none where anything failed."""
    if found := list(problems(folder)):
        raise ReleaseError("\n".join(found))
    tag = f"v{version_of(folder)}"
    steps = [BUILD, ("git", "tag", "--annotate", tag, "--message", f"Tupelo {tag[1:]}")]
    for step in steps:
        print("would run:" if dry_run else "runs:", " ".join(step), flush=True)
        if not dry_run and subprocess.run(step, cwd=folder, check=False).returncode:
            raise ReleaseError(f"{' '.join(step)} failed; {tag} was not made")
    print(f"{'then, by hand' if dry_run else 'to publish'}: git push origin HEAD {tag}")


def prepare(folder: Path, version: str, today: datetime.date) -> None:
    """Write the version where it stands."""
    if not _NUMBER.fullmatch(version):
        raise ReleaseError(f"version {version!r}, expected a form such as 1.2.0 or 1.2.0rc1")
    if git(folder, "tag", "--list", f"v{version}"):
        raise ReleaseError(f"v{version} is tagged already")
    if not has_items(changelog_entry(folder, "Unreleased") or ""):
        raise ReleaseError("CHANGELOG.md: nothing under '## Unreleased' to release")
    old = version_of(folder)
    replace_in(folder / _VERSION_FILE, f'"{old}"', f'"{version}"')
    replace_in(folder / "CHANGELOG.md", "## Unreleased\n", f"## Unreleased\n\n## {version} - {today}\n")
    citation = _CITED_DATE.sub("", (folder / "CITATION.cff").read_text("utf-8"))
    (folder / "CITATION.cff").write_text(
        _CITED_VERSION.sub(f"version: {version}\ndate-released: {today}", citation), "utf-8"
    )
    for page in [folder / "README.md", *(folder / "docs").rglob("*.md"), *(folder / "docs").rglob("*.out")]:
        replace_in(page, f"|v:{old}", f"|v:{version}")


def replace_in(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")


def notes(folder: Path, tag: str) -> str:
    """The changelog of a tag, which must be that of the version here."""
    version = version_of(folder)
    if tag != f"v{version}":
        raise ReleaseError(f"tag {tag}, but the version is {version}")
    entry = changelog_entry(folder, version)
    if not entry:
        raise ReleaseError(f"CHANGELOG.md: nothing under {version}")
    return entry


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(done.stderr.strip())
    return done.stdout.rstrip("\n")


def main(arguments: Sequence[str] | None = None, folder: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.release", description="Prepare and make a release.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("prepare", help="write the version where it stands").add_argument("version")
    make_command = commands.add_parser("make", help="check, build and tag; nothing is pushed")
    make_command.add_argument("--dry-run", action="store_true", help="only check, and say what would run")
    commands.add_parser("notes", help="print the changelog of a tag").add_argument("tag")
    given = parser.parse_args(arguments)
    try:
        if given.command == "prepare":
            prepare(folder, given.version, datetime.datetime.now(datetime.UTC).date())
        elif given.command == "make":
            make(folder, given.dry_run)
        else:
            print(notes(folder, given.tag))
    except ReleaseError as error:
        for line in str(error).splitlines():
            print(f"release: {line}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
