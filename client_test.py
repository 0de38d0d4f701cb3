"""What server.py promises, tried from outside: only the SDK's client, only over stdio.

Knows:    the gates, and the demo shop's orders by number, as a customer would.
Does not: import any code of the server, or need a model. What it shows and answers: tests/client_answers.py.
Run:      python client_test.py   one line a check; exit 1 when one fails. pytest collects it as one test.
"""

import re
import sys
import tempfile
from collections.abc import Callable
from typing import Any, TextIO, cast

import anyio
from mcp import Client, MCPError

from tests.checks import Check, Checks
from tests.client_answers import ANSWERS
from tests.promises import run_by_hand, tried
from tests.shop_client import (
    CUSTOMER,
    DRY_RUN,
    NOBODY,
    STAFF,
    call,
    data,
    raw_call,
    refusal,
    said,
    serve,
    structured,
    ticket,
)

LIMIT_S = 30

PERSONAL = re.compile(r"[\w.+-]+@[\w-]+\.\w+|\+\d{2}[ \d]{6,}|\b\d{4,5} [A-Z][a-z]+\b|C-\d{4}")
"""An e-mail, a phone number, a post code with its town, a customer's id."""

CHECKS = Checks()
check_as = CHECKS.tried_as
check = check_as(CUSTOMER)


# ---------------------------------------------------------------- gate 1 and 2: whitelist, parse


@check
async def unknown_tool(shop: Client) -> None:
    """Gate 1: a tool that is not there is refused, and its name is not repeated."""
    told = refusal(await call(shop, "refund_everything", order_id="4471"), "unknown_tool")
    assert "refund_everything" not in str(told)
    assert "get_order_status" in told["next"]


@check
async def not_an_object(shop: Client) -> None:
    """Gate 2: arguments that are not an object never reach a tool."""
    assert not (await raw_call(shop, {"order_id": "4471"})).is_error
    for arguments in ("4471", ["4471"], 4471):
        try:
            await raw_call(shop, arguments)
        except MCPError as error:
            assert error.code == -32602, error.code
        else:
            raise AssertionError(f"a {type(arguments).__name__} was taken")


# ---------------------------------------------------------------- gate 3: validation


@check
async def order_ids(shop: Client) -> None:
    """Gate 3: an order id must be 1 to 12 ASCII digits, whole."""
    wrong = [
        "",
        "44a71",
        "4471\n",
        " 4471",
        "#4471",
        "1234567890123",
        "-1",
        "4471.0",
        "\u0664\u0664\u0667\u0661",
        "\uff14\uff14\uff17\uff11",
        "4471\x00",
    ]
    for order_id in wrong:
        told = refusal(await call(shop, "get_order_status", order_id=order_id), "invalid_arguments")
        assert "order_id" in told["message"]


@check
async def strict(shop: Client) -> None:
    """Gate 3: nothing is coerced, nothing missing is filled in, nothing unknown is dropped."""
    bad: list[dict[str, Any]] = [
        {"order_id": 4471}, {"order_id": True}, {"order_id": ["4471"]}, {"order_id": None}, {},
        {"order_id": "4471", "customer_id": "C-1002"},
    ]  # fmt: skip
    for arguments in bad:
        refusal(await call(shop, "get_order_status", **arguments), "invalid_arguments")


@check
async def no_echo(shop: Client) -> None:
    """Gate 3: a rejected value is never repeated."""
    value = "hunter2-4929-1234"
    for arguments in ({"order_id": value}, {"order_id": "4471", value: value}):
        assert value not in str(await shop.call_tool("get_order_status", arguments))
    assert value not in str(
        await call(shop, "create_ticket", order_id="4471", category=value, summary=f"{value}\x00")
    )


@check
async def limits(shop: Client) -> None:
    """Gate 3: a category is one of five, a summary has 5 to 300 characters, a query 2 to 200."""
    for category, summary in (("complaint", "It is late."), ("other", "late"), ("other", "x" * 301)):
        result = await call(shop, "create_ticket", order_id="4471", category=category, summary=summary)
        refusal(result, "invalid_arguments")
    for query in ("x", "x" * 201):
        refusal(await call(shop, "search_policy", query=query), "invalid_arguments")


