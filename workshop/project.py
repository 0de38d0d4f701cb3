"""A project on disk: its folder, its files, and a commit for each version.

Knows:    that a new project never takes the place of another, and that its history is git's.
Does not: decide what is written, or which path is good.   (paths.py)
"""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from subprocess import CompletedProcess

import anyio

from workshop.example_tests import TESTS
from workshop.naming import folder_name, free_name
from workshop.paths import checked, write_inside

READ_BYTES = 400_000
"""A longer file is none that was written here."""

HIDDEN = frozenset({TESTS, "venv", "node_modules", "__pycache__"})


class Project:
    """The folder of one program."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = folder.name

    @classmethod
    def begun(cls, projects: Path, title: str) -> "Project":
        """Make a folder of its own for a new project, named after it; one that is there stays as it is."""
        projects.mkdir(parents=True, exist_ok=True)
        while True:
            taken = {each.name.casefold() for each in projects.iterdir()}
            folder = projects / free_name(folder_name(title), taken)
            try:
                folder.mkdir()
            except FileExistsError:  # somebody else took the name just now
                continue
            return cls(folder)

    def write(self, path: str, content: str) -> None:
        """Write a file of the program.

        Raises: PathRefused; OSError.
        """
        write_inside(self.folder, checked(path), content)

    def write_tests(self, tests: Mapping[str, str]) -> None:
        """Write the tests for people to read; what is judged are the frozen ones, not these."""
        for path, content in tests.items():
            write_inside(self.folder, path, content, tests=True)

    def files(self) -> dict[str, str]:
        """Return the program's files, path -> content, in the order of their names."""
        found: dict[str, str] = {}
        for path in sorted(self.folder.rglob("*")):
            relative = path.relative_to(self.folder)
            hidden = any(part.startswith(".") or part in HIDDEN for part in relative.parts)
            if hidden or path.is_symlink() or not path.is_file() or path.stat().st_size > READ_BYTES:
                continue
            try:
                found[relative.as_posix()] = path.read_text("utf-8")
            except UnicodeDecodeError:
                continue
        return found

    def restore(self, files: Mapping[str, str]) -> None:
        """Bring back a version: its files as they were, and none that it did not have."""
        for path in self.files().keys() - files.keys():
            (self.folder / path).unlink()
        for path, content in files.items():
            self.write(path, content)

    def venv(self) -> Path | None:
        """Return the project's own environment, where there is one."""
        for name in (".venv", "venv"):
            if (self.folder / name / "pyvenv.cfg").is_file():
                return self.folder / name
        return None

    async def commit(self, subject: str) -> str:
        """Keep the files as they are as a version; return its short name, "" where there is no git."""
        if shutil.which("git") is None:
            return ""
        if not (self.folder / ".git").is_dir():
            await self._git("init", "--quiet", "--initial-branch=main")
            (self.folder / ".git" / "info" / "exclude").write_text(
                ".venv/\nvenv/\n__pycache__/\n", encoding="utf-8"
            )
        await self._git("add", "--all")
        await self._git("commit", "--quiet", "--allow-empty", "--no-verify", f"--message={subject}")
        named = await self._git("rev-parse", "--short", "HEAD")
        return named.stdout.decode().strip()

    async def _git(self, *arguments: str) -> "CompletedProcess[bytes]":
        """Run git on this folder alone: no hook, no setting of the person's, no repository around it."""
        command = ["git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", *_WHO, *arguments]
        environment = {
            "PATH": os.defpath,
            "HOME": str(self.folder),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_DIR": str(self.folder / ".git"),
            "GIT_WORK_TREE": str(self.folder),
        }
        return await anyio.run_process(command, cwd=self.folder, env=environment)


_WHO = ("-c", "user.name=workshop", "-c", "user.email=workshop@localhost", "-c", "commit.gpgsign=false")
