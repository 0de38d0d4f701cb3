"""Paths that generated files may have: relative, inside the project, and nothing that steers a test run.

Knows:    what leads elsewhere on any system, Windows too, and the names that Python and pytest act on.
Does not: decide what is in a file.
Law:      what `checked` returns is accepted again, unchanged.
Why so:   a program is built on one system and used on another, and the tests judge it: a file that changes
          how they run would be judging itself.
"""

import os
import re
import stat
import sys
import tempfile
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from workshop.errors import PathRefused
from workshop.naming import DEVICES

LONGEST = 120
DEEPEST = 6
_SEGMENT = 80
_NOT_ON_WINDOWS = re.compile(r'[<>:"|?*]')
_DRIVE = re.compile(r"^[A-Za-z]:")
_STEERING = frozenset(
    """
    conftest.py pytest.ini .pytest.ini pytest.toml .pytest.toml tox.ini setup.cfg pyproject.toml
    sitecustomize.py usercustomize.py pytest.py _pytest pluggy pluggy.py py.py noxfile.py tests test
    test.py tests.py pytest
    """.split()
)
"""Names that steer a test run or stand where the workshop's own tests do, at any depth."""

_LIBRARY = frozenset(name.casefold() for name in sys.stdlib_module_names)

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_BY_FOLDER = os.open in os.supports_dir_fd and os.rename in os.supports_dir_fd and bool(_NOFOLLOW)
"""Whether files can be opened from an open folder, so that nobody swaps a part of the path meanwhile."""


def checked(path: str) -> str:
    """Return the path with plain slashes and no `./`, normalised; refuses whatever may not be written.

    Raises: PathRefused, with the path and the reason.
    """
    segments = _confined(path)
    for segment in segments:
        if reason := _steering_reason(_folded(segment)):
            raise _refused(path, reason)
    if _folded(segments[0]).removesuffix(".py") in _LIBRARY:
        raise _refused(path, "Python's own library has a module of this name, and this one would hide it")
    return "/".join(segments)


def _confined(path: str) -> list[str]:
    """Return the parts of a path that stays inside the project on any system.

    Raises: PathRefused
    """
    plain = unicodedata.normalize("NFC", path)
    while plain.startswith("./"):
        plain = plain[2:]
    if reason := _whole_reason(plain):
        raise _refused(path, reason)
    segments = plain.split("/")
    for segment in segments:
        if reason := _segment_reason(segment):
            raise _refused(path, reason)
    return segments


def _folded(segment: str) -> str:
    return unicodedata.normalize("NFKC", segment).casefold()


def steers_tests(path: str) -> bool:
    """Tell whether the path stays inside, and is refused only because it takes part in the tests' run."""
    try:
        return any(_steering_reason(_folded(segment)) for segment in _confined(path))
    except PathRefused:
        return False


