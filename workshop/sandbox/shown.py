"""What of this machine a run sees: the system's programs and libraries, and the interpreter, read-only.

Knows:    where an interpreter keeps its parts, wherever it is installed, and that of a virtual environment.
Does not: mount anything.   (workshop/launcher/mounts.py, bubblewrap.py)
Refused:  a virtual environment that names a folder which is no Python installation: a project's own files
          could otherwise make us show the run any folder.
"""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
_SETTINGS = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives")
_LINKS_MOST = 20


@dataclass(frozen=True, slots=True)
class Shown:
    """python: what is started. folders: (where it is, where it is seen). links: (path, where it leads)."""

    python: str
    folders: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, str], ...]


def shown(venv: Path | None) -> Shown:
    """Return what a run needs that is started with the interpreter of venv, or with ours.

    Raises: ValueError where venv is no virtual environment that can be shown.
    """
    if venv is None:
        python = sys.executable
        prefixes = [sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix]
        prefixes += _installations(Path(sys.executable))
    else:
        python = str(python_of(venv))
        prefixes = [os.path.abspath(venv), *_installations(Path(python))]
    folders: dict[str, str] = {}
    links: dict[str, str] = {}
    for path in _SYSTEM:
        if os.path.islink(path):
            links[path] = os.readlink(path)
        elif os.path.isdir(path):
            folders[path] = path
    folders |= {path: os.path.realpath(path) for path in _SETTINGS if os.path.exists(path)}
    for prefix in prefixes:
        folders.setdefault(prefix, os.path.realpath(prefix))
    return Shown(python, _without_repeats(folders), tuple(links.items()))


def python_of(venv: Path) -> Path:
    """Return the interpreter of a virtual environment. Raises: ValueError where it is none."""
    folder = Path(os.path.abspath(venv))
    python = folder / "bin" / "python"
    if not (folder / "pyvenv.cfg").is_file() or not python.exists():
        raise ValueError(f"{venv} is no virtual environment: it has no pyvenv.cfg or no bin/python")
    return python


def _installations(python: Path) -> list[str]:
    """Return the installation that an interpreter belongs to, by every name that leads there.

    A link may lead to a link: from a virtual environment to an installer's name for it, and on.
    """
    found: list[str] = []
    for _ in range(_LINKS_MOST):
        if not python.is_symlink():
            break
        python = Path(os.path.normpath(python.parent / python.readlink()))
        if python.parent.name == "bin" and not (python.parent.parent / "pyvenv.cfg").exists():
            found.append(str(python.parent.parent))
    real = Path(os.path.realpath(python)).parent.parent
    found.append(str(real))
    for prefix in found:
        if not _is_installation(Path(prefix)):
            raise ValueError(
                f"the interpreter of this environment is in {prefix}, which is no Python installation"
            )
    return found


def _is_installation(prefix: Path) -> bool:
    return any(prefix.glob("lib*/python3*/os.py"))


def _without_repeats(folders: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """Return (source, target) in the order of targets, without what a folder above shows already."""
    kept: list[tuple[str, str]] = []
    for target, source in sorted(folders.items()):
        if not any(_shows(above, (source, target)) for above in kept):
            kept.append((source, target))
    return tuple(kept)


def _shows(above: tuple[str, str], below: tuple[str, str]) -> bool:
    inside = os.path.relpath(below[1], above[1])
    return not inside.startswith("..") and os.path.normpath(os.path.join(above[0], inside)) == below[0]
