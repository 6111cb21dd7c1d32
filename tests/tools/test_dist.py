"""The packages agree with each other, and what would keep them from being published is found."""

from __future__ import annotations

import io
import tomllib
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from tools.dist import LICENCE_FILES, MOST_BYTES, ROOT, DistError, check_size, check_wheel, projects
from tupelo.nlp import folder as folders

MAIN, *PACKAGES = projects(ROOT)
pytestmark = pytest.mark.skipif(not PACKAGES, reason="needs packages/, which have sdists of their own")
EXPRESSION = "MIT AND LicenseRef-Tupelo-Weights"


def settings(project: Path) -> dict[str, object]:
    found: dict[str, object] = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
    return found


def wheel(expression: str, files: set[str]) -> zipfile.ZipFile:
    archive = zipfile.ZipFile(io.BytesIO(), "w")
    lines = ["Metadata-Version: 2.4", "Name: x", f"License-Expression: {expression}"]
    lines += [f"License-File: {name}" for name in files]
    archive.writestr("x-1.dist-info/METADATA", "\n".join(lines) + "\n\nA description.\n")
    return archive


def test_a_file_that_an_index_refuses_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x-1-py3-none-any.whl"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES - 1)
    check_size(path)
    with path.open("wb") as file:
        file.truncate(MOST_BYTES)
    with pytest.raises(DistError, match=r"x-1-py3-none-any.whl: 95.0 MB, expected less than 95"):
        check_size(path)


def test_a_wheel_without_its_licences_is_refused() -> None:
    assert check_wheel(wheel(EXPRESSION, LICENCE_FILES)) == 0
    with pytest.raises(DistError, match="licence MIT, expected one that names the weights' terms"):
        check_wheel(wheel("MIT", LICENCE_FILES))
    with pytest.raises(DistError, match="no NOTICE"):
        check_wheel(wheel(EXPRESSION, LICENCE_FILES - {"NOTICE"}))


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_a_model_package_is_what_its_metadata_says(package: Path) -> None:
    about = settings(package)
    assert about["name"] == package.name
    assert about["license"] == settings(MAIN)["license"]
    for name in LICENCE_FILES - {"NOTICE"}:
        assert (package / name).read_bytes() == (MAIN / name).read_bytes()
    points = about["entry-points"]
    assert isinstance(points, dict)
    for model, module in points["tupelo.models"].items():
        folder = package / "src" / module / model
        title = (folder / "MODEL_CARD.md").read_text("utf-8").partition("\n")[0]
        assert title == f"# tupelo-{model} {about['version']}"
        # A name of this package in the message about a missing model.
        assert folders._PACKAGES[model] == package.name


def test_every_package_is_in_an_extra_and_in_the_message() -> None:
    extras = settings(MAIN)["optional-dependencies"]
    assert isinstance(extras, dict)
    names = {package.name for package in PACKAGES}
    assert {line for lines in extras.values() for line in lines if line.startswith("tupelo")} == names
    assert set(folders._PACKAGES.values()) == names


def test_notices_name_every_set_of_weights() -> None:
    for project in projects(ROOT):
        notice = (project / "NOTICE").read_text("utf-8")
        for sums in project.glob("src/*/*/**/SHA256SUMS"):
            name = sums.parent.relative_to(project / "src")
            assert f"{name if project == MAIN else Path(*name.parts[1:])} " in notice


@pytest.mark.skipif(find_spec("packaging") is None, reason="needs the dependency group release")
def test_licence_expressions_are_valid() -> None:
    from packaging.licenses import canonicalize_license_expression

    for project in projects(ROOT):
        licence = str(settings(project)["license"])
        assert canonicalize_license_expression(licence) == licence
