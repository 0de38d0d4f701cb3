"""The conversation with the agent, as the commands handle it.

Knows:    that the agent's conversation can be copied, brought back, saved and loaded.
Does not: know what is in it.   (agent/conversation.py)
"""

from pathlib import Path
from typing import Any, cast

from agent.conversation import Conversation
from agent.saved import BadSave, loaded, saved
from common.schema import Schema, item_schema
from common.text import visible
from guards.kinds import Kind
from terminal.export import markdown
from terminal.files import FileProblem, read

_NOBODY = "not named in this chat"


class TalkMemory:
    """A session's one conversation."""

    def __init__(self, talk: Conversation) -> None:
        self.talk = talk

    def snapshot(self) -> Conversation:
        """Return a copy."""
        return self.talk.snapshot()

    def restore(self, earlier: Conversation) -> None:
        """Bring it back to a copy."""
        self.talk.restore(earlier)

    def clear(self) -> None:
        """Forget everything."""
        self.talk.restore(Conversation())

    def heard(self) -> list[str]:
        """Return the customer's messages, oldest first."""
        return [message["content"] for message in self.talk.messages if message["role"] == "user"]

    def origin(self, kind: Kind, value: Any, schema: Schema) -> str:
        """Return who named an id, or each of a list, in words."""
        evidence = self.talk.evidence
        several = isinstance(value, list)
        one = item_schema(schema) if several else schema
        found = [
            evidence.origin(kind, each, one) for each in (cast(list[Any], value) if several else [value])
        ]
        told = [origin.told(evidence.turn) if origin else _NOBODY for origin in found]
        return visible("; ".join(dict.fromkeys(told)))

    def text(self, suffix: str) -> str | None:
        """Return it as Markdown for people, or as JSON that can be loaded; None for any other suffix."""
        if suffix in (".md", ".markdown"):
            return markdown(self.talk.messages)
        return saved(self.talk) if suffix == ".json" else None


def loaded_from(path: Path) -> Conversation:
    """Return the conversation of a file.

    Raises: FileProblem.
    """
    try:
        return loaded(read(path))
    except BadSave as problem:
        raise FileProblem(f"{path} cannot be loaded. {problem}") from None
