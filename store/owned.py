"""Questions that hold their owner: whose rows may be read is part of the statement, never a filter after it.

Knows:    the two forms of such a question: about everybody's rows, and about those of one customer.
Does not: know what is asked.
Note:     a statement is built once, when it is first asked, and run with values: to build it anew costs more
          than to run it, and to build all of them at the start would make every start wait.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from sqlalchemy import ColumnElement, Connection, CursorResult, Select, bindparam, true

from store.model import Reach
from store.schema import Text

Asked = Select[*tuple[Any, ...]]
"""A question for any columns."""


class Owned:
    """A question in both forms. build: makes it of the condition that a row is within reach."""

    def __init__(self, owner: ColumnElement[Any], build: Callable[[ColumnElement[bool]], Asked]) -> None:
        self._owner = owner
        self._build = build

    @cached_property
    def _of_everybody(self) -> Asked:
        return self._build(true())

    @cached_property
    def _of_one(self) -> Asked:
        return self._build(self._owner == bindparam("whose", type_=Text))

    def ask(self, connection: Connection, reach: Reach, **values: Any) -> CursorResult[Any]:
        """Ask about the rows within reach."""
        if reach.everybody:
            return connection.execute(self._of_everybody, values)
        # Nobody's reach: nothing equals NULL.
        return connection.execute(self._of_one, {**values, "whose": reach.customer_id or None})