@check
async def invisible(shop: Client) -> None:
    """Gate 3: control and invisible characters are refused by name."""
    for char, name in (("\u202e", "U+202E"), ("\u200b", "U+200B"), ("\n", "U+000A"), ("\x1b", "U+001B")):
        told = refusal(await call(shop, "search_policy", query=f"return{char}policy"), "invalid_arguments")
        assert name in told["message"]


# ---------------------------------------------------------------- gate 5: preconditions


@check
async def unknown_order(shop: Client) -> None:
    """Gate 5: an unknown order is refused."""
    refusal(await call(shop, "get_order_status", order_id="999999"), "unknown_order")
    refusal(await ticket(shop, "999999", "other"), "unknown_order")


@check
async def foreign_order(shop: Client) -> None:
    """Gate 5: another customer's order and no order at all get the same answer."""
    rest = {"category": "other", "summary": "Please look into this."}
    for tool, others in (("get_order_status", dict[str, str]()), ("create_ticket", rest)):
        foreign = await shop.call_tool(tool, {"order_id": "4480", **others})
        missing = await shop.call_tool(tool, {"order_id": "9980", **others})
        assert str(foreign).replace("4480", "9980") == str(missing)


@check
async def wrong_state(shop: Client) -> None:
    """Gate 5: a category that does not fit the order's state is refused."""
    unfit = {"4468": ["delivery"], "4471": ["return", "damaged", "refund"], "4473": ["refund"],
             "4460": ["delivery", "return", "damaged"], "4462": ["return", "refund"]}  # fmt: skip
    for order_id, categories in unfit.items():
        for category in categories:
            refusal(await ticket(shop, order_id, category), "wrong_state")


@check
async def window(shop: Client) -> None:
    """Gate 5: a return is refused after its last day, and accepted on it."""
    refusal(await ticket(shop, "4459", "return"), "outside_return_window")
    assert data(await ticket(shop, "4470", "return", DRY_RUN))["status"] == "not_opened"


@check
async def refunds(shop: Client) -> None:
    """Gate 5: a refund is refused for what was never paid or is refunded already."""
    refusal(await ticket(shop, "4463", "refund"), "nothing_to_refund")
    refusal(await ticket(shop, "4461", "refund"), "nothing_to_refund")
    assert data(await ticket(shop, "4460", "refund", DRY_RUN))["dry_run"] is True


@check
async def too_many(shop: Client) -> None:
    """Gate 5: a fourth open ticket is refused; an open one is still returned."""
    opened = [data(await ticket(shop, "4459", category)) for category in ("damaged", "refund", "other")]
    assert [each["created"] for each in opened] == [True, True, True]
    first = [data(await ticket(shop, "4470", category)) for category in ("return", "refund", "damaged")]
    refusal(await ticket(shop, "4470", "other"), "too_many_tickets")
    refusal(await ticket(shop, "4470", "other", DRY_RUN), "too_many_tickets")
    again = data(await ticket(shop, "4470", "return"))
    assert (again["ticket_id"], again["created"]) == (first[0]["ticket_id"], False)


@check
async def four_sentences(shop: Client) -> None:
    """Gate 5: unknown order, wrong state, too many tickets and invalid input are four sentences."""
    results = [
        await ticket(shop, "999999", "other"),
        await ticket(shop, "4468", "delivery"),
        await ticket(shop, "4470", "other"),
        await ticket(shop, "44 70", "other"),
    ]
    told = [structured(result) for result in results]
    for part in ("error", "message", "next"):
        assert len({each[part] for each in told}) == 4, part


# ---------------------------------------------------------------- gate 7: execute, once


@check
async def idempotent(shop: Client) -> None:
    """Gate 7: a ticket is opened once; the same request again returns it."""
    first, second = [data(await ticket(shop, "4468", "damaged")) for _ in range(2)]
    assert re.fullmatch(r"T-[0-9]+", first["ticket_id"])
    assert (first["created"], second["created"]) == (True, False)
    assert first["ticket_id"] == second["ticket_id"]


