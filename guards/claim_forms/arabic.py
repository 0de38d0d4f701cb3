"""How an action is claimed in Arabic: فتحت تذكرة, تم فتح تذكرة.

Knows:    verbs, what they are done to, and the words that make a clause a denial or a condition.
Does not: know what was carried out.   (guards/claims.py)
"""

from guards.any_deed import ARABIC as ANY_DEED
from guards.claim_shape import NEAR, START, Forms, any_form, gathered


def _arabic(names: str, verbs: str, objects: str, states: str = "") -> tuple[str, str]:
    """names: of the deed, as after تم. verbs: I did, we did. states: as in "the ticket is open"."""
    names, verbs = names.replace(" ", "|").replace("_", r"\s"), verbs.replace(" ", "|").replace("_", r"\s")
    thing = rf"(?<!\w)(?:ال|لل|ب|ل|و)?(?:{objects})"
    deed = rf"(?:ال)?(?:{names})(?:ها|ه|ك)?(?!\w)"
    quickly = r"(?:(?:بنجاح|بالفعل|الان|للتو|ايضا)\s){0,2}"
    deeds = [
        rf"(?<!\w)[وف]?(?:قمت|قمنا|قام|قامت|اقوم|نقوم)\s(?:\w+\s){{0,2}}?ب{deed}{NEAR}{thing}",
        rf"(?<!\w)[وف]?(?:{verbs})(?:ها|ه|ك|لك)?(?!\w){NEAR}{thing}",
        rf"(?<!\w)(?:تمكنت|تمكنا)\sمن\s{deed}{NEAR}{thing}",
    ]
    reports = [
        rf"(?<!\w)[وف]?(?:تم|تمت|جري|جرت)\s{quickly}{deed}{NEAR}{thing}",
        rf"{thing}\w{{0,4}}[^.!?;،؟]{{0,30}}?(?<!\w)[وف]?(?:تم|تمت)\s{quickly}{deed}",
    ]
    if states:
        # "the order is cancelled", not "a cancelled order"
        known = rf"(?<!\w)و?(?:ال(?:{objects})\w{{0,2}}|(?:{objects})\w{{0,2}}ك)"
        reports.append(rf"{known}\s(?:\S+\s){{0,2}}?(?:{states})(?!\w)")
    return "|".join(deeds), "|".join(reports)


_AR = {
    "ticket": _arabic(
        "فتح انشاء تسجيل تقديم رفع ارسال",
        "فتحت فتحنا انشات انشانا سجلت سجلنا قدمت قدمنا رفعت رفعنا",
        r"تذكر|تذاكر|شكوي|شكوا|بلاغ|طلب (?:دعم|ارجاع|استرداد|استرجاع)",
        states="مفتوحه|مفتوح|مسجله",
    ),
    "refund": _arabic(
        "رد اعاده استرداد استرجاع تحويل صرف اصدار",
        "رددت رددنا اعدت اعدنا حولت حولنا صرفت صرفنا",
        "مبلغ|مبالغ|مال|اموال|نقود|ثمن|قيمه|مستحقات",
    ),
    "cancel": _arabic(
        "الغاء ايقاف",
        "الغيت الغينا اوقفت اوقفنا",
        "طلب|شراء|شحن|توصيل|اشتراك",
        states="ملغي|ملغاه",
    ),
    "replace": _arabic(
        "ارسال ترتيب جدوله حجز تجهيز",
        "ارسلت ارسلنا رتبت رتبنا جدولت حجزت حجزنا",
        r"بديل|استبدال|ملصق|(?:منتج|مصباح) جديد|مندوب",
    ),
    "record": _arabic(
        "تحديث تغيير تعديل تصحيح حذف",
        "حدثت حدثنا غيرت غيرنا عدلت عدلنا صححت حذفت حذفنا",
        r"عنوان|طلبك|حساب|بيانات|ملفك|طريقه الدفع",
    ),
    "told": _arabic(
        "ابلاغ اخطار اعلام احاله تصعيد تحويل التواصل_مع مراسله",
        "ابلغت ابلغنا اخطرت اخطرنا اعلمت احلت احلنا صعدت صعدنا تواصلت_مع تواصلنا_مع",
        r"فريق|قسم|زميل|زملا|مختص|مدير|مستودع|ناقل|بائع|موظف|شركه الشحن",
    ),
    "message": _arabic("ارسال", "ارسلت ارسلنا", r"بريد(?:ا)? الكتروني|البريد الالكتروني|رساله|ايميل|تاكيد"),
}

ARABIC = Forms(
    any_form(r"[\u0621-\u064a]"),
    gathered(_AR, 0, other=ANY_DEED),
    gathered(
        _AR,
        1,
        refund=r"(?<!\w)(?:تم|جري)\sالاسترداد|استرداد(?:ك|\sالمبلغ)?\s(?:الان\s)?قيد\s(?:التنفيذ|المعالجه)",
        cancel=r"(?<!\w)(?:تم|جري)\sالالغاء|(?<!\w)الغي\sطلب",
        request=rf"{START}تم(?:\sذلك|\sالامر)?(?=\s?[!.])|(?<!\w)(?:انتهي|اكتمل)\sالامر"
        r"|(?<!\w)(?:تم|تمت)\s(?:تنفيذ|انجاز|تلبيه)\s(?:طلبك|ذلك)",
    ),
    any_form(r"(?<!\w)[وف]?(?:لم|لن|لا|ليس|ليست|لست|لسنا|ما|بدون|دون|غير|تعذر)(?!\w)"),
    any_form(r"(?<!\w)[وف]?(?:اذا|لو|عندما|حين|حينما|بعد|قبل|حتي|هل|متي|بمجرد|كلما|في\sحال|ان\sكنت)(?!\w)"),
    any_form(r"(?<!\w)(?:لكن|ولكن|لذلك|و)(?!\w)"),
)
