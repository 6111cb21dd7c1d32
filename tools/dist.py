"""All packages of the repository, built, checked, installed and used: `make dist`.

1. Every package, the one in this folder and those in `packages/`, becomes an sdist and a wheel in `dist/`, the wheel
   from the sdist.
2. Metadata, sizes, licences, cards and the sums of the weights are checked.
3. The wheels are installed into an empty environment, and `tools.first_steps` does there what a new user does,
   without a network where that can be arranged; then the same environment gets a plain `pip install` of a clone.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from collections.abc import Sequence
from email.parser import BytesParser
from pathlib import Path

from tools.sbom import SbomError, models

ROOT = Path(__file__).resolve().parents[1]
# The package index takes files of up to 100 MB; the rest is room for the next version.
MOST_BYTES = 95_000_000
LICENCE_FILES = {"LICENSE", "NOTICE", "LICENSES/Apache-2.0.txt", "LICENSES/LicenseRef-Tupelo-Weights.txt"}


class DistError(Exception):
    """Why the packages cannot be published."""


def projects(root: Path) -> list[Path]:
    """The folders with a package: the main one first."""
    return [root, *sorted(path.parent for path in root.glob("packages/*/pyproject.toml"))]


def build(root: Path, output: Path) -> None:
    for old in [*output.glob("*.whl"), *output.glob("*.tar.gz")]:
        old.unlink()
    for project in projects(root):
        # The tools are in this environment, in the versions of the lock file where there is one.
        run([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(output), str(project)], quiet=True)


def check(output: Path) -> None:
    files = sorted([*output.glob("*.whl"), *output.glob("*.tar.gz")])
    run([sys.executable, "-m", "twine", "--no-color", "check", "--strict", *map(str, files)], quiet=True)
    for path in files:
        check_size(path)
        if path.suffix == ".whl":
            with zipfile.ZipFile(path) as wheel:
                print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB, {check_wheel(wheel)} model(s)")
        else:
            print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")


def check_size(path: Path) -> None:
    if path.stat().st_size >= MOST_BYTES:
        size = f"{path.stat().st_size / 1e6:.1f} MB, expected less than {MOST_BYTES / 1e6:.0f}"
        raise DistError(f"{path.name}: {size}. Move a model to a package of its own")


def check_wheel(wheel: zipfile.ZipFile) -> int:
    """Licences, and the cards and sums of the weights; how many sets of weights there are."""
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    stated = BytesParser().parsebytes(wheel.read(name))
    if "LicenseRef-Tupelo-Weights" not in (stated["License-Expression"] or ""):
        raise DistError(f"{name}: licence {stated['License-Expression']}, expected one that names the weights' terms")
    if missing := LICENCE_FILES - set(stated.get_all("License-File", [])):
        raise DistError(f"{name}: no {', '.join(sorted(missing))}")
    return len(list(models(wheel)))


def try_out(root: Path, output: Path) -> None:
    """Install into an empty environment, and do there what a new user does."""
    with tempfile.TemporaryDirectory(prefix="tupelo-dist-") as place:
        folder = Path(place)
        venv.create(folder / "venv", with_pip=False)
        python = folder / "venv" / "bin" / "python"
        install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
        main, *packages = (next(output.glob(f"{name_of(project)}-*.whl")) for project in projects(root))
        run([*install, str(main)])
        first_steps(python, folder, "base")
        run([*install, "--no-deps", *map(str, packages)])
        run([*install, f"{main}[serve]"])
        first_steps(python, folder, "packages")
        run([sys.executable, "-m", "pip", "--python", str(python), "check"], quiet=True)
        if (root / ".git").exists():
            run(["git", "clone", "--quiet", "--depth", "1", f"file://{root}", str(folder / "clone")])
            run([*install, "--no-deps", "--force-reinstall", str(folder / "clone")])
            first_steps(python, folder, "clone")


def name_of(project: Path) -> str:
    return "tupelo" if (project / "src" / "tupelo").is_dir() else project.name.replace("-", "_")


def first_steps(python: Path, folder: Path, part: str) -> None:
    """Run `tools.first_steps` in a folder of its own, as a user whose home is empty and who has no network."""
    work, home = folder / f"{part}-work", folder / f"{part}-home"
    work.mkdir()
    home.mkdir()
    steps = shutil.copy(Path(__file__).with_name("first_steps.py"), work)
    # Nothing of this environment or of this user: the system's programs, and the interpreter that was asked for.
    environment = {"PATH": f"{python.parent}:/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8"}
    run([*without_network(), str(python), str(steps), part], cwd=work, environment=environment)


def without_network() -> list[str]:
    """The command that starts another one without a network, if there is one that works here."""
    for command in (["unshare", "--net"], ["unshare", "--map-root-user", "--net"]):
        if (
            shutil.which("unshare")
            and subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0
        ):
            return command
    print("the network cannot be shut off here (no `unshare --net`): what follows could reach it", flush=True)
    return []


def run(
    command: Sequence[str], *, quiet: bool = False, cwd: Path = ROOT, environment: dict[str, str] | None = None
) -> None:
    """Run a command; with `quiet`, show what it prints only if it fails."""
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=quiet, text=True, check=False)
    if done.returncode:
        if quiet:
            print(done.stdout, done.stderr, sep="\n", file=sys.stderr)
        raise DistError(f"status {done.returncode} of: {' '.join(command)}")


def main(root: Path = ROOT) -> int:
    output = root / "dist"
    # The same sources give the same bytes, whatever the clock and the machine.
    os.environ.setdefault("SOURCE_DATE_EPOCH", "1577836800")
    try:
        build(root, output)
        check(output)
        try_out(root, output)
    except (DistError, SbomError) as error:
        print(f"dist: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
