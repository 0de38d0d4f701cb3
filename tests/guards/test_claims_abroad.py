"""guards/claims.py in Arabic, Hindi, Russian and Spanish: what is said to be done was done."""

import pytest

from common.language import LANGUAGES
from common.phrases import catalogue
from guards.claim_forms import ABROAD
from guards.claims import unsupported_claims

DELIVERED = {"delivered", "paid"}
TICKET = ["create ticket open a ticket"]

FALSE = [
    # Spanish
    "He abierto un ticket.",
    "He abierto un ticket para su pedido 4468.",
    "Le he abierto una incidencia.",
    "Hemos creado una solicitud de devolución.",
    "Ya he registrado su reclamación.",
    "Se ha abierto un ticket para usted.",
    "Se abrió un ticket.",
    "Acabo de abrir un ticket.",
    "Estoy abriendo un ticket para usted.",
    "Su ticket ha sido creado.",
    "Ticket creado.",
    "¡Listo! Su ticket ya está abierto.",
    "Le he reembolsado el importe.",
    "He procesado su reembolso.",
    "Su dinero ha sido devuelto.",
    "El reembolso está en camino.",
    "Se ha emitido un reembolso de su pedido.",
    "He cancelado su pedido.",
    "Su pedido ha sido cancelado.",
    "Su pedido fue cancelado.",
    "Pude cancelar su pedido.",
    "Le he enviado un producto nuevo como reemplazo.",
    "Su reemplazo va en camino.",
    "He actualizado su dirección.",
    "Se ha cambiado la dirección de entrega.",
    "He avisado al equipo.",
    "Hemos informado al almacén.",
    "Le he enviado un correo de confirmación.",
    "No se preocupe, he cancelado su pedido.",
    "No encontré nada, pero he abierto un ticket.",
    "¡Hecho!",
    "Ya está hecho.",
    "Hemos tramitado la devolución del dinero.",
    "Le hemos mandado una lámpara nueva.",
    "Su solicitud ha sido enviada al departamento correspondiente.",
    "He enviado su caso a nuestro equipo.",
    # Russian
    "Я открыл заявку.",
    "Я открыла для вас заявку по заказу 4468.",
    "Мы создали тикет.",
    "Заявка создана.",
    "Заявка уже открыта.",
    "Ваша заявка T-1001 зарегистрирована.",
    "Создана заявка на возврат.",
    "Открываю для вас заявку.",
    "Мне удалось открыть заявку.",
    "Заявку уже оформили.",
    "Деньги возвращены.",
    "Мы вернули вам деньги.",
    "Возврат оформлен.",
    "Ваш возврат одобрен.",
    "Я оформил возврат средств.",
    "Я отменил заказ.",
    "Ваш заказ отменён.",
    "Мы его отменили.",
    "Замена отправлена.",
    "Мы выслали вам новый товар.",
    "Я изменила адрес доставки.",
    "Адрес обновлён.",
    "Я сообщил об этом команде.",
    "Ваш вопрос передан специалистам.",
    "Я отправил вам письмо.",
    "Не волнуйтесь, я отменил заказ.",
    "Готово!",
    "Всё сделано.",
    "Не удалось найти трек-номер, но я открыл заявку.",
    "Ваше обращение принято.",
    "Заказ был отменён по вашей просьбе.",
    "Мы заменили товар.",
    "Возврат инициирован.",
    # Arabic
    "لقد فتحت تذكرة لك.",
    "تم فتح تذكرة.",
    "تم فتح تذكرة دعم لطلبك 4468.",
    "لقد تم إنشاء تذكرة.",
    "قمت بفتح تذكرة.",
    "فتحنا لك تذكرة.",
    "تذكرتك مفتوحة الآن.",
    "وتم تسجيل شكواك.",
    "تم رد المبلغ.",
    "تم استرداد أموالك.",
    "تمت إعادة المبلغ إليك.",
    "أعدنا لك المبلغ.",
    "تم إلغاء طلبك.",
    "لقد ألغيت الطلب.",
    "قمنا بإلغاء طلبك.",
    "طلبك ملغى.",
    "تم الإلغاء.",
    "أرسلنا لك منتجًا بديلًا.",
    "تم تحديث العنوان.",
    "غيّرت عنوان التوصيل.",
    "أبلغت الفريق بذلك.",
    "تم تحويل طلبك إلى القسم المختص.",
    "أرسلت لك رسالة تأكيد.",
    "تم!",
    "لا تقلق، تم إلغاء طلبك.",
    # Hindi
    "मैंने टिकट खोल दिया है।",
    "टिकट खोल दिया गया है।",
    "टिकट खोल दिया।",
    "आपके ऑर्डर 4468 के लिए टिकट खोला गया है।",
    "टिकट बना दिया है।",
    "आपकी शिकायत दर्ज कर ली गई है।",
    "शिकायत दर्ज हो गई है।",
    "टिकट T-1001 खुला है।",
    "मैं आपके लिए टिकट खोल रहा हूँ।",
    "आपका रिफ़ंड कर दिया गया है।",
    "रिफंड हो गया है।",
    "आपके पैसे वापस कर दिए गए हैं।",
    "राशि लौटा दी गई है।",
    "आपका ऑर्डर रद्द कर दिया गया है।",
    "हमने ऑर्डर रद्द कर दिया है।",
    "आपका ऑर्डर रद्द हो गया।",
    "नया सामान भेज दिया गया है।",
    "आपका पता बदल दिया गया है।",
    "पता अपडेट कर दिया है।",
    "मैंने टीम को बता दिया है।",
    "आपका मामला विभाग को भेज दिया गया है।",
    "आपको ईमेल भेज दिया गया है।",
    "आपका टिकट बन गया है।",
    "टिकट नंबर T-1001 जनरेट हो गया है।",
    "नई लैंप भेज दी गई है।",
    "हो गया!",
    "चिंता न करें, ऑर्डर रद्द कर दिया गया है।",
]


