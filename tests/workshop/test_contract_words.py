"""Which operations a sentence asks for: by words alone, and never one of what the API does not have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.demo.described import document
from workshop.contract_operations import matched, nearest, operations_of
from workshop.contract_words import clauses_of, stem

OPERATIONS = operations_of(document())
WORDS = {word for each in OPERATIONS for word in each.weights}


def first(sentence: str) -> list[str]:
    """Return the best operation for each thing that is asked for."""
    return [choice.among[0].name for choice in matched(clauses_of(sentence), OPERATIONS).choices]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("for listing the customers", ["listCustomers"]),
        ("to look up a customer by name", ["listCustomers"]),
        ("to look up a client by number", ["getCustomer"]),
        ("for one customer", ["getCustomer"]),
        ("for listing the hidden categories", ["listCategories"]),
        ("for finding categories by a part of their name", ["searchCategories"]),
        ("for the categories directly below one", ["listCategoryChildren"]),
        ("for the subcategories of a category", ["listCategoryChildren"]),
        ("for showing the products of a category", ["listCategoryProducts"]),
        ("for products that are sold out", ["listProducts"]),
        ("for products in stock", ["listProducts"]),
        ("for orders of last week", ["listOrders"]),
        ("for reading the history of an order", ["listOrderHistories"]),
        ("for what happened to an order", ["listOrderHistories"]),
        ("for the statuses that an order can have", ["listOrderStatuses"]),
        ("that sets the status of an order", ["updateOrderStatus"]),
        ("to hide a category", ["updateCategory"]),
        ("for renaming categories", ["updateCategory"]),
        ("for adding a new category", ["createCategory"]),
        ("for creating and deleting categories", ["createCategory", "deleteCategory"]),
        ("for listing and searching categories", ["listCategories", "searchCategories"]),
        ("for orders and customers", ["listOrders", "listCustomers"]),
        ("for the shop's pages of text", ["listPages"]),
        ("for managing categories", [
            "listCategories", "createCategory", "getCategory", "updateCategory", "deleteCategory",
        ]),
    ],
)  # fmt: skip
def test_a_sentence_finds_what_it_asks_for(asked: str, found: list[str]):
    assert first(f"make a contract {asked}") == found


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Сделай контракт для просмотра списка клиентов", ["listCustomers"]),
        ("сделай контракт, чтобы изменить статус заказа", ["updateOrderStatus"]),
        ("Создай контракт для удаления категории", ["deleteCategory"]),
        ("Напиши контракт для истории заказа", ["listOrderHistories"]),
        ("Please make me a customers contract", ["listCustomers"]),
        ("make a contract: list the pages!", ["listPages"]),
    ],
)
def test_other_forms_of_a_sentence_find_it_too(sentence: str, found: list[str]):
    assert first(sentence) == found


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ("for listing the coupons that are active", "nothing about 'coupons'"),
        ("for refunds", "nothing about 'refunds'"),
        ("for the reviews of a product", "nothing about 'reviews'"),
        ("for order invoices", "nothing about 'invoices'"),
        ("for refunding orders", "nothing for 'refunding'"),
        ("that cancels orders", "nothing for 'cancels'"),
        ("to ship an order", "nothing for 'ship'"),
        ("for deleting a customer", "nothing by which it is deleted"),
        ("for creating orders", "nothing by which one is made"),
        ("for changing a product", "nothing by which it is changed"),
        ("for weather forecasts", "nothing about 'forecasts'"),
        ("для возврата", "nothing about 'возврата'"),
        ("", "does not say what the contract is for"),
        ("for it", "does not say what the contract is"),
    ],
)
def test_what_the_api_does_not_have_is_told_in_the_sentences_word(asked: str, reason: str):
    match = matched(clauses_of(f"make a contract {asked}"), OPERATIONS)
    assert match.choices == ()
    assert reason in " ".join(match.missing)


@pytest.mark.parametrize(("one", "other"), [("categories", "category"), ("statuses", "status"),
    ("histories", "history"), ("listing", "list"), ("changed", "change"), ("setting", "set"),
    ("prices", "price"), ("clients", "customer"), ("address", "addresses")])  # fmt: skip
def test_words_of_one_meaning_have_one_stem(one: str, other: str):
    assert stem(one) == stem(other)


@given(
    st.text(alphabet="bcdfghjklmnpqrtvwxz", min_size=4, max_size=12).filter(
        lambda word: stem(word) not in WORDS
    )
)
def test_a_thing_that_the_api_has_no_word_for_is_never_found(noun: str):
    for asked in (f"listing {noun}", f"the {noun} of an order", f"deleting a category {noun}", f"{noun}s"):
        assert matched(clauses_of(f"make a contract for {asked}"), OPERATIONS).choices == ()


@given(st.text(max_size=200))
def test_any_text_is_read_and_whatever_is_found_has_the_word_for_the_thing(text: str):
    clauses = clauses_of(f"make a contract {text}")
    for choice in matched(clauses, OPERATIONS).choices:
        assert all(choice.clause.about in each.weights for each in choice.among)
    assert 0 < len(nearest(clauses, OPERATIONS)) <= 5


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["paths", "/a", "get", "post", "parameters", "schema", "$ref", "enum", "properties"]),
        inner, max_size=4), max_leaves=20))  # fmt: skip
def test_a_description_of_any_form_is_read_without_an_error(value: object):
    assert operations_of(
        {"paths": {"/a": {"get": value, "post": {"responses": value, "parameters": [value]}}}}
    )


def test_a_reference_to_itself_is_followed_to_an_end():
    schema = {"properties": {"inner": {"$ref": "#/components/schemas/A"}}}
    described = {
        "components": {"schemas": {"A": schema}},
        "paths": {"/a": {"get": {"summary": "x", "responses": {"200": {"$ref": "#/components/schemas/A"}}}}},
    }
    assert "inner" in operations_of(described)[0].weights
