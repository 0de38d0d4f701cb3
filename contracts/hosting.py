"""What is served, put together as the settings say: contracts, upstreams, credentials, engine and server.

Knows:    every part by name, who the caller is, and when the demo shop stands in for a real one.
Does not: serve.   (commands/serve.py, through serving/)
Rule:     whoever starts the server decides for whom it acts: the settings over stdio, the token over HTTP. A
          token that names nobody gets nothing.
"""

import logging
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

import click
from mcp.server.auth.middleware.auth_context import get_access_token
from pydantic import SecretStr
from starlette.routing import Route

from common.database import DatabaseSettings, DatabaseUnusable
from common.redaction import log_redacted
from common.settings import ROOT, BadSettings, load
from contracts.credentials import Principal
from contracts.demo.standing_in import DEMO_UPSTREAM, DemoCredentials, on_demo
from contracts.engine import Bounds, Engine
from contracts.live import Live, Source
from contracts.problems import ContractsError
from contracts.profiles import load_profiles
from contracts.registry import Folder, Registry
from contracts.settings import ContractsSettings, secret_named
from contracts.signing_in import credentials_of
from contracts.surface import ContractServer, Options, contract_server
from contracts.upstreams import Table
from contracts.upstreams_file import load_upstreams
from journal import JournalUnusable, open_trail
from serving.identity import STAFF_SCOPE, Caller
from serving.listening import CannotListen
from serving.stdio import serve_stdio

T = TypeVar("T")


@dataclass(frozen=True)
class Hosting:
    """What is served. notes: for stderr. demo_url: of the demo shop, where that is the upstream."""

    server: ContractServer
    live: Live
    engine: Engine
    notes: tuple[str, ...] = ()
    demo_url: str = ""


@contextmanager
def hosting(
    settings: ContractsSettings, *, profile: str = "", demo: bool = False, demo_port: int = 0
) -> Generator[Hosting]:
    """Yield what is served, and close it.

    profile: of sessions that name none; empty means the settings'. demo: whether the demo shop is the
    upstream, whatever credentials there are; else it is where the shop's upstream has none. demo_port: its
    port; 0 takes a free one.
    Raises: ContractsError, BadSettings, DatabaseUnusable, JournalUnusable, CannotListen: each says what to
    correct.
    """
    table = load_upstreams(_path(settings.contracts_upstreams))
    live = Live(source_of(settings), load_profiles(_path(settings.contracts_profiles)))
    credentials = credentials_of(settings)
    own = Principal(settings.contracts_principal)
    options = Options(
        profile=profile or settings.contracts_profile,
        page=settings.contracts_page,
        poll_s=settings.contracts_poll_s,
        trail=open_trail(load(DatabaseSettings).database_url),
        process=uuid4().hex,
    )
    notes = [] if live.catalog.approved else [UNAPPROVED_NOTE.format(source=live.catalog.source)]
    if missing := live.missing():
        notes.append(
            f"Profiles name tasks that are not served ({', '.join(missing)}). Correct or build them."
        )
    with ExitStack() as stack:
        url = ""
        if demo or _needs_demo(live, table, settings):
            from contracts.demo.running import demo_shop  # here: a real shop's server needs none of it

            url, token = stack.enter_context(demo_shop(demo_port))
            table = on_demo(table, url)
            credentials = DemoCredentials(credentials, own, SecretStr(f"Bearer {token}"))
            options = replace(options, session="demo shop on this machine")
            notes.append(DEMO_NOTE if not demo else _demo_told(url))
        bounds = Bounds(settings.contracts_result_chars, settings.contracts_pages)
        engine = Engine(table, credentials, bounds=bounds)
        server = contract_server(live, engine, lambda: principal_now(own), options)
        yield Hosting(server, live, engine, tuple(notes), url)


def _demo_told(url: str) -> str:
    root = "/".join(url.split("/")[:3])
    return f"The demo shop is at {url}\nWhat it can do: {root}/openapi.yaml"


UNAPPROVED_NOTE = (
    "UNAPPROVED: {source} is served because CONTRACTS_FOLDER is set. Nobody has reviewed these contracts; "
    "for a shop, pin them with `python -m contracts build` and leave CONTRACTS_FOLDER empty."
)
DEMO_NOTE = (
    "There is no credential for the upstream salla, so the demo shop on this machine stands in for it. For a "
    "real shop set SALLA_ACCESS_TOKEN in .env.local."
)


