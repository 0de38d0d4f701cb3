"""The settings of this room: where it keeps its projects and its memory.

Knows:    the names.
Does not: know the model's.   (llm.py)
"""

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
