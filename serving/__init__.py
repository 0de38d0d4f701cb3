"""What every MCP server of the house shares."""

from serving.house import HouseServer
from serving.identity import Caller, caller_from
from serving.refusals import Refused
from serving.settings import ServingSettings, load_or_exit
from serving.stdio import serve_stdio
from serving.tools import ADDS, DRY_RUN, PREVIEW, READS, is_dry_run, strict_tool

__all__ = [
    "ADDS",
    "DRY_RUN",
    "PREVIEW",
    "READS",
    "Caller",
    "HouseServer",
    "Refused",
    "ServingSettings",
    "caller_from",
    "is_dry_run",
    "load_or_exit",
    "serve_stdio",
    "strict_tool",
]
