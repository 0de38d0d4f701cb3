"""The parts behind agent_mcp.py: the calls, the conversation, the prompt, the words when words fail."""

from agent.conversation import Conversation
from agent.fallback import fallback_reply
from agent.settings import AgentSettings

__all__ = ["AgentSettings", "Conversation", "fallback_reply"]