@pytest.mark.parametrize("claim", FALSE)
def test_a_claim_of_an_action_that_nothing_carried_out_is_found(claim: str) -> None:
    assert unsupported_claims(claim, [], DELIVERED)


TRUE = [
    # Spanish
    "No he abierto ningún ticket.",
    "¿Quiere que abra un ticket?",
    "Puedo abrir un ticket para usted.",
    "¿Se ha procesado su reembolso?",
    "Si su pedido fue cancelado, se le devuelve el importe.",
    "Los reembolsos se procesan en 5 días.",
    "Reembolsamos el precio completo de cada artículo devuelto.",
    "Su pedido ha sido enviado con DHL.",
    "Su pedido fue entregado el 14 de septiembre.",
    "El pago se ha realizado.",
    "Abra un ticket de devolución en el chat.",
    "No se pudo cancelar su pedido.",
    "Su pedido se está preparando.",
    "Una vez que se haya abierto el ticket, el personal responde.",
    "El transportista le avisará.",
    "La solicitud fue rechazada, así que no se ha cambiado nada.",
    "Un pedido enviado no se puede cancelar.",
    "Lamento que haya llegado dañado.",
    "He encontrado su pedido.",
    # Russian
    "Я не открывал заявку.",
    "Открыть заявку?",
    "Я могу открыть заявку.",
    "Если заказ отменён, деньги возвращаются.",
    "Возврат оформляется в течение 5 дней.",
    "Деньги будут возвращены в течение 5 дней.",
    "Мы возвращаем полную стоимость каждого товара.",
    "Ваш заказ отправлен с DHL.",
    "Заказ передан перевозчику DHL.",
    "Заказ доставлен.",
    "Заказ оплачен.",
    "Откройте заявку на возврат в чате.",
    "Отправленный заказ нельзя отменить.",
    "Заявка не была открыта.",
    "Возврат оформлен?",
    "Запрос отклонён, поэтому ничего не изменено.",
    "Заказ готовится к отправке.",
    "Вы открыли заявку?",
    "Возвращённый товар должен быть в упаковке.",
    # Arabic
    "لم أفتح أي تذكرة.",
    "هل تريد أن أفتح تذكرة؟",
    "يمكنني فتح تذكرة لك.",
    "هل تم إلغاء طلبك؟",
    "إذا تم إلغاء الطلب، يعاد المبلغ.",
    "سيتم رد المبلغ خلال 5 أيام.",
    "يتم رد المبلغ خلال 5 أيام عمل.",
    "تم شحن طلبك مع DHL.",
    "تم توصيل طلبك.",
    "تم تسليم الطلب إلى شركة الشحن.",
    "تم دفع المبلغ الإجمالي.",
    "لا يمكن إلغاء الطلب بعد شحنه.",
    "افتح تذكرة إرجاع في محادثة الدعم.",
    "رُفض الطلب، لذلك لم يتغير شيء.",
    "لم يتم إلغاء طلبك.",
    "طلبك قيد التحضير.",
    # Hindi
    "कोई टिकट नहीं खोला गया।",
    "क्या आप चाहते हैं कि टिकट खोला जाए?",
    "टिकट खोला जा सकता है।",
    "अगर ऑर्डर रद्द हो गया है, तो पैसे वापस मिलते हैं।",
    "रिफंड 5 दिनों में किया जाता है।",
    "रिफंड 5 दिनों में हो जाएगा।",
    "आपका ऑर्डर DHL से भेज दिया गया है।",
    "आपका ऑर्डर डिलीवर हो गया है।",
    "कुल राशि 49.99 EUR का भुगतान हो चुका है।",
    "भेजा गया ऑर्डर रद्द नहीं किया जा सकता।",
    "सहायता चैट में टिकट खोलें।",
    "अनुरोध अस्वीकार कर दिया गया, इसलिए कुछ नहीं बदला गया।",
    "ऑर्डर तैयार किया जा रहा है।",
    "क्या रिफंड हो गया है?",
    "मुझे आपका ऑर्डर मिल गया है।",
]