@check
async def dry_run(shop: Client) -> None:
    """Gate 7: a dry run checks, says the effect, and changes nothing."""
    tried = await ticket(shop, "4472", "delivery", DRY_RUN)
    assert data(tried)["ticket_id"] is None
    assert data(tried)["dry_run"] is True
    assert said(tried).startswith("Opens a 'delivery' ticket for order 4472")
    refusal(await ticket(shop, "4472", "return", DRY_RUN), "wrong_state")
    assert data(await ticket(shop, "4472", "delivery"))["created"] is True


# ---------------------------------------------------------------- who sees what


@check_as(STAFF)
async def staff(shop: Client) -> None:
    """Identity: staff see every order."""
    for order_id in ("4471", "4475", "4480", "4487"):
        assert data(await call(shop, "get_order_status", order_id=order_id))["order_id"] == order_id


@check_as(NOBODY)
async def nobody(shop: Client) -> None:
    """Identity: a guest sees no order, and may search the rules."""
    for order_id in ("4471", "4468", "4480"):
        refusal(await call(shop, "get_order_status", order_id=order_id), "not_signed_in")
        refusal(await ticket(shop, order_id, "other"), "not_signed_in")
    refusal(await call(shop, "list_my_orders"), "not_signed_in")
    assert data(await call(shop, "search_policy", query="how long can I return something"))["found"]


@check
async def mine(shop: Client) -> None:
    """Identity: a customer's list holds their own orders, and what it names can be looked up."""
    listed = [each["order_id"] for each in data(await call(shop, "list_my_orders"))["orders"]]
    assert "4475" not in listed
    assert len(listed) == 10
    for order_id in listed:
        assert data(await call(shop, "get_order_status", order_id=order_id))["order_id"] == order_id


@check
async def own_ticket(shop: Client) -> None:
    """Identity: a ticket can be looked up by its number; one of nobody's cannot."""
    opened = data(await ticket(shop, "4463", "other"))["ticket_id"]
    assert data(await call(shop, "get_ticket", ticket_id=opened))["status"] == "open"
    refusal(await call(shop, "get_ticket", ticket_id="T-999999"), "unknown_ticket")
    refusal(await call(shop, "get_ticket", ticket_id="1001"), "invalid_arguments")


async def no_leak(shop: Client) -> None:
    """Leak: no e-mail, phone, address or customer's id in any answer, whoever asks for whatever."""
    answers = [
        str(await call(shop, "get_order_status", order_id=str(number))) for number in range(4455, 4495)
    ]
    answers += [str(await ticket(shop, str(number), "other")) for number in range(4455, 4495)]
    for query in ("customer e-mail address", "phone number of the customer", "street", "who ordered 4480"):
        answers.append(str(await call(shop, "search_policy", query=query)))
    for answer in answers:
        found = PERSONAL.search(answer)
        assert found is None, "something personal in an answer"


check(no_leak)
check_as(STAFF)(no_leak)


# ---------------------------------------------------------------- running them


async def try_all(report: Callable[[str], None]) -> list[str]:
    """Run every check on both protocol eras and return the failed ones."""
    failed: list[str] = []
    with tempfile.TemporaryFile("w+", encoding="utf-8") as file, anyio.fail_after(LIMIT_S):
        log = cast(TextIO, file)
        for era in ("auto", "legacy"):
            for session in (CUSTOMER, STAFF, NOBODY):
                async with serve(session, era, log) as shop:
                    for each in (each for each in (*ANSWERS, *CHECKS) if each.session is session):
                        failed += await _try(each, shop, era, report)
        log.seek(0)
        if found := PERSONAL.search(log.read()):
            failed.append("log")
            report(f"FAIL log: personal data of the form {found[0][:3]}... on stderr")
    return failed


async def _try(each: Check, shop: Client, era: str, report: Callable[[str], None]) -> list[str]:
    return await tried(f"{each.promise} ({era})", each.run(shop), report)


def test_the_server_keeps_every_promise() -> None:
    """Let pytest run the same checks."""
    assert anyio.run(try_all, print) == []


if __name__ == "__main__":
    sys.exit(run_by_hand(try_all))
