"""A project on disk: its folder, its files, and a commit for each version.

Knows:    that a new project never takes the place of another, and that its history is git's.
Does not: decide what is written, or which path is good.   (paths.py)
"""

import os
import shutil
import sys
from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from subprocess import CalledProcessError, CompletedProcess

import anyio

from workshop.errors import PathRefused, ProjectUnusable
from workshop.example_tests import TESTS
from workshop.naming import folder_name, free_name
from workshop.paths import checked, write_inside

if sys.platform != "win32":
    import fcntl

READ_BYTES = 400_000
"""A longer file is none that was written here."""

FILES_MOST = 1_000
"""More are not looked at: a folder with so many was filled by something else."""

GIT_S = 60.0

HIDDEN = frozenset({TESTS, "venv", "node_modules", "__pycache__"})
"""Folders whose files are no part of the program."""


class NotKept(Exception):
    """Git did not keep a version. A history is to go back in: what comes of a run does not hang on it."""


class Project:
    """The folder of one program."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = folder.name

    @classmethod
    def begun(cls, projects: Path, title: str) -> "Project":
        """Make a folder of its own for a new project, named after it; one that is there stays as it is."""
        try:
            projects.mkdir(parents=True, exist_ok=True)
            while True:
                taken = {each.name.casefold() for each in projects.iterdir()}
                folder = projects / free_name(folder_name(title), taken)
                try:
                    folder.mkdir()
                except FileExistsError:  # somebody else took the name just now
                    continue
                return cls(folder)
        except OSError as error:
            raise _unusable(projects, error) from error

    @contextmanager
    def held(self) -> Generator[None]:
        """Keep the folder for this run alone; a second run on it is refused, but not on Windows.

        Raises: ProjectUnusable, also where the folder is a link.
        """
        if sys.platform == "win32":
            yield
            return
        try:
            handle = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError as error:
            raise _unusable(self.folder, error) from error
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ProjectUnusable(
                    f"Another workshop is at work on {self.name}. Wait until it has ended."
                ) from None
            except OSError:  # a file system without locks
                pass
            yield
        finally:
            os.close(handle)

    def write(self, path: str, content: str) -> None:
        """Write a file of the program.

        Raises: PathRefused; OSError.
        """
        plain = checked(path)
        if hidden := [part for part in plain.casefold().split("/") if part in HIDDEN]:
            raise PathRefused(
                f"The path {path[:200]!r} may not be written: {hidden[0]!r} holds no part of the program. "
                "Use a name such as 'main.py'."
            )
        if len(content.encode("utf-8", "replace")) > READ_BYTES:
            raise PathRefused(
                f"The file {path[:200]!r} was not written: it is longer than {READ_BYTES:,} bytes."
            )
        write_inside(self.folder, plain, content)

    def write_tests(self, tests: Mapping[str, str]) -> None:
        """Write the tests for people to read; what is judged are the frozen ones, not these.

        Raises: ProjectUnusable.
        """
        try:
            for path, content in tests.items():
                write_inside(self.folder, path, content, tests=True)
        except (PathRefused, OSError) as error:
            raise _unusable(self.folder, error) from error

    def files(self) -> dict[str, str]:
        """Return the program's files, path -> content, in the order of their names.

        Left out are links, what is no text, what is too long, and what could not be written here.
        """
        found: dict[str, str] = {}
        for folder, folders, names in os.walk(self.folder):
            folders[:] = sorted(each for each in folders if not each.startswith(".") and each not in HIDDEN)
            for name in names:
                path = Path(folder) / name
                relative = path.relative_to(self.folder).as_posix()
                text = _text_of(path) if _may_be_written(relative) else None
                if text is not None:
                    found[relative] = text
                if len(found) == FILES_MOST:
                    return _in_order(found)
        return _in_order(found)

    def restore(self, files: Mapping[str, str], planned: Collection[str]) -> None:
        """Bring back a version: its files as they were, and of those planned none that it did not have.

        What a person put into the folder stays.
        Raises: ProjectUnusable.
        """
        try:
            for path in self.files().keys() & set(planned) - files.keys():
                (self.folder / path).unlink()
            for path, content in files.items():
                if path in planned:
                    self.write(path, content)
        except (PathRefused, OSError) as error:
            raise _unusable(self.folder, error) from error

    def venv(self) -> Path | None:
        """Return the project's own environment, where there is one."""
        for name in (".venv", "venv"):
            if (self.folder / name / "pyvenv.cfg").is_file():
                return self.folder / name
        return None

    async def commit(self, subject: str) -> str:
        """Keep the files as they are as a version; return its short name.

        Raises: NotKept where there is no git, or it refuses.
        """
        git = shutil.which("git")
        if git is None:
            raise NotKept("git is not installed here")
        try:
            with anyio.fail_after(GIT_S):
                return await self._committed(git, subject)
        except CalledProcessError as error:
            said = (error.stderr or b"").decode("utf-8", "replace").strip()
            raise NotKept(f"git says: {said[:300] or 'nothing'}") from error
        except (OSError, TimeoutError) as error:
            raise NotKept(f"git cannot be used: {str(error) or 'it did not end in time'}") from error

    async def _committed(self, git: str, subject: str) -> str:
        if not os.path.lexists(self.folder / ".git"):
            await self._git(git, "init", "--quiet", "--initial-branch=main")
            (self.folder / ".git" / "info" / "exclude").write_text(
                ".venv/\nvenv/\n__pycache__/\n", encoding="utf-8"
            )
        await self._git(git, "add", "--all")
        await self._git(git, "commit", "--quiet", "--allow-empty", "--no-verify", f"--message={subject}")
        named = await self._git(git, "rev-parse", "--short", "HEAD")
        return named.stdout.decode().strip()

    async def _git(self, git: str, *arguments: str) -> "CompletedProcess[bytes]":
        """Run git on this folder alone: no hook, no setting of the person's, no repository around it."""
        command = [git, "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", *_WHO, *arguments]
        environment = {
            "PATH": os.pathsep.join((os.path.dirname(git), os.defpath)),
            "HOME": str(self.folder),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_DIR": str(self.folder / ".git"),
            "GIT_WORK_TREE": str(self.folder),
        }
        return await anyio.run_process(command, cwd=self.folder, env=environment)


def _in_order(files: Mapping[str, str]) -> dict[str, str]:
    return dict(sorted(files.items(), key=lambda each: each[0].split("/")))


def _may_be_written(path: str) -> bool:
    try:
        return checked(path) == path
    except PathRefused:
        return False


def _text_of(path: Path) -> str | None:
    """Return what is in a file, None where it is none, no text or too long, or goes away."""
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > READ_BYTES:
            return None
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _unusable(folder: Path, error: Exception) -> ProjectUnusable:
    reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
    return ProjectUnusable(
        f"The folder {folder} cannot be used: {reason.rstrip('.')}. See to it, then try again."
    )


_WHO = ("-c", "user.name=workshop", "-c", "user.email=workshop@localhost", "-c", "commit.gpgsign=false")
