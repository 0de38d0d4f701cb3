"""Questions whose answer is known to stand in some policies, or known not to.

Knows:    where they are kept, which of them were held back, how templates are filled.
Does not: ask them.   (abstention.py)
Source:   ours in evals/abstention/; from the exams CLINC150 (CC BY 3.0, Larson et al. 2019) and MTRAG-UN
          (Apache-2.0, IBM 2026).
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from evals.settings import HERE

_FOLDER = HERE / "abstention"
PARTS = ("tuned", "second", "held")
COLLECTIONS = ("clapnq", "fiqa")


@dataclass(frozen=True)
class Asked:
    """A question; passage: the id of what answers it, or "" where nothing does. kind: what is not named."""

    text: str
    passage: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Pooled:
    """A question over a whole collection of passages; gold: those that answer."""

    collection: str
    text: str
    before: tuple[str, ...]
    answerable: bool
    gold: frozenset[str]


def shop_questions(part: str) -> list[Asked]:
    """Return the questions about the demo shop's policies, of one of the PARTS."""
    answered = [
        Asked(text, passage) for passage, parts in _read("answerable.yaml").items() for text in parts[part]
    ]
    return [*answered, *_silent(part)]


def _silent(part: str) -> Iterator[Asked]:
    """Yield what no policy answers: the head of unanswerable.yaml says which words are of which part."""
    read = _read("unanswerable.yaml")
    start, step = {"tuned": (0, 2), "second": (1, 2), "held": (0, 1)}[part]
    words = read["held"] if part == "held" else read["lists"]
    for template in read["templates"][start::step]:
        kind = template[template.index("{") + 1 : template.index("}")]
        for word in words[kind][start::step]:
            yield Asked(template.format(**{kind: word}), kind=kind)
    yield from (Asked(text, kind="natural") for text in read["natural"][part])


def out_of_scope(exams: Path) -> list[str] | None:
    """Return the messages that were collected as beside every service; None where the exams are absent."""
    return _clinc(exams, beside=True)


def of_other_services(exams: Path) -> list[str] | None:
    """Return those to banks, airlines and the like, a few about orders; None where the exams are absent."""
    return _clinc(exams, beside=False)


def _clinc(exams: Path, *, beside: bool) -> list[str] | None:
    path = exams / "benign-messages" / "clinc150_test.jsonl"
    if not path.is_file():
        return None
    return [row["text"] for row in _rows(path) if (row["intent"] == "oos") is beside]


def answered_out_of_scope() -> frozenset[str]:
    """Return those of them that the policies answer all the same, marked by hand."""
    return frozenset(_read("clinc_answered.yaml")["answered"])


def pooled_passages(exams: Path) -> dict[str, list[tuple[str, str]]] | None:
    """Return the passages of each collection, as ids and texts; None where the exams are absent."""
    path = exams / "abstention" / "passages.jsonl"
    if not path.is_file():
        return None
    rows = list(_rows(path))
    return {
        name: [(row["passage_id"], row["text"]) for row in rows if row["collection"] == name]
        for name in COLLECTIONS
    }


def pooled_questions(exams: Path) -> list[Pooled]:
    """Return the questions labelled answerable or not; partly answerable and unclear ones are neither."""
    return [
        Pooled(
            row["collection"],
            row["question"],
            tuple(turn["text"] for turn in row["history"] if turn["speaker"] == "user"),
            row["label"] == "ANSWERABLE",
            frozenset(row["gold_passage_ids"]),
        )
        for row in _rows(exams / "abstention" / "questions.jsonl")
        if row["label"] in ("ANSWERABLE", "UNANSWERABLE")
    ]


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def _read(name: str) -> dict[str, Any]:
    return yaml.safe_load((_FOLDER / name).read_text(encoding="utf-8"))
