"""The settings of this room: where the registry and the table of upstreams are, and for whom it is served.

Knows:    the names.
Does not: hold the upstreams' secrets: each is read by the name that the table gives.   (secret_named)
"""

from typing import Annotated

from pydantic import Field, SecretStr

from common.settings import Settings, named


class ContractsSettings(Settings):
    """What is served, and to whom. Relative paths count from the project's folder.

    contracts_folder: a folder of tasks that nobody approved, served in place of the registry; everything
    then says so. contracts_principal: for whom the calls are of a session that shows no token.
    contracts_tokens: the database of the merchants' kept tokens; empty is a file in the state folder.
    contracts_page: entries of one page of a list. contracts_poll_s: how often a change is looked for while
    nobody asks.
    """

    contracts_registry: str = "registry"
    contracts_folder: str = ""
    contracts_upstreams: str = "upstreams.yaml"
    contracts_profiles: str = "profiles.yaml"
    contracts_profile: str = "default"
    contracts_principal: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.@-]{1,100}$")] = "shop"
    contracts_key: SecretStr = SecretStr("")
    contracts_tokens: str = ""
    contracts_admin_token: SecretStr = SecretStr("")
    contracts_page: Annotated[int, Field(ge=1, le=10_000)] = 200
    contracts_poll_s: Annotated[float, Field(ge=0.05, le=3_600)] = 2
    contracts_result_chars: Annotated[int, Field(ge=1_000, le=1_000_000)] = 20_000
    contracts_pages: Annotated[int, Field(ge=1, le=1_000)] = 20
    salla_access_token: SecretStr = SecretStr("")


def secret_named(name: str) -> SecretStr:
    """Return the secret that a setting of this name holds; empty where there is none."""
    return SecretStr(named(name))
