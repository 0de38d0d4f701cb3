"""The settings of this room: where it keeps its projects and its memory.

Knows:    the names; what of the environment an agent may see.
Does not: know the model's.   (llm.py)
"""

import os
from pathlib import Path
from typing import Annotated

from pydantic import Field

from common.settings import ROOT, Settings


class WorkshopSettings(Settings):
    """A relative folder counts from the project's root.

    workshop_fixes: how often a program whose tests fail is mended before the account is given.
    workshop_file_s: for how many seconds a file is waited for, on top of workshop_base_s.
    """

    workshop_folder: Path = Path("var/workshop")
    workshop_fixes: Annotated[int, Field(ge=0, le=10)] = 2
    workshop_base_s: Annotated[float, Field(gt=0, le=86_400)] = 300
    workshop_file_s: Annotated[float, Field(gt=0, le=86_400)] = 150

    @property
    def folder(self) -> Path:
        """Return the folder as a path that does not depend on where the command was started."""
        return (ROOT / self.workshop_folder).resolve()


_KEPT = (
    *("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"),
    *("TEMP", "TMP", "SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "USERPROFILE", "LOCALAPPDATA"),
)


def agent_environment() -> dict[str, str]:
    """Return all that an agent finds in its environment: no key of anybody's, and UTF-8 on every system."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return kept | {"PYTHONUTF8": "1", "PYTHONIOENCODING": "utf-8"}
