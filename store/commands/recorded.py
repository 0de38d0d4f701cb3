"""A command that changes the data, in the audit trail: one row before it, one after.

Knows:    what a row of the shell holds: the command, a digest of what it was given, how it ended.
Does not: know what a command does. What it is given is never kept but as a digest.   (journal/)
Rule:     a command whose first row cannot be written does nothing.
"""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine

from journal import Entry, trail_on


@contextmanager
def recorded(engine: Engine, command: str, **given: Any) -> Generator[None]:
    """Tell the trail of this database that a command begins, and that it has changed something or failed.

    Raises: JournalFailed, JournalUnusable; and whatever the block raises.
    """
    trail = trail_on(engine)
    tool, arguments = f"store {command}", {name: str(value) for name, value in given.items()}

    def told(decision: Any) -> Entry:
        return Entry("shell", "execute", decision, tool, arguments, role="staff")

    trail.record(told("started"))
    try:
        yield
    except BaseException:
        trail.record(told("failed"))
        raise
    else:
        trail.record(told("written"))
    finally:
        trail.close()
