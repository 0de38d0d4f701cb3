"""The agent's own settings.

Knows:    the names, the defaults, and what each may be.
Does not: apply them.   (limits.py, calls.py, conversation.py, permission.py)
"""

from functools import cache

from pydantic import Field

from common.settings import Settings, load
from guards.input import MAX_QUESTION
from guards.output import MAX_REPLY


class AgentSettings(Settings):
    """How long an answer to an approval counts, who must agree to what, and what a conversation may take.

    plan_ttl_s: seconds for which a person's answer to an approval counts.
    approval_file: the shop's rules on who must agree to what.
    message_chars, reply_chars: no more than the checks of messages and replies read.
    """

    plan_ttl_s: float = Field(default=900.0, gt=0, le=86_400)
    approval_file: str = Field(default="approval.yaml", min_length=1)
    message_chars: int = Field(default=MAX_QUESTION, ge=1, le=MAX_QUESTION)
    reply_chars: int = Field(default=MAX_REPLY, ge=100, le=MAX_REPLY)
    result_chars: int = Field(default=20_000, ge=200, le=1_000_000)
    turns_per_chat: int = Field(default=500, ge=1, le=100_000)
    tokens_per_turn: int = Field(default=250_000, ge=1_000, le=100_000_000)
    tokens_per_chat: int = Field(default=10_000_000, ge=1_000, le=1_000_000_000)
    calls_per_reply: int = Field(default=8, ge=1, le=64)
    calls_per_minute: int = Field(default=120, ge=1, le=100_000)
    open_approvals: int = Field(default=20, ge=1, le=1_000)


@cache
def agent_settings() -> AgentSettings:
    """Return the settings of this process, read once.  Raises: BadSettings."""
    return load(AgentSettings)
