"""Datasets into a user cache: resumed, verified, locked, renamed into place.

A file appears under its name only when it is complete and its checksum, where the catalogue states one, is right.
Until then it is a part in the hidden folder `.tupelo` beside it, from which a later call goes on. `network` is the
only module of Tupelo that opens sockets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tupelo.core.cache import cache_root
from tupelo.core.parameters import At, Spelled
from tupelo.core.progress import Progress
from tupelo.io.archives import safe_path
from tupelo.io.catalogue import DataFile, Dataset, catalogue, dataset
from tupelo.io.fetch.network import Patience, download
from tupelo.io.fetch.store import (
    HIDDEN,
    AddressError,
    DatasetInfo,
    FetchError,
    UnreachableError,
    clear_leftovers,
    complaint,
    copy_original,
    discard,
    file_state,
    file_sum,
    find_originals,
    install,
    is_present,
    part_of,
    without_secrets,
)

CacheFolder = Annotated[
    Path | None, At.FOLDER, Spelled.of("DIR"), "Cache folder. [default: TUPELO_CACHE, else the platform's]"
]


def cache_folder(cache: Path | None = None) -> Path:
    """The folder that holds the cached datasets, one folder each.

    It is below `cache`, else below what `TUPELO_CACHE` names, else below the platform's cache folder for Tupelo.
    """
    return (cache or cache_root()) / "datasets"


def dataset_folder(entry: Dataset, cache: Path | None = None) -> Path:
    """The folder of the dataset in the cache, whether it exists or not."""
    return cache_folder(cache) / entry.name / entry.version


def dataset_info(name: Annotated[str, Spelled.of("NAME")], *, cache: CacheFolder = None) -> DatasetInfo:
    """A dataset's files, licence and citation, and which files are in the cache; verifies their checksums."""
    entry = dataset(name)
    return DatasetInfo(entry, dataset_folder(entry, cache))


def cached_path(name: str, path: str | None = None, *, cache: Path | None = None) -> Path | None:
    """The cached folder of a dataset, or one file of it; `None` when nothing of it is there."""
    entry = dataset(name)
    folder = dataset_folder(entry, cache)
    wanted = entry.files if path is None else entry.select(paths=[path])
    if not any(is_present(file, folder) for file in wanted):
        return None
    return folder if path is None else folder / path


def official_gold(checksum: str) -> str:
    """The gold standard whose file has this content, or nothing.

    A file without a checksum in the catalogue is known by the copy in the cache, which came from its address.
    """
    for entry in catalogue().values():
        for file in entry.files:
            if file.gold and file.sha256 is None:
                copy = dataset_folder(entry) / file.path
                if copy.is_file() and file_sum(copy) == checksum:
                    return file.gold
            elif file.gold and file.sha256 == checksum:
                return file.gold
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchPlaces:
    """Destination and origin of the files of a dataset: by default the cache, and the network."""

    output: Annotated[Path | None, At.FOLDER, Spelled.of("DIR"), "Put the files there, not into the cache."] = None
    source: Annotated[
        Path | None,
        At.INPUT,
        Spelled.of("--from", "DIR"),
        "Take the files from this folder instead of the network; .gz forms are decompressed.",
    ] = None
    cache: CacheFolder = None


def fetch_dataset(
    name: Annotated[str | Dataset, Spelled.of("NAME")],
    *,
    splits: Annotated[Sequence[str], Spelled.of("--split"), "Only files of this split; repeat for more."] = (),
    files: Annotated[Sequence[str], Spelled.of("--file", "PATH"), "Only this file; repeat for more."] = (),
    places: FetchPlaces | None = None,
    force: Annotated[bool, "Fetch again what is there already."] = False,
    patience: Patience | None = None,
    progress: Progress | None = None,
    notice: Callable[[str], None] | None = None,
) -> Path:
    """Download a dataset, or some of its splits or files, and return its folder; `force` fetches again.

    What is there already and right is kept. `progress` gets the path of a file, the bytes that are there and its
    size; `notice` is called with one line about each file.
    """
    entry = dataset(name) if isinstance(name, str) else name
    chosen = entry.select(splits, files)
    for file in chosen:
        safe_path(file.path, entry.name)
    places = places or FetchPlaces()
    folder = places.output if places.output is not None else dataset_folder(entry, places.cache)
    job = _Job(entry, folder, patience or Patience(), progress or _ignore, notice or _ignore)
    # Before the lock, so that a complete dataset can be used from a cache that cannot be written.
    waiting = chosen if force else job.missing(chosen)
    if waiting:
        originals = find_originals(places.source, entry, waiting) if places.source is not None else {}
        job.run(waiting, originals, force)
    return folder


