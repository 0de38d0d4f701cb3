"""The chat in a terminal or a pipe: shows events, asks y or n."""

from terminal.lines import Lines, PipedLines
from terminal.manner import Manner
from terminal.prompt import PromptLines
from terminal.screen import Screen
from terminal.session import Agent, Exit, Session
from terminal.toolbox import ToolBox, ToolCard

__all__ = [
    "Agent",
    "Exit",
    "Lines",
    "Manner",
    "PipedLines",
    "PromptLines",
    "Screen",
    "Session",
    "ToolBox",
    "ToolCard",
]
