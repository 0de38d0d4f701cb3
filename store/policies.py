"""The shop's policies, one Markdown file each in store/policies/.

Knows:    where the files are, and that a policy is a title and sections under "## " headings.
Does not: rank them.   (store/search.py)
"""

from dataclasses import dataclass
from pathlib import Path

from store.model import Policy

_FOLDER = Path(__file__).resolve().parent / "policies"


@dataclass(frozen=True)
class Section:
    """A heading of a policy and the text under it, on one line."""

    policy: str
    heading: str
    text: str


def load_policies(folder: Path = _FOLDER) -> tuple[Policy, ...]:
    """Return the policies of a folder, by name."""
    return tuple(_read(path) for path in sorted(folder.glob("*.md")))


def _read(path: Path) -> Policy:
    text = path.read_text(encoding="utf-8")
    return Policy(path.stem, text.splitlines()[0].removeprefix("# ").strip(), text)


def sections(policy: Policy) -> tuple[Section, ...]:
    """Return the policy's sections in their order; what stands before the first heading is left out."""
    parts = (part.partition("\n") for part in ("\n" + policy.text).split("\n## ")[1:])
    return tuple(Section(policy.name, heading.strip(), " ".join(body.split())) for heading, _, body in parts)
