"""How a run goes: what is planned by a model, how often it mends, how often it starts anew.

Knows:    the choices and their defaults, which docs/evals.md measures against one another.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Options:
    """plan: whether a task of one file gets a plan of the model, or one made by code.

    fixes: how often a version that fails is mended. anew: how often, after that, the program is written anew.
    opinions: how many other programs of one file are compared with one that passes, of several files so many
    fewer; 0 is none.
    base_s, file_s: for how long an agent is waited for, and for how much longer a file. test_s: for how long
    the tests of one version may run. history_chars: how much of the dialogue a model is shown.
    """

    plan: Literal["always", "several_files"] = "several_files"
    fixes: int = 2
    anew: int = 4
    opinions: int = 4
    base_s: float = 300.0
    file_s: float = 150.0
    history_chars: int = 6_000
    test_s: float = 15.0

    def seconds_for(self, files: int) -> float:
        """Return for how long a request about so many files is waited for."""
        return self.base_s + self.file_s * files
