"""What the store costs in one database, in a process of its own: `python -m bench.at_scale URL ORDERS RUNS`.

Knows:    the four things a server asks of a store, and the clock.
Does not: make the database (synthetic.py), or compare (scale.py). Prints one JSON object.
"""

import json
import random
import resource
import statistics
import sys
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

from sqlalchemy import Engine, event

from bench.synthetic import ORDERS_A_CUSTOMER, customer_of, order_id
from store.database import Store, open_store
from store.library import library_of
from store.model import Reach
from store.tickets import Wanted

WARM_UP = 0.1
"""The part of the runs, the first of them, that does not count."""
_QUESTION = "how many days do I have to return something?"

Asked = Callable[[int], bool]
"""Does the thing for the order of a number; False where the answer is not what it must be."""


def _questions(store: Store) -> dict[str, Asked]:
    library = library_of(tuple(store.policies()))
    revision = store.policy_revision()

    def one(number: int) -> bool:
        return store.get_order(order_id(number), Reach(customer_of(number))) is not None

    def own(number: int) -> bool:
        return len(store.orders(Reach(customer_of(number)), 20)) == ORDERS_A_CUSTOMER

    def ticket(number: int) -> bool:
        wanted = Wanted("delivery", "The parcel is late.", order_id(number), customer_of(number))
        return store.open_ticket(wanted, limit=3).outcome == "created"

    def search(_: int) -> bool:
        return store.policy_revision() == revision and bool(library.search(_QUESTION).passages)

    return {
        "order by its id": one,
        "a customer's orders": own,
        "new ticket, disk apart": ticket,
        "policy search": search,
    }


def _do_not_wait_for_the_disk(engine: Engine) -> None:
    """Leave out what no index changes, and what a busy disk changes most."""
    setting = "PRAGMA synchronous=OFF" if engine.name == "sqlite" else "SET synchronous_commit=off"

    @event.listens_for(engine, "connect")
    def _(connection: Any, _: Any) -> None:
        connection.execute(setting)
        if engine.name != "sqlite":
            connection.commit()

    engine.dispose()


def _median_ms(asked: Asked, numbers: Sequence[int], what: str) -> float:
    times: list[float] = []
    for number in numbers:
        started = perf_counter()
        right = asked(number)
        times.append((perf_counter() - started) * 1000)
        if not right:
            raise RuntimeError(
                f"{what} gave no answer for order {order_id(number)}, so its time means nothing."
            )
    return statistics.median(times[int(len(times) * WARM_UP) :])


def main() -> None:
    """Measure each, on orders drawn by lot, none twice."""
    url, orders, runs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    store = open_store(url)
    _do_not_wait_for_the_disk(store.engine)
    lot = random.Random(orders)
    measured: dict[str, float] = {}
    for what, asked in _questions(store).items():
        measured[what] = _median_ms(asked, lot.sample(range(orders), runs), what)
    store.engine.dispose()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"ms": measured, "peak_mb": peak}))


if __name__ == "__main__":
    main()
