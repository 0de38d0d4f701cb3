"""`python -m contracts serve`: the pinned contracts over stdio or HTTP.

Knows:    the options, and in which order what is served is put together and closed.
Does not: know its parts.   (contracts/hosting.py)
"""

import click


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--http", "over_http", is_flag=True, help="Serve over HTTP instead of stdin and stdout.")
@click.option("--profile", default="", help="What a session sees that names no profile (profiles.yaml).")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: the address to listen on.")
@click.option("--port", default=8000, show_default=True, help="With --http: its port; 0 takes a free one.")
def command(over_http: bool, profile: str, host: str, port: int) -> None:
    """Serve the contracts of the registry to one MCP client on stdin and stdout, or to many over HTTP.

    Example: python -m contracts serve --http --port 8000

    Without a credential for the shop's upstream, the demo shop on this machine stands in for it.
    """
    # Here and not above: the help needs none of it, and the SDK alone takes most of a second.
    from common.settings import load
    from contracts.hosting import built_or_exit, over_http_until_stopped, over_stdio
    from contracts.settings import ContractsSettings

    settings = built_or_exit(lambda: load(ContractsSettings))
    if over_http:
        over_http_until_stopped(settings, profile=profile, host=host, port=port)
    else:
        over_stdio(settings, profile=profile)
