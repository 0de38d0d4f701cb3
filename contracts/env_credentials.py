"""Credentials of the environment: one secret an upstream, for the merchant whom this process serves.

Knows:    which setting holds an upstream's secret, and whose it is.
Does not: keep tokens of others.   (kept_tokens.py)
Rule:     the process's secrets are its own principal's. Whoever else a token stands for has none here, so
          that a customer's token of the same shop opens nothing.
"""

from pydantic import SecretStr

from contracts.credentials import Credential, Credentials, Principal
from contracts.failures import CallFailed
from contracts.settings import secret_named
from contracts.upstreams import Auth, Upstream


class EnvCredentials(Credentials):
    """What the environment holds, for one principal."""

    def __init__(self, principal: Principal) -> None:
        self._own = principal

    async def resolve(self, principal: Principal, upstream: Upstream) -> Credential | None:
        """Return the secret that the table names; None where the upstream wants none.

        Raises: CallFailed (`no_credential`).
        """
        if upstream.auth.kind == "none":
            return None
        name = upstream.auth.token
        secret = secret_named(name) if name and principal == self._own else SecretStr("")
        if not secret.get_secret_value():
            raise no_credential(upstream)
        return shown(upstream.auth, secret)

    async def refused(self, principal: Principal, upstream: Upstream, credential: Credential) -> bool:
        """Say that there is no other one."""
        return False


def is_token(value: str) -> bool:
    """Say whether a text can be sent as a token: printable ASCII without spaces."""
    return value.isascii() and value.isprintable() and bool(value) and " " not in value


def shown(auth: Auth, secret: SecretStr) -> Credential:
    """Return a secret as the header that an upstream wants.  Raises: CallFailed where it is no token."""
    value = secret.get_secret_value()
    if not is_token(value):  # whoever sends it would otherwise say why it cannot, with the secret in the text
        raise CallFailed(
            "no_credential",
            f"What is set or kept to sign in with cannot be sent as the header {auth.header}.",
            "Tell the user that the shop's staff must connect the shop anew: a token has no spaces in it.",
        )
    if auth.kind == "api_key":
        return Credential(auth.header, secret)
    return Credential(auth.header, SecretStr(f"Bearer {value}"))


def no_credential(upstream: Upstream, why: str = "") -> CallFailed:
    """Return the failure of a call for whom there is no token."""
    return CallFailed(
        "no_credential",
        f"There is no sign-in for {upstream.name} for whoever is asking. {why}".strip(),
        "Tell the user that the shop's staff must connect the shop first.",
    )
