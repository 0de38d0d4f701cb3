"""`python -m contracts demo`: a shop's API on this machine, and the pinned contracts served on it over HTTP.

Knows:    the options, and what to tell whoever wants to try it.
Does not: serve.   (contracts/hosting.py, contracts/demo/running.py)
"""

import json
import secrets
import sys

import click


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--profile", default="", help="What a session sees that names no profile (profiles.yaml).")
@click.option(
    "--port", default=8790, show_default=True, help="The port of the MCP server; 0 takes a free one."
)
@click.option("--api-port", default=0, help="The port of the shop's API; 0, the default, takes a free one.")
@click.option("--describe", is_flag=True, help="Print the shop's OpenAPI description, and start nothing.")
@click.option("--json", "as_json", is_flag=True, help="With --describe: as JSON in place of YAML.")
def command(profile: str, port: int, api_port: int, describe: bool, as_json: bool) -> None:
    """Start a demo shop on this machine, and the MCP server on it. Ctrl-C ends both.

    Example: python -m contracts demo --port 8790

    Whatever credentials there are, no real shop is asked. The shop is in memory and new with each start.
    """
    if describe:
        click.echo(_description(as_json=as_json), nl=as_json)
        return
    if as_json:
        raise click.UsageError("--json is for --describe: `python -m contracts demo --describe --json`.")
    # Here and not above: the help needs none of it, and the SDK alone takes most of a second.
    from pydantic import SecretStr

    from common.settings import load
    from contracts.hosting import built_or_exit, over_http_until_stopped
    from contracts.settings import ContractsSettings

    settings = built_or_exit(lambda: load(ContractsSettings))
    url = f"http://127.0.0.1:{port}/mcp" if port else "URL (the one that is printed last)"
    click.echo(f"Talk to it from another terminal: .venv/bin/python main.py --server {url}", err=True)
    if not settings.contracts_admin_token.get_secret_value():
        token = secrets.token_urlsafe(24)
        settings = settings.model_copy(update={"contracts_admin_token": SecretStr(token)})
        click.echo(
            f"The admin API's token, of this run alone: {token}\n"
            f"What it installs is written to {settings.contracts_registry}/, and stays.",
            err=True,
        )
    try:
        over_http_until_stopped(
            settings, profile=profile, demo=True, demo_port=api_port, host="127.0.0.1", port=port
        )
    except KeyboardInterrupt:
        sys.exit(130)


def _description(*, as_json: bool) -> str:
    from contracts.demo.described import FILE, document

    return json.dumps(document(), ensure_ascii=False) if as_json else FILE.read_text(encoding="utf-8")
