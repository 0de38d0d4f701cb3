"""What every MCP server of the house shares."""

from serving.house import HouseServer
from serving.identity import Caller, caller_from
from serving.refusals import Refused
from serving.said import SAID, answer
from serving.settings import ServingSettings, load_or_exit
from serving.stdio import serve_stdio
from serving.tools import ADDS, ASKED_FOR, DRY_RUN, KEPT, PREVIEW, READS, SHOWN_BY, is_dry_run, strict_tool

__all__ = [
    "ADDS",
    "ASKED_FOR",
    "DRY_RUN",
    "KEPT",
    "PREVIEW",
    "READS",
    "SAID",
    "SHOWN_BY",
    "Caller",
    "HouseServer",
    "Refused",
    "ServingSettings",
    "answer",
    "caller_from",
    "is_dry_run",
    "load_or_exit",
    "serve_stdio",
    "strict_tool",
]