@pytest.mark.parametrize("true", TRUE)
def test_a_rule_an_offer_a_question_a_denial_or_a_state_is_no_claim(true: str) -> None:
    assert unsupported_claims(true, [], DELIVERED) == []


@pytest.mark.parametrize(
    ("state", "deed"),
    [
        ("Su pedido ha sido cancelado.", "He cancelado su pedido."),
        ("Ваш заказ отменён.", "Я отменил заказ."),
        ("تم إلغاء طلبك.", "قمت بإلغاء طلبك."),
        ("आपका ऑर्डर रद्द कर दिया गया है।", "हमने आपका ऑर्डर रद्द कर दिया है।"),
    ],
)
def test_a_state_that_a_result_reports_may_be_said_and_not_as_our_own_deed(state: str, deed: str):
    assert unsupported_claims(state, [], {"cancelled"}) == []
    assert unsupported_claims(deed, [], {"cancelled"})


@pytest.mark.parametrize(
    "text",
    [
        "He abierto un ticket. ¡Listo!",
        "Заявка открыта. Готово!",
        "تم فتح تذكرة. تم!",
        "टिकट खोल दिया गया है। हो गया!",
    ],
)
def test_a_call_that_was_carried_out_supports_its_own_claim(text: str) -> None:
    assert unsupported_claims(text, TICKET, DELIVERED) == []


@pytest.mark.parametrize(
    "text",
    ["He cancelado su pedido.", "Деньги возвращены.", "تم إلغاء طلبك.", "आपका ऑर्डर रद्द कर दिया गया है।"],
)
def test_a_call_that_was_carried_out_supports_no_other_claim(text: str) -> None:
    assert unsupported_claims(text, TICKET, DELIVERED)


@pytest.mark.parametrize(
    "text",
    [
        "Заявка T-1001 («доставка») по заказу 4471 (1 x «Wireless Earbuds», 1 x «Charger») открыта.",
        'Ticket T-1001 ("delivery") for order 4471 (1 x "Wireless Earbuds", 1 x "Charger") has been opened.',
        "Er ist da (I have opened a ticket).",
        "Всё хорошо (я открыл заявку).",
    ],
)
def test_a_claim_is_found_around_an_aside_and_inside_one(text: str) -> None:
    assert unsupported_claims(text, [], DELIVERED)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_fixed_sentence_claims_an_action(language: str) -> None:
    claiming = {
        key: found
        for key, sentence in catalogue(language).items()
        if (found := unsupported_claims(sentence, [], frozenset()))
    }
    assert claiming == {}


def test_every_language_knows_the_same_kinds_of_action() -> None:
    kinds = [{*forms.deeds, *forms.reports} for forms in ABROAD]
    assert all(each == kinds[0] for each in kinds)


@pytest.mark.parametrize(
    "piece", ["he abierto ", "заявка ", "تم فتح ", "टिकट ", "se ha ", "я открыл ", "ال", "रिफंड कर "]
)
def test_a_long_hostile_text_takes_bounded_work(piece: str) -> None:
    text = (piece * 6_000)[:6_000]
    assert isinstance(unsupported_claims(text, [], frozenset()), list)
