"""The families of attacks: each a module with its table of cases."""

from pathlib import Path

from evals.hostile.case import Case
from evals.hostile.families import (
    approval,
    denial_of_service,
    elicitation,
    false_reply,
    foreign_tool,
    id_shape,
    injected,
    laundered_id,
    leaked_call,
    lying_server,
    multi_turn,
    other_customer,
    prompt_extraction,
    ticket_exit,
    ungrounded_id,
)
from evals.hostile.texts import SAMPLE, jailbreaks
from evals.hostile.texts import injected as injected_texts

__all__ = ["TABLES", "all_cases"]

TABLES = (
    foreign_tool,
    ungrounded_id,
    laundered_id,
    id_shape,
    approval,
    lying_server,
    ticket_exit,
    false_reply,
    denial_of_service,
    leaked_call,
    prompt_extraction,
    other_customer,
    multi_turn,
    elicitation,
)


def all_cases(folder: Path | None = None) -> tuple[Case, ...]:
    """Return every case. folder: where outside texts stand; None is the sample beside the tests."""
    where = folder or SAMPLE
    texts = injected_texts(where) or injected_texts(SAMPLE) or []
    written = [case for table in TABLES for case in table.CASES]
    return (*written, *injected.cases(texts, jailbreaks(where)))
