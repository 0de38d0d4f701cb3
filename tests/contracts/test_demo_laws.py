"""Laws of the demo shop: pages hold each thing once, and no change breaks the tree.

Knows: the operations as functions, on shops of their own.
"""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from contracts.demo.operations import DOES, Asked
from contracts.demo.records import Shop, shops
from contracts.demo.refusing import Refusal

NUMBERS = st.sampled_from([1101, 1102, 1107, 1108, 1111, 1113, 1114, 7])


def asked(body: dict[str, Any] | None = None, **said: Any) -> Asked:
    return Asked({"page": 1, "per_page": 60, **said}, body or {}, "2026-11-30 12:00:00")


@given(
    size=st.integers(1, 60), kind=st.sampled_from(["Categories", "Products", "Orders", "Customers", "Pages"])
)
def test_pages_of_any_size_hold_each_thing_once(size: int, kind: str) -> None:
    shop = shops()["demo"]
    first = DOES[f"list{kind}"](shop, asked(per_page=size))
    assert first.pagination is not None
    count = first.pagination["totalPages"]
    pages = [DOES[f"list{kind}"](shop, asked(per_page=size, page=number)) for number in range(1, count + 2)]
    found = [each["id"] for page in pages for each in page.data]
    assert len(found) == len(set(found)) == first.pagination["total"]
    assert pages[-1].data == []


CHANGES = st.one_of(
    st.tuples(
        st.just("createCategory"),
        NUMBERS,
        st.fixed_dictionaries({"name": st.just("x"), "parent_id": NUMBERS}),
    ),
    st.tuples(st.just("updateCategory"), NUMBERS, st.fixed_dictionaries({"parent_id": NUMBERS})),
    st.tuples(st.just("deleteCategory"), NUMBERS, st.just({})),
)


@given(st.lists(CHANGES, max_size=12))
def test_whatever_is_changed_every_category_hangs_in_the_tree(
    changes: list[tuple[str, int, dict[str, Any]]],
) -> None:
    shop = shops()["demo"]
    for name, number, body in changes:
        before = dict(shop.categories)
        try:
            DOES[name](shop, asked(body, category_id=number))
        except Refusal:
            assert shop.categories == before
        assert all(_reaches_the_top(shop, each) for each in shop.categories)


def _reaches_the_top(shop: Shop, number: int) -> bool:
    for _ in range(len(shop.categories) + 1):
        if number == 0:
            return True
        if number not in shop.categories:
            return False
        number = shop.categories[number]["parent_id"]
    return False
