"""`python -m contracts …` as a process: the workshop's way to the room of contracts, which it never imports.

Knows:    that a command has a deadline, a process group of its own, and an end to what it may print.
Does not: know what a command means.   (contract_trying.py)
Rule:     it starts our own program with our own settings and no secret of a shop, and it never touches the
          project's registry: where a command would, it is told of another one.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

import anyio
import anyio.abc

from common.settings import ROOT, contracts_environment
from workshop.errors import ContractsUnusable

DEADLINE_S = 120.0
"""For how long one command may take; the longest took 3 s on two busy cores."""
MOST_BYTES = 8_000_000
_CHUNK = 65_536


@dataclass(frozen=True)
class Printed:
    """How a command ended, and what it printed on its two streams."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """Return what it had to say, for people: its complaints first."""
        return "\n".join(text for text in (self.err.strip(), self.out.strip()) if text)


Run = Callable[[Sequence[str], Mapping[str, str]], Awaitable[Printed]]
"""Runs `python -m contracts` with arguments, and with settings that differ from ours."""


async def run_contracts(arguments: Sequence[str], settings: Mapping[str, str]) -> Printed:
    """Run a command to its end.

    Raises: ContractsUnusable when it cannot be started, takes too long or prints too much.
    """
    shown = f"python -m contracts {' '.join(arguments[:3])}"
    environment = {
        name: value
        for name, value in contracts_environment(()).items()
        if name not in ("CONTRACTS_ADMIN_TOKEN", "CONTRACTS_FOLDER", "CONTRACTS_KEY")
    }
    environment |= {"PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1", **settings}
    try:
        process = await anyio.open_process(
            [sys.executable, "-m", "contracts", *arguments],
            stdin=subprocess.DEVNULL,
            cwd=ROOT,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        raise ContractsUnusable(
            f"`{shown}` cannot be started: {error}. Start the workshop from the project's environment."
        ) from error
    try:
        with anyio.fail_after(DEADLINE_S):
            return await _followed(process, shown)
    except TimeoutError:
        raise ContractsUnusable(
            f"`{shown}` did not end within {DEADLINE_S:.0f} seconds and was stopped. Run it to see why."
        ) from None
    finally:
        with anyio.CancelScope(shield=True):
            _kill(process)
            await process.aclose()


async def _followed(process: anyio.abc.Process, shown: str) -> Printed:
    streams: dict[str, bytearray] = {"out": bytearray(), "err": bytearray()}
    is_too_much = False

    async def read(stream: anyio.abc.ByteReceiveStream | None, into: bytearray) -> None:
        nonlocal is_too_much
        assert stream is not None, "both streams are pipes"
        with suppress(anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
            while True:
                into.extend(await stream.receive(_CHUNK))
                if len(into) > MOST_BYTES:
                    is_too_much = True
                    _kill(process)
                    return

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read, process.stdout, streams["out"])
        tasks.start_soon(read, process.stderr, streams["err"])
    code = await process.wait()
    if is_too_much:
        raise ContractsUnusable(f"`{shown}` printed more than {MOST_BYTES:,} bytes and was stopped.")
    return Printed(code, *(bytes(text).decode("utf-8", "replace") for text in streams.values()))


def _kill(process: anyio.abc.Process) -> None:
    """End the process and all that it started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        elif process.returncode is None:
            process.kill()


def object_of(printed: Printed, shown: str) -> dict[str, Any]:
    """Return the JSON object that a command printed.

    Raises: ContractsUnusable with what it said in its place.
    """
    with suppress(ValueError):
        value: object = json.loads(printed.out)
        if isinstance(value, dict):
            return cast(dict[str, Any], value)
    raise ContractsUnusable(
        f"`python -m contracts {shown}` did not answer as expected: {printed.said[:1_000]}"
    )
