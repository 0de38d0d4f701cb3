"""The audit trail: which gate decided what, for whom, about which call. Nothing personal is in it."""

from journal.entry import Decision, Entry, Gate, Side
from journal.errors import JournalFailed, JournalUnusable
from journal.trail import AnyTrail, NoTrail, Trail, open_trail, trail_on
from journal.turns import TurnJournal, journal_of_turns

__all__ = [
    "AnyTrail",
    "Decision",
    "Entry",
    "Gate",
    "JournalFailed",
    "JournalUnusable",
    "NoTrail",
    "Side",
    "Trail",
    "TurnJournal",
    "journal_of_turns",
    "open_trail",
    "trail_on",
]
