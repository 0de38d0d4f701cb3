"""The files of this project, for the tests that read them as text.

Knows:    which files belong to the project and which are made on a machine.
Does not: ask git, so a copy without its history is tested the same way.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

_MADE_HERE = {"var", "node_modules", "__pycache__"}
_HIDDEN_BUT_OURS = {".ci", ".env", ".gitignore"}
_BINARY = {".gguf", ".png", ".jpg", ".gif", ".ico", ".woff2", ".part"}


def _is_ours(path: Path) -> bool:
    hidden = path.name.startswith(".") and path.name not in _HIDDEN_BUT_OURS
    return not (hidden or path.name in _MADE_HERE or path.suffix in _BINARY)


def _walk(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if not _is_ours(path):
            continue
        if path.is_dir():
            yield from _walk(path)
        else:
            yield path


@cache
def text_files() -> tuple[Path, ...]:
    """Every text file of the project, as absolute paths."""
    return tuple(_walk(ROOT))


def python_files() -> list[Path]:
    return [path for path in text_files() if path.suffix == ".py"]


def documents() -> list[Path]:
    """The pages people read: README and the other root pages, and everything in docs/."""
    return [
        path
        for path in text_files()
        if path.suffix == ".md" and (path.parent == ROOT or path.relative_to(ROOT).parts[0] == "docs")
    ]


@cache
def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def syntax(path: Path) -> ast.Module:
    return ast.parse(read(path), filename=str(path))


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def is_test(path: Path) -> bool:
    """Say whether a file holds promises: tests/ and the two scripts of the root."""
    return shown(path).startswith("tests/") or path.name in ("client_test.py", "test_bridge.py")
