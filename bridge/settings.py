"""The settings of the bridge.

Knows:    their names.
Does not: decide to whom the token is shown.   (bearer.py)
"""

import re
from typing import Annotated

from pydantic import AfterValidator, SecretStr

from common.settings import Settings

_TOKEN = re.compile(r"[A-Za-z0-9\-._~+/]*=*")
"""Source: RFC 6750, section 2.1."""


def _one_token(token: SecretStr) -> SecretStr:
    if not _TOKEN.fullmatch(token.get_secret_value()):
        raise ValueError("must be the token alone: letters, digits and -._~+/=, without the word Bearer")
    return token


class BridgeSettings(Settings):
    """As whom a server over HTTP is asked."""

    mcp_token: Annotated[SecretStr, AfterValidator(_one_token)] = SecretStr("")
