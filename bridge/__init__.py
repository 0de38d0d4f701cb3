"""The parts behind mcp_tools.py: opening, one live connection, what is listed, sent and answered."""

from bridge.arguments import problem_with
from bridge.bearer import NO_TOKEN, TokenRefused, travels_open
from bridge.bounded import AnswerTooLarge
from bridge.connection import Connection
from bridge.elicitation import Answer, OpenCall, Questions, ServerAnswer, ServerQuestion
from bridge.limits import Limits, configured_limits, within
from bridge.lock import Pin, held, pin_of, read_lock
from bridge.offered import not_offered
from bridge.results import ToolResult, failure, result_of
from bridge.settings import BridgeSettings
from bridge.transport import ConnectError, Target, label
from bridge.vetting import Listing, compare, vet
from bridge.words import words_of

__all__ = [
    "NO_TOKEN",
    "Answer",
    "AnswerTooLarge",
    "BridgeSettings",
    "ConnectError",
    "Connection",
    "Limits",
    "Listing",
    "OpenCall",
    "Pin",
    "Questions",
    "ServerAnswer",
    "ServerQuestion",
    "Target",
    "TokenRefused",
    "ToolResult",
    "compare",
    "configured_limits",
    "failure",
    "held",
    "label",
    "not_offered",
    "pin_of",
    "problem_with",
    "read_lock",
    "result_of",
    "travels_open",
    "vet",
    "within",
    "words_of",
]
