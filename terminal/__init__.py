"""The chat in a terminal or a pipe: shows events, asks y or n."""

from terminal.lines import Lines, PipedLines
from terminal.prompt import PromptLines
from terminal.screen import Screen
from terminal.session import Agent, Exit, Session
from terminal.turn import ToolBox

__all__ = ["Agent", "Exit", "Lines", "PipedLines", "PromptLines", "Screen", "Session", "ToolBox"]
