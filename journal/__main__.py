"""`python -m journal`: prove the audit trail, or read it, or see which questions are open.

Knows:    the command line, and how rows are told to a person.
Does not: prove anything itself.   (verify.py)
"""

import json
import re
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn, cast

import click
from sqlalchemy import ColumnElement, Engine, func, inspect, or_, select
from sqlalchemy.exc import SQLAlchemyError

from common.database import (
    DatabaseSettings,
    DatabaseUnusable,
    is_in_memory,
    open_engine,
    reason,
    require_schema,
    shown,
)
from common.settings import BadSettings, load
from journal.entry import Entry
from journal.errors import JournalUnusable
from journal.key import JournalKey, key_of, read_key
from journal.schema import approvals, audit
from journal.settings import JournalSettings
from journal.trail import argument_digest, identity_digest, text_of
from journal.verify import holds
from journal.verify import verify as proven

_BATCH = 1_000
_SHOWN = ("at", "session", "identity", "side", "gate", "tool", "decision", "reason", "argument_digest")


class _ExampleFirst(click.Group):
    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write("Example: DATABASE_URL=sqlite:///shop.db python -m journal verify\n\n")
        super().format_help(ctx, formatter)


@click.group(cls=_ExampleFirst, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Prove or read the audit trail of the database that DATABASE_URL names.

    Exit codes: 0 done, 1 the trail does not hold, 2 usage or settings.
    """


@main.command()
@click.option(
    "--old-key",
    "old_keys",
    metavar="FILE",
    type=click.Path(path_type=Path),
    multiple=True,
    help="A key file that earlier rows were written with; may be given again.",
)
@click.option(
    "--holds",
    "noted",
    metavar="HASH",
    help="Say too whether the row of this noted hash is there.",
)
def verify(old_keys: tuple[Path, ...], noted: str | None) -> None:
    """Prove every chain unbroken, or name the first bad row and exit 1."""
    noted = _hash(noted)
    engine, key = _opened()
    with _reading(engine):
        report = proven(engine, [key, *map(_old_key, old_keys)])
        is_held = noted is None or holds(engine, noted)
    if report.bad:
        where = f"row {report.bad.seq} of the writer {report.bad.writer}"
        click.echo(f"The trail is broken at {where}: {report.bad.problem}.")
        sys.exit(1)
    if not is_held:
        click.echo(f"The row of the hash {noted} is not in the trail: rows were cut from its end.")
        sys.exit(1)
    if not report.rows:
        _end(
            f"The trail in {shown(engine.url)} has no row: nothing was written yet, or all was removed. "
            "Only a hash that was noted earlier can tell: python -m journal verify --holds HASH"
        )
    click.echo(f"Unbroken: {_counted(report.rows, 'row')} in {_counted(report.chains, 'chain')}.")
    if report.open_chains:
        click.echo(
            f"{_counted(report.open_chains, 'chain')} without a last row: still being written, or killed."
        )
    if report.newest_hash:
        click.echo(f"Newest hash: {report.newest_hash}")
        click.echo("Note it elsewhere: --holds HASH shows later that nothing up to here was cut off.")


@main.command()
@click.option("--customer", metavar="ID", help="Only what was done for this customer.")
@click.option("--tool", metavar="NAME", help="Only what concerns this tool.")
@click.option("--arguments", metavar="JSON", help="Only calls with exactly these arguments.")
@click.option("--since", metavar="TIME", help="Only from then on: 2026-11-30, or 2026-11-30T12:00 (UTC).")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def show(as_json: bool, **wanted: str | None) -> None:
    """Print the rows, oldest first."""
    engine, key = _opened()
    conditions = [*_conditions(key, _Wanted(**wanted))]
    columns = [_identity() if name == "identity" else audit.c[name] for name in _SHOWN]
    query = select(*columns).where(*conditions).order_by(audit.c.number)
    tell = _as_json if as_json else _as_line
    with _reading(engine), engine.connect() as connection, connection.begin():
        for row in connection.execution_options(yield_per=_BATCH).execute(query).mappings():
            click.echo(tell(dict(row)))


@main.command("approvals")
def list_approvals() -> None:
    """Print the questions that are open, oldest first: for whom, about which tool, until when.

    What a question says is not shown: it is for whoever is asked.
    """
    engine, _ = _opened()
    columns = [
        approvals.c[name] for name in ("digest", "audience", "tool", "asked_at", "expires_at", "state")
    ]
    query = select(*columns).where(approvals.c.state != "settled").order_by(approvals.c.number)
    with _reading(engine), engine.connect() as connection, connection.begin():
        found = connection.execute(query).all()
    for row in found:
        asked_at, expires_at = (_written(row.asked_at), _written(row.expires_at))
        click.echo(f"{row.digest[:8]}  {asked_at}  {expires_at}  {row.audience:6} {row.state:7} {row.tool}")
    click.echo(f"{_counted(len(found), 'open question')}.", err=True)


def _written(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S")


@dataclass(frozen=True)
class _Wanted:
    customer: str | None
    tool: str | None
    arguments: str | None
    since: str | None


def _identity() -> ColumnElement[str]:
    """Return a row's identity; where the agent did not know it, the one its server told of the session."""
    told = audit.alias("told")
    by_session = (
        select(told.c.identity)
        .where(told.c.session == audit.c.session, told.c.session != "", told.c.identity != "")
        .order_by(told.c.number)
        .limit(1)
        .scalar_subquery()
    )
    own = func.nullif(audit.c.identity, "")
    return func.coalesce(own, by_session, "").label("identity")


def _conditions(key: JournalKey, wanted: _Wanted) -> Iterator[ColumnElement[bool]]:
    if wanted.customer:
        identity = identity_digest(key, "customer", wanted.customer)
        theirs = select(audit.c.session).where(audit.c.identity == identity, audit.c.session != "")
        yield or_(audit.c.identity == identity, (audit.c.identity == "") & audit.c.session.in_(theirs))
    if wanted.tool:
        yield audit.c.tool == wanted.tool
    if wanted.arguments:
        yield audit.c.argument_digest == _digest_of(key, wanted.arguments)
    if wanted.since:
        yield audit.c.at >= text_of(_moment(wanted.since))


def _hash(noted: str | None) -> str | None:
    """Return a noted hash; one that was lost on the way must not look as if it had been found."""
    if noted is None or re.fullmatch("[0-9a-f]{64}", noted := noted.strip().lower()):
        return noted
    raise click.BadParameter("--holds takes the hash that verify told, 64 hexadecimal digits.")


@contextmanager
def _reading(engine: Engine) -> Generator[None]:
    """End with a sentence where the database fails, or has a schema and no trail."""
    try:
        if not inspect(engine).has_table(audit.name):
            click.echo(f"The trail is broken: its table in {shown(engine.url)} is gone, with all rows.")
            sys.exit(1)
        yield
    except SQLAlchemyError as error:
        _end(f"The trail in {shown(engine.url)} cannot be read ({reason(error)}). Mend that, and ask again.")


def _digest_of(key: JournalKey, arguments: str) -> str:
    try:
        parsed = json.loads(arguments)
    except json.JSONDecodeError as error:
        raise click.BadParameter(f"--arguments is no JSON at column {error.colno}: {error.msg}.") from None
    if not isinstance(parsed, dict):
        raise click.BadParameter('--arguments must be a JSON object, as {"order_id": "4471"}.')
    arguments_given = cast(dict[str, Any], parsed)
    return argument_digest(key, Entry("agent", "execute", "started", arguments=arguments_given))


def _moment(written: str) -> datetime:
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        raise click.BadParameter(
            f"--since {written!r} is no time. Write 2026-11-30 or 2026-11-30T12:00."
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _as_json(row: dict[str, Any]) -> str:
    return json.dumps({"schema": "shopkart/audit-row/1", **row}, ensure_ascii=False)


def _as_line(row: dict[str, Any]) -> str:
    """Return a row as a line of columns; digests are cut to what tells them apart."""
    at = row["at"][:19].replace("T", " ")
    who = f"{row['session'][:6] or '-':6} {row['identity'][:15] or '-':15}"
    call = f"{row['tool']} {row['argument_digest'][:8]}".strip()
    what = f"{row['side']:6} {row['gate']:12} {row['decision']:12} {row['reason'] or '-':22}"
    return f"{at}  {who}  {what} {call}".rstrip()


def _opened() -> tuple[Engine, JournalKey]:
    try:
        url = load(DatabaseSettings).database_url
        if is_in_memory(url):
            _end(
                "There is no trail to look at: the data are in memory, and so no trail is kept. "
                "Set DATABASE_URL to a file, as sqlite:///shop.db, or to Postgres."
            )
        engine = open_engine(url)
        click.get_current_context().call_on_close(engine.dispose)
        require_schema(engine)
        return engine, key_of(load(JournalSettings), make=False)
    except (BadSettings, DatabaseUnusable, JournalUnusable) as error:
        _end(str(error))


def _old_key(path: Path) -> JournalKey:
    return _or_end(lambda: read_key(path), f"The key file {path} cannot be read")


def _or_end(act: Callable[[], JournalKey], told: str) -> JournalKey:
    try:
        return act()
    except JournalUnusable as error:
        _end(str(error))
    except OSError as error:
        _end(f"{told} ({error.strerror}).")


def _end(text: str) -> NoReturn:
    click.echo(text, err=True)
    sys.exit(2)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


if __name__ == "__main__":
    main()
