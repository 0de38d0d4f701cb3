"""The agent's own settings."""

from pydantic import Field

from common.settings import Settings


class AgentSettings(Settings):
    """plan_ttl_s: seconds for which a person's answer to an approval counts.

    approval_file: the shop's rules on who must agree to what.
    """

    plan_ttl_s: float = Field(default=900.0, gt=0, le=86_400)
    approval_file: str = Field(default="approval.yaml", min_length=1)
