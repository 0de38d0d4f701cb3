"""How a script of checks is run by hand: a line a check, a sum, an exit code."""

from collections.abc import Awaitable, Callable

import anyio

Report = Callable[[str], None]


async def tried(name: str, check: Awaitable[None], report: Report) -> list[str]:
    """Run one check and report it; return its name if it failed."""
    try:
        await check
    except Exception as error:  # noqa: BLE001 - the boundary: whatever goes wrong is this check's failure
        report(f"FAIL {name}: {type(error).__name__}: {error}")
        return [name]
    report(f"ok   {name}")
    return []


def run_by_hand(try_all: Callable[[Report], Awaitable[list[str]]]) -> int:
    """Print one line a check and the sum; return the exit code."""
    lines: list[str] = []

    def report(line: str) -> None:
        lines.append(line)
        print(line, flush=True)

    failed = anyio.run(try_all, report)
    print(f"{len(lines) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0
