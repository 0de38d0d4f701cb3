"""Where the evaluation finds what it reads and leaves what it found.

Knows:    the folders.
Does not: know what is in them.
"""

from pathlib import Path

from common.settings import ROOT, Settings

HERE = Path(__file__).resolve().parent


class EvalSettings(Settings):
    """SHOPKART_EXAMS names a folder of outside data; a relative path counts from the project's root."""

    shopkart_exams: Path = Path("../shared/exams")

    @property
    def exams(self) -> Path:
        """Return the folder as a path that does not depend on where the command was started."""
        return (ROOT / self.shopkart_exams).resolve()


REPORTS = ROOT / "var"
"""Reports are measurements of one machine at one time: ignored by git."""
