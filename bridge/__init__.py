"""The parts behind mcp_tools.py: opening, one live connection, what is listed, sent and answered."""

from bridge.arguments import problem_with
from bridge.bearer import NO_TOKEN, TokenRefused, travels_open
from bridge.bounded import AnswerTooLarge
from bridge.connection import Connection
from bridge.limits import Limits, configured_limits, within
from bridge.results import ToolResult, failure, result_of
from bridge.settings import BridgeSettings
from bridge.transport import ConnectError, Target, label
from bridge.vetting import Listing, compare, vet

__all__ = [
    "NO_TOKEN",
    "AnswerTooLarge",
    "BridgeSettings",
    "ConnectError",
    "Connection",
    "Limits",
    "Listing",
    "Target",
    "TokenRefused",
    "ToolResult",
    "compare",
    "configured_limits",
    "failure",
    "label",
    "problem_with",
    "result_of",
    "travels_open",
    "vet",
    "within",
]