def _ignore(*_: object) -> None:
    return None


@dataclass(frozen=True, slots=True)
class _Job:
    """One call of `fetch_dataset`: what all its files share."""

    entry: Dataset
    folder: Path
    patience: Patience
    progress: Progress
    notice: Callable[[str], None]

    def missing(self, files: Sequence[DataFile]) -> list[DataFile]:
        states = [file_state(file, self.folder) for file in files]
        for state in states:
            if state.usable:
                self.notice(f"{state.file.path}: already there{_assurance(state.file)}")
            elif state.present:
                self.notice(f"{state.file.path}: damaged, its checksum is wrong; fetching it again")
        return [state.file for state in states if not state.usable]

    def run(self, files: Sequence[DataFile], originals: dict[DataFile, Path], force: bool) -> None:
        refused: list[AddressError] = []
        with _writable(self.folder), self._lock():
            for file in files:
                if not force and file_state(file, self.folder).usable:
                    continue  # another process brought it while this one waited for the lock
                try:
                    self._bring(file, originals.get(file))
                except AddressError as error:
                    refused.append(error)
        if refused:
            more = f" (and {len(refused) - 1} more of {len(files)} files)" if len(refused) > 1 else ""
            raise FetchError(f"{refused[0]}{more}")

    @contextmanager
    def _lock(self) -> Iterator[None]:
        from filelock import FileLock, Timeout

        hidden = self.folder / HIDDEN
        hidden.mkdir(parents=True, exist_ok=True)
        lock = FileLock(hidden / "lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            self.notice(f"{self.entry.name}: another process is fetching it; waiting")
            lock.acquire()
        try:
            clear_leftovers(hidden)
            yield
        finally:
            lock.release()

    def _bring(self, file: DataFile, original: Path | None) -> None:
        part = part_of(file, self.folder)
        if original is not None:
            copy_original(original, part, file)
        elif self._download(file, part) and complaint(part, file):
            # A resumed file may mix two answers of the server; only a fresh one can be blamed.
            discard(part)
            self._download(file, part)
        wrong = complaint(part, file)
        if wrong:
            discard(part)
            raise FetchError(f"{original or without_secrets(file.address)}: {wrong}; {file.path} was not installed")
        size = part.stat().st_size
        install(part, file, self.folder)
        self.notice(f"{file.path}: {size:,} bytes{_assurance(file)}")

    def _download(self, file: DataFile, part: Path) -> bool:
        """Complete the part; true when some of it was there before."""

        def report(position: int) -> None:
            self.progress(file.path, position, file.size)

        try:
            return download(file.address, part, size=file.size, patience=self.patience, report=report)
        except AddressError as error:
            hint = f". The catalogue could not verify this address; see {self.entry.homepage}"
            raise AddressError(f"{error}{'' if file.verified else hint}") from error
        except UnreachableError as error:
            hint = f"Without a network: tupelo data get {self.entry.name} --from DIR"
            raise FetchError(f"{error}. {hint}") from error


def _assurance(file: DataFile) -> str:
    return ", checksum right" if file.sha256 else ", no checksum known"


@contextmanager
def _writable(folder: Path) -> Iterator[None]:
    """Local trouble (rights, a full disk, a file in the way) as one line."""
    try:
        yield
    except FetchError:
        raise
    except OSError as error:
        raise FetchError(
            f"{error.filename or folder}: {error.strerror or error}, expected a place that can be written. "
            "Choose another with --cache, --output or TUPELO_CACHE"
        ) from error