def checked_together(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the paths, each checked; refuses two that are one file, or a file and its folder, somewhere.

    Raises: PathRefused
    """
    known: dict[str, str] = {}
    for path in map(checked, paths):
        folded = path.casefold()
        parents = {folded.rsplit("/", depth)[0] for depth in range(1, folded.count("/") + 1)}
        clash = known.get(folded) or next(
            (known[parent] for parent in sorted(parents) if parent in known), None
        )
        clash = clash or next((other for key, other in known.items() if key.startswith(f"{folded}/")), None)
        if clash:
            raise _refused(path, f"it cannot stand beside {clash!r} on a system that takes both for one")
        known[folded] = path
    return tuple(known.values())


def inside(folder: Path, path: str, *, tests: bool = False) -> Path:
    """Return where the path is in the project's folder.

    tests: the workshop's own files, which are under tests/ and nowhere else.
    Raises: PathRefused, also when a part that exists is a link, or a file where a folder has to be.
    """
    parts = _parts(path, tests=tests)
    place = folder
    for count, part in enumerate(parts, 1):
        place = place / part
        try:
            mode = place.lstat().st_mode
        except FileNotFoundError:
            return folder.joinpath(*parts)
        _refuse_odd(path, place.name, mode, last=count == len(parts))
    return place


def write_inside(folder: Path, path: str, content: str, *, tests: bool = False) -> Path:
    """Write the file whole or not at all, and return where it is. Line ends stay as they are.

    Raises: PathRefused as `inside`; OSError when the disk refuses.
    """
    place = inside(folder, path, tests=tests)
    data = content.encode("utf-8", "replace")
    if _BY_FOLDER:
        _write_by_folder(folder, path, _parts(path, tests=tests), data)
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        _write_beside(inside(folder, path, tests=tests), data)
    return place


def checked_test(path: str) -> str:
    """Return the path of one of the workshop's own files, which are under tests/, normalised.

    Raises: PathRefused.
    """
    return "/".join(_parts(path, tests=True))


def _parts(path: str, *, tests: bool) -> list[str]:
    if not tests:
        return checked(path).split("/")
    segments = _confined(path)
    if segments[0] != "tests" or len(segments) < 2:
        raise _refused(path, "the workshop's own files are under tests/")
    return segments


def _write_by_folder(folder: Path, path: str, parts: list[str], data: bytes) -> None:
    """Walk down by open folders, none through a link, and rename the finished file into its place."""
    *parents, name = parts
    here = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for parent in parents:
            with suppress(FileExistsError):
                os.mkdir(parent, dir_fd=here)
            here = _stepped(here, parent, path)
        _refuse_link(here, name, path)
        _rename_into(here, name, data)
    finally:
        os.close(here)


def _stepped(here: int, name: str, path: str) -> int:
    try:
        there = os.open(name, os.O_RDONLY | os.O_DIRECTORY | _NOFOLLOW, dir_fd=here)
    except OSError as error:
        raise _refused(path, f"{name!r} is no plain folder of the project") from error
    os.close(here)
    return there


def _refuse_link(here: int, name: str, path: str) -> None:
    with suppress(FileNotFoundError):
        _refuse_odd(path, name, os.stat(name, dir_fd=here, follow_symlinks=False).st_mode, last=True)


def _rename_into(here: int, name: str, data: bytes) -> None:
    partial = f".{name[:40]}.{os.urandom(6).hex()}.part"
    file = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW, 0o644, dir_fd=here)
    try:
        with os.fdopen(file, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.rename(partial, name, src_dir_fd=here, dst_dir_fd=here)
    except BaseException:
        with suppress(OSError):
            os.unlink(partial, dir_fd=here)
        raise


def _write_beside(place: Path, data: bytes) -> None:
    """Do without open folders, where the system has none: as much as its calls allow."""
    handle, partial = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name[:40]}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        Path(partial).replace(place)
    except BaseException:
        with suppress(OSError):
            Path(partial).unlink()
        raise


def _refuse_odd(path: str, name: str, mode: int, *, last: bool) -> None:
    if stat.S_ISLNK(mode):
        raise _refused(path, f"{name!r} is a link, and may lead elsewhere")
    if not (stat.S_ISREG(mode) if last else stat.S_ISDIR(mode)):
        raise _refused(path, f"{name!r} is there already, and is no {'file' if last else 'folder'}")


def _whole_reason(path: str) -> str:
    """Return why the path as a whole may not be, or ""."""
    if not path or path.isspace():
        return "it is empty"
    if len(path) > LONGEST or len(path.encode("utf-8", "replace")) > 2 * LONGEST:
        return f"it is longer than {LONGEST} characters"
    if "\\" in path:
        return "it has a backslash; folders are separated by '/'"
    if path.startswith("/") or _DRIVE.match(path):
        return "it does not count from the project's folder"
    if path.startswith("~"):
        return "it begins with '~', which stands for a home"
    if path.count("/") >= DEEPEST:
        return f"it is more than {DEEPEST} deep"
    return ""


def _segment_reason(segment: str) -> str:
    """Return why this part of a path may not be, or ""."""
    if segment in ("", ".", ".."):
        return "it has an empty part, '.' or '..'"
    if len(segment) > _SEGMENT:
        return f"a part is longer than {_SEGMENT} characters"
    if any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for char in segment):
        return "it has a character that is not seen"
    if _NOT_ON_WINDOWS.search(segment):
        return 'it has one of the characters < > : " | ? *'
    if segment != segment.strip() or segment.endswith("."):
        return "a part begins or ends with a space, or ends with a dot"
    if segment.startswith((".", "~", "-")):
        return "a part begins with '.', '~' or '-'"
    return "Windows keeps this name for a device" if _folded(segment).split(".")[0].strip() in DEVICES else ""


def _steering_reason(name: str) -> str:
    if name.endswith((".pth", ".egg-link", ".pyc", ".pyd", ".so")) or name.endswith(
        (".dist-info", ".egg-info")
    ):
        return "Python would load it by itself"
    if (
        name in _STEERING
        or name.startswith(("test_", "conftest.", "sitecustomize.", "usercustomize."))
        or name.endswith("_test.py")
    ):
        return "it would take part in the tests' run, which is the workshop's own"
    return ""


def _refused(path: str, reason: str) -> PathRefused:
    return PathRefused(f"The path {path[:200]!r} may not be written: {reason}. Use a name such as 'main.py'.")
