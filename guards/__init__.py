"""The gates that the agent holds, one rule a file; pure, no I/O."""

from guards.approval import approve_all, approve_none, judge, needs_approval
from guards.call import BadCall, parse, repair, validate
from guards.evidence import Evidence
from guards.grounding import ground
from guards.input import looks_malicious
from guards.narrowing import narrow
from guards.output import Observed, unverified

__all__ = [
    "BadCall",
    "Evidence",
    "Observed",
    "approve_all",
    "approve_none",
    "ground",
    "judge",
    "looks_malicious",
    "narrow",
    "needs_approval",
    "parse",
    "repair",
    "unverified",
    "validate",
]
