"""`python -m contracts tokens`: keep, list and remove the merchants' tokens."""

import json
import sys
import time
from typing import Any

import click
from cryptography.fernet import Fernet
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError
from sqlalchemy.exc import SQLAlchemyError

from common.database import DatabaseUnusable, reason
from common.settings import ROOT, BadSettings, load
from contracts.credentials import Principal
from contracts.env_credentials import is_token
from contracts.kept_tokens import LONGEST_S, Kept, KeptTokens
from contracts.problems import ContractsError
from contracts.settings import ContractsSettings
from contracts.signing_in import tokens_url
from contracts.upstreams_file import load_upstreams


class _Sent(BaseModel):
    """A pair as it is sent on stdin."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    access_token: SecretStr
    refresh_token: SecretStr | None = None
    expires_in: float | None = Field(default=None, gt=0, le=LONGEST_S)


class _Group(click.Group):
    """Commands whose failures are told in words."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except (ContractsError, DatabaseUnusable, BadSettings) as error:
            raise click.ClickException(str(error)) from None
        except SQLAlchemyError as error:
            raise click.ClickException(
                f"The kept tokens cannot be read or written: {reason(error)}. See to CONTRACTS_TOKENS."
            ) from None


@click.group("tokens", cls=_Group)
def command() -> None:
    """Keep, list and remove the merchants' tokens, sealed under CONTRACTS_KEY."""


@command.command("key")
def key() -> None:
    """Print a new key for CONTRACTS_KEY. Put it before the old one, with a comma, to change keys."""
    click.echo(Fernet.generate_key().decode())


@command.command("put")
@click.argument("principal")
@click.argument("upstream")
def put(principal: str, upstream: str) -> None:
    """Keep the tokens of PRINCIPAL at UPSTREAM.

    They are read from stdin, never from the command line: one JSON object with access_token, and where there
    are any refresh_token and expires_in (seconds). In a terminal the access token is asked for.
    """
    settings = load(ContractsSettings)
    table = load_upstreams(ROOT / settings.contracts_upstreams)
    if upstream not in table:
        raise click.ClickException(
            f"upstreams.yaml has no upstream {upstream!r}; it has: {', '.join(table) or 'none'}."
        )
    kept = _asked() if sys.stdin.isatty() else _read(sys.stdin.read(100_000))
    if not is_token(kept.access.get_secret_value()):
        raise click.ClickException(
            "The access token is no token: it is empty, or has a space or a letter beyond ASCII in it."
        )
    _tokens(settings).put(Principal(principal), upstream, kept)
    click.echo(f"Kept the tokens of {principal} at {upstream}.")


@command.command("list")
def list_() -> None:
    """List whose tokens are kept, and until when they are good. No token is shown."""
    rows = _tokens(load(ContractsSettings)).list()
    for row in rows:
        click.echo(str(row))
    if not rows:
        click.echo("No tokens are kept.")


@command.command("reseal")
def reseal() -> None:
    """Seal all that is kept under the first key of CONTRACTS_KEY, so that the others can be taken out."""
    count = _tokens(load(ContractsSettings)).reseal()
    click.echo(f"Sealed anew: {count}.")


@command.command("remove")
@click.argument("principal")
@click.argument("upstream")
def remove(principal: str, upstream: str) -> None:
    """Remove the tokens of PRINCIPAL at UPSTREAM."""
    if not _tokens(load(ContractsSettings)).remove(Principal(principal), upstream):
        raise click.ClickException(f"No tokens of {principal} at {upstream} are kept.")
    click.echo(f"Removed the tokens of {principal} at {upstream}.")


def _tokens(settings: ContractsSettings) -> KeptTokens:
    return KeptTokens(tokens_url(settings), settings.contracts_key)


def _asked() -> Kept:
    return Kept(SecretStr(click.prompt("Access token", hide_input=True, err=True)))


def _read(text: str) -> Kept:
    try:
        sent = _Sent.model_validate(json.loads(text))
    except (ValueError, ValidationError):
        raise click.ClickException(
            "stdin must be one JSON object with access_token, and perhaps refresh_token and expires_in."
        ) from None
    until = time.time() + sent.expires_in if sent.expires_in else None
    return Kept(sent.access_token, sent.refresh_token, until)
