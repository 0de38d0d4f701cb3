"""Somewhere to run a program that nobody has read."""

from workshop.sandbox.finding import find
from workshop.sandbox.terms import REPORT_FD, Limits, Ran, Sandbox

__all__ = ["REPORT_FD", "Limits", "Ran", "Sandbox", "find"]
