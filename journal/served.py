"""For whom a chat is held, as far as the agent's side knows.

Knows:    who may be taken for the same person in two chats, and that a role is nobody in particular.
Does not: keep anything, or find out who it is.   (turns.py, approvals.py, terminal/served.py)
"""

from dataclasses import dataclass

from common.approval import canonical
from journal.key import JournalKey

STAFF = "staff"


@dataclass(frozen=True)
class Served:
    """Whoever sits at the screen.

    session: the name of the conversation that the bridge tells the server with each call, so that the rows of
    both sides can be told to belong together.
    role, customer_id: as they are known on this side.
    server: whatever names the server and no other; a left question is asked again at the same one only.
    signed_in: the customer whom that server says it serves; for questions alone: the trail believes none.
    """

    session: str
    role: str = ""
    customer_id: str = ""
    server: str = ""
    signed_in: str = ""

    @property
    def is_staff(self) -> bool:
        """Say whether a member of the staff sits there."""
        return self.role == STAFF and not self.customer_id

    @property
    def person(self) -> str:
        """Return the customer who sits there; empty where nobody can be told from another."""
        return "" if self.is_staff else self.customer_id or self.signed_in

    def at_server(self, key: JournalKey) -> str:
        """Return the server as it is kept."""
        return key.digest("server", canonical(self.server))
