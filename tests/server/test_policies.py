"""The policies, and finding the one that answers."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client, MCPError
from mcp_types import TextContent, TextResourceContents

from common.stemming import legible, stem
from store.policies import load_policies, sections
from store.rules import DEMO_RULES
from store.search import PolicyIndex
from tests.server.shop import ask, data, said

pytestmark = pytest.mark.anyio

INDEX = PolicyIndex(load_policies())


@pytest.mark.parametrize(
    ("query", "heading"),
    [
        ("how many days do I have to return something?", "How long you have"),
        ("what is your return policy", "How long you have"),
        ("return window", "How long you have"),
        ("who pays for return shipping", "What a return costs"),
        ("can I return opened earbuds", "What cannot be returned"),
        ("my item arrived broken", "Items that arrive damaged"),
        ("can I exchange it for another size", "Exchanges"),
        ("how long does a refund take", "How long a refund takes"),
        ("when do I get my money back", "How long a refund takes"),
        ("which countries do you ship to", "Where we ship"),
        ("how long does delivery take", "How long delivery takes"),
        ("how much is express shipping", "Shipping costs"),
        ("my parcel is late", "Late or lost parcels"),
        ("change the delivery address", "Changing the address"),
        ("how long is the warranty", "How long the warranty lasts"),
        ("guarantee", "How long the warranty lasts"),
        ("does the warranty cover water damage", "What the warranty does not cover"),
        ("can I cancel my order", "Until when you can cancel an order"),
        ("cancel a shipped order", "Orders that are already shipped"),
        ("do you accept PayPal?", "Payment methods"),
        ("can I pay in instalments", "Paying in instalments"),
        ("do you sell my data", "Who sees your data"),
        ("delete my personal data", "Copy, correction and deletion"),
    ],
)
def test_a_customers_question_finds_its_section(query: str, heading: str):
    assert INDEX.search(query).passages[0].heading == heading


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("do you ship to Nepal?", ("Nepal",)),
        ("is there a loyalty program", ("loyalty", "program")),
        ("can I pay with bitcoin or dogecoin", ("bitcoin", "dogecoin")),
        ("Versand nach Österreich", ("Versand", "nach", "Österreich")),
        ("سياسة الإرجاع", ("سياسة", "الإرجاع")),
        ("whats ur retrun polcy", ()),
        ("what is it?", ()),
        ("returns, returned, returning", ()),
        ("12345 67890", ()),
    ],
)
def test_words_that_no_policy_has_are_named(query: str, words: tuple[str, ...]):
    assert INDEX.search(query).unmatched == words


async def test_a_country_that_is_not_mentioned_is_said_not_to_be(shop: Client):
    result = await ask(shop, "search_policy", query="do you ship to Nepal?")
    assert said(result).startswith('The shop\'s policies do not mention "Nepal". From the shipping policy')
    assert "We do not ship to any other country" in said(result)


async def test_a_question_beside_every_policy_finds_nothing_and_says_so(shop: Client):
    for query in ("loyalty program", "what is it?", "\u0648\u0644\u0627\u0621", "!!", "12345"):
        result = await ask(shop, "search_policy", query=query)
        assert data(result)["found"] is False
        assert data(result)["passages"] == []
        assert said(result).startswith("The shop's policies do not say anything about this")


async def test_a_passage_names_a_resource_that_holds_it(shop: Client):
    passages = data(await ask(shop, "search_policy", query="return an item"))["passages"]
    assert 1 <= len(passages) <= 3
    for passage in passages:
        (content,) = (await shop.read_resource(passage["uri"])).contents
        assert isinstance(content, TextResourceContents)
        assert passage["section"] in content.text
        assert passage["text"] in " ".join(content.text.split())


@given(st.text(max_size=200))
def test_no_text_breaks_the_search(query: str):
    found = INDEX.search(query)
    assert len(found.passages) <= 3
    assert all(word in legible(query) for word in found.unmatched)


@given(st.text(max_size=30))
def test_a_stem_never_breaks_and_is_never_longer(word: str):
    assert len(stem(word)) <= len(word)


@pytest.mark.parametrize(
    "forms",
    [
        "return returns returned returning returnable",
        "deliver delivers delivered delivery deliveries",
        "ship ships shipped shipping shipment shipments",
        "cancel cancels cancelled cancelling cancellation",
        "pay pays paying payment payments",
        "time times",
        "size sizes",
        "delete deleted deletion",
        "address addresses",
    ],
)
def test_the_forms_of_a_word_share_a_stem(forms: str):
    assert len({stem(form) for form in forms.split()}) == 1


# ---------------------------------------------------------------- the texts themselves


def test_the_seven_policies_are_there_and_have_sections():
    policies = load_policies()
    assert [policy.name for policy in policies] == [
        "cancellation",
        "payment",
        "privacy",
        "refunds",
        "returns",
        "shipping",
        "warranty",
    ]
    for policy in policies:
        assert len(sections(policy)) >= 3
        assert all(section.heading and section.text for section in sections(policy))


def test_the_policies_and_the_rules_name_the_same_window():
    (returns,) = [policy for policy in load_policies() if policy.name == "returns"]
    window = sections(returns)[0].text
    assert set(re.findall(r"(\d+) days", window)) == {str(DEMO_RULES.return_days)}
    assert "counted from the day of delivery" in window


def test_no_policy_names_an_address_a_number_or_a_link_to_write_to():
    for policy in load_policies():
        assert not re.search(r"@|https?:|www\.|\+\d|\d{6,}", policy.text), policy.name


# ---------------------------------------------------------------- resources and the prompt


async def test_an_unknown_policy_is_a_protocol_error(shop: Client):
    with pytest.raises(MCPError):
        await shop.read_resource("policy://nothing")


async def test_no_path_leads_out_of_the_policies(shop: Client):
    for uri in ("policy://../server.py", "policy://returns/../../server.py", "file:///etc/passwd"):
        with pytest.raises(MCPError):
            await shop.read_resource(uri)


async def test_the_prompt_carries_the_question(shop: Client):
    got = await shop.get_prompt("support-reply", {"question": "Where is my parcel?"})
    (message,) = got.messages
    assert isinstance(message.content, TextContent)
    assert message.content.text.endswith("The customer writes: Where is my parcel?")