def over_stdio(settings: ContractsSettings, *, profile: str = "") -> None:
    """Serve on stdin and stdout until the client goes."""
    log_redacted(logging.WARNING)  # before the SDK sets up a log of its own
    with ExitStack() as stack:
        hosted = built_or_exit(lambda: stack.enter_context(hosting(settings, profile=profile)))
        _tell(hosted)
        serve_stdio(lambda: hosted.server)


def over_http_until_stopped(
    settings: ContractsSettings,
    *,
    profile: str = "",
    demo: bool = False,
    demo_port: int = 0,
    host: str,
    port: int,
) -> None:
    """Serve over HTTP until Ctrl-C, which ends the process with 130."""
    from serving.http import log_to_stderr, serve_http  # here: a server on stdin and stdout needs none of it

    log_to_stderr()
    with ExitStack() as stack:
        hosted = built_or_exit(
            lambda: stack.enter_context(hosting(settings, profile=profile, demo=demo, demo_port=demo_port))
        )
        beside = built_or_exit(lambda: admin_of(hosted.live, settings))
        _tell(hosted)
        serve_http(lambda _: hosted.server, lambda: Caller("staff"), host=host, port=port, beside=beside)


def admin_of(live: Live, settings: ContractsSettings) -> Sequence[Route]:
    """Return the routes of the admin API; without a token there are none, and its paths are any other's.

    Raises: ContractsError where the token is too short, or where no registry is served to install into.
    """
    if not settings.contracts_admin_token.get_secret_value():
        return ()
    if settings.contracts_folder:
        raise ContractsError(
            "The admin API installs into the registry, and CONTRACTS_FOLDER serves a folder in its place. "
            "Empty CONTRACTS_FOLDER or CONTRACTS_ADMIN_TOKEN."
        )
    from contracts.admin import admin_routes  # here: few servers have it, and it brings the import of others

    return admin_routes(live, _path(settings.contracts_registry), settings.contracts_admin_token)


def _tell(hosted: Hosting) -> None:
    # At a terminal the chat that started us may have a line of its own in the making: it is drawn anew.
    begin = "\r\x1b[K" if sys.stderr.isatty() else ""
    for note in hosted.notes:
        click.echo(f"{begin}{note}", err=True)


def source_of(settings: ContractsSettings) -> Source:
    """Return where the contracts come from: the registry, or the folder that the settings name instead."""
    if settings.contracts_folder:
        return Folder(_path(settings.contracts_folder))
    return Registry(_path(settings.contracts_registry))


def principal_now(own: Principal) -> Principal | None:
    """Return for whom the request is that is being answered; None where its token names nobody.

    own: whom the settings name; the shop's staff act for them too, and nobody who merely has their name.
    """
    token = get_access_token()
    if token is None:
        return own
    if STAFF_SCOPE in token.scopes and token.subject in (None, "", own.name):
        return own
    named = Principal(token.subject) if token.subject else None
    return None if named == own else named


def built_or_exit(build: Callable[[], T]) -> T:
    """Return what is built, or end the process with a text on stderr that says what to correct.

    It ends with 2; with 1 where a port cannot be had.
    """
    try:
        return build()
    except CannotListen as error:
        click.echo(f"{error}", err=True)
        raise SystemExit(error.exit_code) from None
    except (ContractsError, BadSettings, DatabaseUnusable, JournalUnusable) as error:
        click.echo(f"{error}", err=True)
        raise SystemExit(2) from None


def _path(named: str) -> Path:
    return ROOT / Path(named).expanduser()


# ---------------------------------------------------------------- the demo shop


def _needs_demo(live: Live, table: Table, settings: ContractsSettings) -> bool:
    """Say whether contracts need the shop's upstream, and there is nothing to show there.

    Where merchants' tokens are kept, the shop is a real one: who has none there is refused.
    """
    row = table.get(DEMO_UPSTREAM)
    wanted = any(each.upstream == DEMO_UPSTREAM for each in live.catalog.functions.values())
    if row is None or row.auth.kind == "none" or not wanted or settings.contracts_key.get_secret_value():
        return False
    return not (row.auth.token and secret_named(row.auth.token).get_secret_value())
