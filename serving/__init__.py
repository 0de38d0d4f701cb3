"""What every MCP server of the house shares."""

from serving.access import Access, BadAccess, load_access
from serving.house import Admission, Facts, HouseServer
from serving.identity import GUEST, Caller, UnknownCustomer, caller_from, caller_now
from serving.lookups import Lookups
from serving.recording import Recorder
from serving.refusals import Refused
from serving.said import SAID, answer
from serving.settings import ServingSettings, load_or_exit
from serving.stdio import built_or_exit, serve_stdio
from serving.tools import (
    ADDS,
    ASKED_FOR,
    CONVERSATION,
    DRY_RUN,
    KEPT,
    PREVIEW,
    READS,
    SHOWN_BY,
    conversation_of,
    is_dry_run,
    strict_tool,
)

__all__ = [
    "ADDS",
    "ASKED_FOR",
    "CONVERSATION",
    "DRY_RUN",
    "GUEST",
    "KEPT",
    "PREVIEW",
    "READS",
    "SAID",
    "SHOWN_BY",
    "Access",
    "Admission",
    "BadAccess",
    "Caller",
    "Facts",
    "HouseServer",
    "Lookups",
    "Recorder",
    "Refused",
    "ServingSettings",
    "UnknownCustomer",
    "answer",
    "built_or_exit",
    "caller_from",
    "caller_now",
    "conversation_of",
    "is_dry_run",
    "load_access",
    "load_or_exit",
    "serve_stdio",
    "strict_tool",
]
