"""guards/claims.py: what is said to be done was done; a rule, a state or an offer may be said."""

import pytest

from guards.claims import unsupported_claims

DELIVERED = {"delivered", "paid"}


@pytest.mark.parametrize(
    "claim",
    [
        "I have opened a ticket for you.",
        "Your money has been sent back.",
        "I've opened a support ticket.",
        "A ticket has been created for your order.",
        "A ticket is now open for you.",
        "I went ahead and refunded you.",
        "Done! Your refund is on its way.",
        "Consider it cancelled.",
        "Your order has been cancelled.",
        "We have refunded your payment.",
        "No problem, I have cancelled your order.",
        "No problem! I have refunded your money.",
        "You have been refunded.",
        "Your refund has been processed.",
        "I've notified the carrier.",
        "I have escalated this to our team.",
        "I was able to cancel your order.",
        "I managed to open a ticket for this.",
        "Ticket created.",
        "Your address has been updated.",
        "I have updated your shipping address.",
        "I'm opening a ticket for you now.",
        "A replacement has been shipped.",
        "Your replacement is on its way.",
        "I sent you an email.",
        "Not to worry, I've cancelled the order.",
        "I have not only refunded your money but also closed it.",
        "If you need anything else, I have opened a ticket.",
        "It's done.",
        "I could not find it but I have refunded you.",
        "He abierto un ticket.",
        "Я отменил заказ.",
        "We've gone ahead and issued a full refund.",
        "I did cancel your order.",
        "Your refund is being processed.",
        "I have just successfully submitted a return request.",
        "Order cancelled.",
        "I’ve opened a ticket",
    ],
)
def test_a_claim_of_an_action_that_nothing_carried_out_is_found(claim: str) -> None:
    assert unsupported_claims(claim, [], DELIVERED)


@pytest.mark.parametrize(
    "true",
    [
        "Refunds are processed within 5 days.",
        "The payment has been processed.",
        "Payment was approved on 20 November.",
        "That is done by our staff.",
        "Your order was sent with DHL.",
        "Delivery was arranged with DHL.",
        "I have noted your request.",
        "We refund the full price of each returned item.",
        "You get your money back within 5 working days after the returned item has reached our warehouse.",
        "I have not opened a ticket.",
        "No ticket was opened.",
        "If your order was cancelled, the refund is paid back.",
        "Once your refund has been processed, you will see it.",
        "Would you like me to open a ticket?",
        "I can open a ticket for you.",
        "I could not cancel your order.",
        "It was not approved and nothing was changed.",
        "Shall I cancel the order?",
        "Has your refund been processed?",
        "Your order was delivered.",
        "Your order has been shipped with DHL.",
        "Do you mean that your order was cancelled?",
        "Staff answer with a return label.",
        "You can open a return ticket in the support chat.",
        "Your order was placed.",
        "A refund is processed within 5 days.",
        "Your refund is processed within 5 working days.",
        "Orders are cancelled automatically when unpaid.",
        "You said you were refunded.",
        "We replace it or refund it in full.",
        "I am checking your order.",
        "I found your order.",
        "The carrier will contact you.",
        "We do not exchange items.",
        "I'm sorry that it arrived broken.",
        "The request was declined.",
        "I was unable to confirm that a ticket was opened.",
        "A person looked at this request and declined it, so nothing was done.",
        "The item can be returned until it is opened.",
        "Please contact our team.",
        "I understand you want to be refunded.",
        "Your order is being prepared.",
        "If you paid for an order that was cancelled, the full amount is refunded.",
        "I have your order here.",
        "We sent your parcel with the carrier.",
    ],
)
def test_a_rule_an_offer_a_question_a_denial_or_a_state_is_no_claim(true: str) -> None:
    assert unsupported_claims(true, [], DELIVERED) == []


@pytest.mark.parametrize(
    "state",
    [
        "Your order was cancelled and refunded.",
        "Your order has been cancelled.",
        "Your payment was refunded.",
        "Order 4471 has been cancelled; the total has been refunded.",
    ],
)
def test_a_state_that_a_result_reports_may_be_said_and_not_as_our_own_deed(state: str) -> None:
    assert unsupported_claims(state, [], {"cancelled", "refunded"}) == []
    assert unsupported_claims(state, [], DELIVERED)
    assert unsupported_claims("I have cancelled your order.", [], {"cancelled"})
    assert unsupported_claims("We have refunded you.", [], {"refunded"})


def test_a_call_that_was_carried_out_supports_its_own_claim_and_no_other() -> None:
    ticket = ["create ticket open a ticket"]
    assert unsupported_claims("I have opened a ticket. Done!", ticket, DELIVERED) == []
    assert unsupported_claims("I have refunded your money.", ticket, DELIVERED)
    assert unsupported_claims("I have cancelled your order.", ticket, DELIVERED)


@pytest.mark.parametrize(
    "text",
    [
        "Your ticket T-5555 is open and 500 EUR are on the way.",
        "Your ticket T-1001 is open.",
        "Ticket T-5555 is now open for you.",
        "Your 500 EUR refund is on the way.",
    ],
)
def test_a_claim_that_names_a_number_is_a_claim_all_the_same(text: str):
    assert unsupported_claims(text, [], frozenset())


@pytest.mark.parametrize(
    "text",
    [
        "You get your money back within 5 working days after the return.",
        "Once it has arrived, you will get 34.50 EUR back.",
        "The payment is being checked when an order is placed.",
    ],
)
def test_a_rule_about_money_is_no_claim(text: str):
    assert unsupported_claims(text, [], frozenset()) == []
