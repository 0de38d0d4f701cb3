"""The shop as the settings make it: where its data are, what of its rules is known, where its trail is kept.

Knows:    the settings, and that the demo shop stands in for one of which nothing was said.
Does not: know a tool.   (server.py)
"""

from collections.abc import Callable
from datetime import datetime

from common.database import DatabaseSettings, is_in_memory
from common.settings import load
from journal import AnyTrail, NoTrail, trail_on
from store import Store, demo_store, open_store, utc_now
from store.rules import DEMO_RULES, ShopRules
from support.arguments import SETTINGS


def configured_store(now: Callable[[], datetime] = utc_now) -> Store:
    """Return the store of DATABASE_URL; the demo shop where that is in memory.

    Raises: DatabaseUnusable when it cannot be used.
    """
    url = load(DatabaseSettings).database_url
    return demo_store(now) if is_in_memory(url) else open_store(url, now)


def rules_of(store: Store) -> ShopRules:
    """Return what the settings say of the shop's policies; of the demo's what those say."""
    known = DEMO_RULES if store.is_demo else ShopRules()
    days, cancels = SETTINGS.return_days, SETTINGS.cancel_until_shipped
    return ShopRules(
        known.return_days if days is None else days,
        known.cancels_until_shipped if cancels is None else cancels,
    )


def trail_of(store: Store) -> AnyTrail:
    """Return the audit trail beside the store's data; none is kept of what is gone with the process."""
    return trail_on(store.engine) if store.waits else NoTrail()
