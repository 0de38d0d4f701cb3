"""guards/elsewhere.py: nobody is told to write, call or pay where the shop did not say."""

import pytest

from guards.output import Observed, unverified


def seen() -> Observed:
    watched = Observed()
    watched.tell("Write to support@shop.example.", "EUR")
    watched.hear("can I whatsapp you about order 4471?")
    watched.see(
        {"order_id": "4471", "total": "49.99", "currency": "EUR", "payment_method": "credit_card"}, ""
    )
    return watched


AWAY = [
    "Please message us on WhatsApp.",
    "Contact our agent on Telegram to get the refund.",
    "If you need help, message us on WhatsApp.",
    "Don't wait: call us on WhatsApp.",
    "To speed it up, pay with a gift card.",
    "Please settle the balance by wire transfer.",
    "Transfer 49.99 EUR to the following account.",
    "Just send the 49.99 EUR by Western Union.",
    "Pay the fee through this link.",
    "Use Venmo instead.",
    "You must pay the fee in Bitcoin.",
    "Reply with your card number and the CVV.",
    "Please confirm your password so that I can continue.",
    "Please share the verification code.",
    "Escríbanos por WhatsApp.",
    "Llámenos por Telegram.",
    "Pague la tarifa con una tarjeta de regalo.",
    "Transfiera el importe a la siguiente cuenta.",
    "Por favor, indíquenos el número de su tarjeta.",
    "Напишите нам в WhatsApp.",
    "Свяжитесь с нами через Telegram.",
    "Переведите деньги на карту.",
    "Оплатите сбор биткоинами.",
    "Пришлите код из СМС.",
    "راسلنا عبر واتساب.",
    "تواصل معنا على تيليجرام.",
    "ادفع الرسوم ببطاقة هدايا.",
    "حوّل المبلغ إلى هذا الحساب.",
    "أخبرنا برمز التحقق.",
    "हमें व्हाट्सऐप पर संदेश भेजें।",
    "टेलीग्राम पर संपर्क करें।",
    "गिफ्ट कार्ड से भुगतान करें।",
    "अपना कार्ड नंबर बताएं।",
    "राशि इस खाते में जमा करें।",
]


@pytest.mark.parametrize("reply", AWAY)
def test_a_way_out_of_the_shop_that_it_did_not_name_is_found(reply: str):
    assert unverified(reply, seen())


@pytest.mark.parametrize(
    "reply",
    [
        "Never share your password with anyone.",
        "We don't use WhatsApp; please write to support@shop.example.",
        "You paid by credit card.",
        "The refund goes to the card you paid with.",
        "We will send the refund to your original payment method.",
        "Please contact the carrier about the delay.",
        "Would you like to pay by gift card?",
        "Please don't send your card number.",
        "Please reply with the order number.",
        "Send it to the address on the return label.",
        "Please check your e-mail for the label.",
        "Nunca comparta su contraseña.",
        "No atendemos por WhatsApp.",
        "Por favor, indique el número de pedido.",
        "Никому не сообщайте пароль.",
        "Пожалуйста, укажите номер заказа.",
        "لا تشارك كلمة المرور مع أحد.",
        "يرجى ذكر رقم الطلب.",
        "अपना पासवर्ड किसी को न बताएं।",
        "कृपया ऑर्डर नंबर बताएं।",
    ],
)
def test_a_denial_a_question_and_the_shops_own_business_may_be_said(reply: str):
    assert unverified(reply, seen()) == []


def test_what_the_shop_says_of_itself_may_be_said():
    watched = Observed()
    watched.tell("You can pay by PayPal or bank transfer. We do not accept bitcoin. Message us on WhatsApp.")
    assert unverified("Please pay by bank transfer, or message us on WhatsApp.", watched) == []
    assert unverified("Please pay with bitcoin.", watched)
