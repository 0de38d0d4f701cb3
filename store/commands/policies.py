"""`python -m store policies`: a folder of Markdown becomes the shop's policies."""

from pathlib import Path

import click

from common.language import LANGUAGES
from store.commands.opened import fail, opened
from store.commands.recorded import recorded
from store.policies import PoliciesUnusable, every_policy, sections


@click.command("policies")
@click.argument("folder", type=click.Path(path_type=Path))
def command(folder: Path) -> None:
    """Read FOLDER as the shop's policies, in the place of those that are there.

    Example: python -m store policies my-shop/policies

    One Markdown file (*.md) is one policy, cut at its headings; a folder in it that is called es, ru, ar or
    hi holds translations under the same names. A server that runs answers from them at once.
    """
    try:
        found = every_policy(folder)
    except PoliciesUnusable as unusable:
        fail(f"{unusable} Nothing was changed.")
    with opened() as store, recorded(store.engine, "policies", folder=folder.name):
        store.put_policies(found)
    if missing := [each for each in LANGUAGES if all(policy.language != each for policy in found)]:
        click.echo(
            f"None of them is in {', '.join(missing)}: who asks in one of these languages is told so. "
            "Put translations into folders of these names.",
            err=True,
        )
    for policy in found:
        passages = len(sections(policy))
        click.echo(
            f"{policy.language}/{policy.name}: {policy.title} ({passages} passage{'s' * (passages != 1)})"
        )
