"""The demo shop in the place of a real upstream: its address, and its token for one principal.

Knows:    which upstream it stands in for.
Does not: start it (running.py), or decide when it is wanted.   (contracts/hosting.py, calling.py)
Rule:     only the process's own principal gets the demo's token; nobody else is let into it by its name.
"""

from dataclasses import dataclass

from pydantic import SecretStr

from contracts.credentials import Credential, Credentials, Principal
from contracts.upstreams import Auth, Table, Upstream

DEMO_UPSTREAM = "salla"
"""The upstream that the demo shop can stand in for."""


def on_demo(table: Table, url: str) -> Table:
    """Return the table with the demo shop as the upstream."""
    row = table.get(DEMO_UPSTREAM) or Upstream(name=DEMO_UPSTREAM, base_url=url)
    return {**table, DEMO_UPSTREAM: row.model_copy(update={"base_url": url, "auth": Auth(kind="bearer")})}


class NoCredentials:
    """Credentials where nothing but the demo is asked: there are none."""

    async def resolve(self, principal: Principal, upstream: Upstream) -> Credential | None:
        """Return none."""
        return None

    async def refused(self, principal: Principal, upstream: Upstream, credential: Credential) -> bool:
        """Say that there is no other."""
        return False


@dataclass(frozen=True)
class DemoCredentials:
    """The demo shop's token, for the process's own principal alone; everything else as it was."""

    others: Credentials
    own: Principal
    token: SecretStr

    async def resolve(self, principal: Principal, upstream: Upstream) -> Credential | None:
        """Return the demo's token where it is asked for."""
        if upstream.name == DEMO_UPSTREAM and principal == self.own:
            return Credential("Authorization", self.token)
        return await self.others.resolve(principal, upstream)

    async def refused(self, principal: Principal, upstream: Upstream, credential: Credential) -> bool:
        """Say that there is no other token for the demo."""
        return upstream.name != DEMO_UPSTREAM and await self.others.refused(principal, upstream, credential)
