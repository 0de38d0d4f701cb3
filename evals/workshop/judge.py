"""The judge: do the asserts hold of the program? It is not the loop's own tester, and runs in the sandbox.

Knows:    how MBPP's asserts are run: after the program, in one process.
Does not: show them to anybody.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workshop.sandbox import Limits, Sandbox

JUDGE = "workshop_judge.py"
LIMITS = Limits(wall_s=15.0, cpu_s=12)


@dataclass(frozen=True)
class Judged:
    """Whether they all hold, and what the run said where they do not."""

    right: bool
    problem: str


async def holds(
    sandbox: Sandbox, files: Mapping[str, str], asserts: Sequence[str], imports: Sequence[str]
) -> Judged:
    """Judge a program by asserts, each of which must be reached."""
    word = secrets.token_hex(8)
    modules = [path.removesuffix(".py").replace("/", ".") for path in files if path.endswith(".py")]
    lines = [
        *(
            f"try:\n    from {module} import *\nexcept ImportError as error:\n    print(error)"
            for module in modules
        ),
        *imports,
        *asserts,
        f"print({word!r})",
    ]
    ran = await sandbox.run({**files, JUDGE: "\n".join(lines) + "\n"}, ["{python}", JUDGE], LIMITS)
    right = ran.ended == "exited" and ran.code == 0 and ran.output.rstrip().endswith(word)
    said = ran.output[-300:] if ran.ended == "exited" else ran.ended
    return Judged(right, "" if right else said or "it ended before the last assert")
