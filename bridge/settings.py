"""The settings of the bridge.

Knows:    their names, and what they may be.
Does not: decide to whom the token is shown.   (bearer.py)
"""

import re
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr

from common.settings import ROOT, Settings

_TOKEN = re.compile(r"[A-Za-z0-9\-._~+/]*=*")
"""Source: RFC 6750, section 2.1."""


def _one_token(token: SecretStr) -> SecretStr:
    if not _TOKEN.fullmatch(token.get_secret_value()):
        raise ValueError("must be the token alone: letters, digits and -._~+/=, without the word Bearer")
    return token


class BridgeSettings(Settings):
    """As whom a server over HTTP is asked, and how much of any server is taken."""

    servers_lock: Path = Path("servers.lock")
    mcp_token: Annotated[SecretStr, AfterValidator(_one_token)] = SecretStr("")
    connect_s: float = Field(default=20.0, gt=0, le=600)
    call_s: float = Field(default=30.0, gt=0, le=3_600)
    argument_bytes: int = Field(default=262_144, ge=1_024, le=16_777_216)
    result_bytes: int = Field(default=4_194_304, ge=65_536, le=268_435_456)
    tools_per_server: int = Field(default=128, ge=1, le=10_000)
    schema_bytes: int = Field(default=65_536, ge=1_024, le=16_777_216)

    @property
    def lock(self) -> Path:
        """Return the file of the pins; a relative path counts from the project's folder."""
        return ROOT / self.servers_lock
