"""The parts behind mcp_tools.py: one live connection, and the vetting of what a server lists."""

from bridge.connection import ConnectError, Connection
from bridge.vetting import Listing, vet

__all__ = ["ConnectError", "Connection", "Listing", "vet"]
