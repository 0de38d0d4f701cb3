"""Search: what is found first, in which languages, page by page, and what a change costs."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.contracts_synthetic import files_of_task, name_of
from contracts import search
from contracts.catalog import Catalog
from contracts.failures import CallFailed
from contracts.folders import files_of, task_folders
from contracts.reading import read_task
from contracts.search import Index, Kind
from contracts.task import Task
from tests.house.tree import ROOT


def shipped() -> Catalog:
    folders = task_folders(ROOT / "tasks")
    return Catalog(tuple(read_task(each.name, files_of(each)) for each in folders))


def synthetic(*numbers: int, changed: int | None = None) -> Catalog:
    tasks = [read_task(name_of(n), files_of_task(n, changed=n == changed)) for n in numbers]
    return Catalog(tuple(sorted(tasks, key=lambda task: task.name)))


@pytest.fixture(scope="module")
def index() -> Index:
    return Index.of(shipped())


@pytest.fixture(scope="module")
def ten() -> Index:
    return Index.of(synthetic(*range(10)))


def names(index: Index, query: str, kind: Kind | None = None) -> list[str]:
    return [hit.name for hit in index.search(query, kind).hits]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("hide a category", "categories_update"),
        ("rename a category", "categories_update"),
        ("delete category", "categories_delete"),
        ("find a category by word", "categories_search"),
        ("list the categories below one", "categories_children"),
        ("create category", "categories_create"),
        ("order by number", "orders_get"),
        ("احذف الفئة", "categories_delete"),
        ("إخفاء فئة", "categories_update"),
        ("أنشئ فئة", "categories_create"),
        ("скрыть категорию", "categories_update"),
        ("удали категорию", "categories_delete"),
        ("ocultar categoría", "categories_update"),
    ],
)
def test_the_function_that_is_meant_comes_first(index: Index, query: str, first: str):
    assert names(index, query, "function")[0] == first


def test_a_question_about_hidden_categories_finds_the_list_before_what_hides_them(index: Index):
    found = names(index, "which categories are hidden?", "function")
    assert found.index("categories_list") < found.index("categories_update")


@pytest.mark.parametrize("query", ["فئة", "الفئة", "فئات", "الفئات", "الفِئَات", "والفئات"])
def test_every_form_of_an_arabic_word_finds_the_same(index: Index, query: str):
    assert set(names(index, query, "function")) == set(names(index, "الفئات", "function")) != set()


@pytest.mark.parametrize("query", ["categories list", "categories_list", "categoriesList", "Category LISTS"])
def test_a_name_is_found_however_it_is_written(index: Index, query: str):
    assert names(index, query)[0] == "categories_list"


def test_singular_and_plural_find_the_same(ten: Index):
    assert names(ten, "coupon") == names(ten, "coupons")


def test_a_word_of_a_name_counts_for_more_than_one_of_a_text(ten: Index):
    assert names(ten, "brand")[0].startswith("brand_")


def test_a_rare_word_decides_over_a_common_one(ten: Index):
    common, rare = "list", "coupon"
    assert all("coupon" in name for name in names(ten, f"{common} {rare}")[:5])


def test_what_a_function_is_not_for_does_not_find_it(index: Index):
    """`categories_list` is not for categories below one: that is said in its `when_not` alone."""
    assert "categories_list" not in names(index, "below")


@pytest.mark.parametrize("query", ["zzzz", "???", "the of and", "\u202e", "\ud800", "*", "del*"])
def test_words_that_are_nowhere_find_nothing(index: Index, query: str):
    assert index.search(query).hits == ()


def test_an_empty_query_lists_everything_by_name(ten: Index):
    found = [hit.name for hit in ten.search(" ", size=1_000).hits]
    assert len(found) == 140
    assert found == sorted(found)


def test_a_hit_says_what_it_is(index: Index):
    hit = index.search("delete category", "function").hits[0]
    assert (hit.kind, hit.task, hit.effect) == ("function", "categories", "destructive")
    assert hit.summary == "Delete a category for good."
    assert {hit.effect for hit in index.search("category", "view").hits} == {""}


def test_filters_leave_out_every_other_kind_and_task(ten: Index):
    hits = ten.search("list", "prompt", name_of(0)).hits
    assert {(hit.kind, hit.task) for hit in hits} == {("prompt", name_of(0))}
    assert ten.search("list", task="unknown").hits == ()


def test_ties_stand_by_name(ten: Index):
    found = names(ten, "create", "function")
    best = [name for name in found if name.endswith("_create")]
    assert best == sorted(best) == found[: len(best)]


def test_the_pages_hold_every_hit_once_and_in_order(ten: Index):
    whole = names(ten, "shop")
    assert len(whole) == 50
    found: list[str] = []
    cursor: str | None = None
    for _ in range(100):
        page = ten.search("shop", cursor=cursor, size=7)
        found += [hit.name for hit in page.hits]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert found[:50] == whole
    assert len(set(found)) == len(found)


def test_a_cursor_of_another_query_filter_or_catalog_is_refused(ten: Index):
    cursor = ten.search("list", size=5).next_cursor
    assert cursor
    changed = Index.of(synthetic(*range(10), changed=3), before=ten)
    for wrong in (
        lambda: ten.search("create", cursor=cursor),
        lambda: ten.search("list", "prompt", cursor=cursor),
        lambda: ten.search("list", task=name_of(1), cursor=cursor),
        lambda: changed.search("list", cursor=cursor),
        lambda: ten.search("list", cursor=""),
        lambda: ten.search("list", cursor=cursor[:-4] + "AAAA"),
        lambda: ten.search("list", cursor="\u00e9"),
    ):
        with pytest.raises(CallFailed) as refused:
            wrong()
        assert refused.value.code == "bad_cursor"
    assert ten.search("list", cursor=cursor, size=5).hits


def test_a_cursor_is_not_readable_as_a_number(ten: Index):
    cursor = ten.search("list", size=5).next_cursor
    assert cursor and not re.search(r"\b5\b", cursor)


def test_after_a_change_the_index_answers_like_one_made_anew(ten: Index):
    catalog = synthetic(*range(1, 12), changed=3)
    fresh, built_on = Index.of(catalog), Index.of(catalog, before=ten)
    for query in ("", "keeps", "list coupon", "احذف", "archived", "shop"):
        assert fresh.search(query, size=500).hits == built_on.search(query, size=500).hits


def test_a_task_that_did_not_change_is_not_read_again(ten: Index, monkeypatch: pytest.MonkeyPatch):
    read: list[str] = []
    whole = search.part_of

    def counted(task: Task) -> search.Part:
        read.append(task.name)
        return whole(task)

    monkeypatch.setattr(search, "part_of", counted)
    Index.of(synthetic(*range(10), changed=3), before=ten)
    assert read == [name_of(3)]


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_no_query_breaks_the_search_and_every_hit_is_in_the_catalog(query: str):
    found = _INDEX.search(query, size=1_000).hits
    assert set(found) <= _ALL


_INDEX = Index.of(synthetic(0, 1))
_ALL = set(_INDEX.search("", size=1_000).hits)
