"""The shop's policies as resources, and the library that the search asks.

Knows:    that another set of policies may be put into the store while the server runs.
Does not: rank sections.   (store/search.py)
"""

from collections.abc import Callable

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError

from common.language import LANGUAGES
from store import Store
from store.library import Library, library_of
from support.views import policy_uri


class LivePolicies:
    """The store's policies as they are now: read again only when they have changed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._revision = store.policy_revision()
        self._library = library_of(tuple(store.policies()))

    def library(self) -> Library:
        """Return the library of the policies that stand in the store."""
        revision = self._store.policy_revision() if self._store.waits else self._revision
        if revision != self._revision:
            self._library, self._revision = library_of(tuple(self._store.policies())), revision
        return self._library


def add_policies(server: MCPServer, store: Store) -> None:
    """List the English policies as resources; a translation has its language before its name.

    Their text is read when it is asked for. One that was added since the start is read, but not listed.
    """

    def policy_text(language: str, name: str) -> str:
        for each in store.policies():
            if (each.language, each.name) == (language, name):
                return each.text
        raise ResourceNotFoundError("There is no policy of that name in that language.")

    def reading(name: str) -> Callable[[], str]:
        return lambda: policy_text(LANGUAGES[0], name)

    for each in store.policies():
        if each.language == LANGUAGES[0]:
            server.resource(
                policy_uri(each.name, each.language),
                name=each.name,
                title=f"{each.title} policy",
                description=f"The shop's {each.name} policy, whole.",
                mime_type="text/markdown",
            )(reading(each.name))
    server.resource(
        "policy://{language}/{name}",
        title="A policy in another language",
        description=f"One of the shop's policies, whole, in {', '.join(LANGUAGES[1:])}.",
        mime_type="text/markdown",
    )(policy_text)
