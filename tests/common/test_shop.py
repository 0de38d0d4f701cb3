"""common/shop.py: a shop speaks in its own words, and a mistake in its file is named with its line."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.language import LANGUAGES
from common.phrases import phrase
from common.settings import ROOT, BadSettings
from common.shop import BadShop, Shop, load_shop, read_shop, say
from tests.house.tree import read, syntax


@pytest.fixture
def written(tmp_path: Path):
    def write(text: str) -> Shop:
        file = tmp_path / "shop.yaml"
        file.write_text(text, encoding="utf-8")
        return read_shop(file)

    return write


def test_the_file_of_the_demo_shop_is_read():
    shop = read_shop(ROOT / "shop.yaml")
    assert (shop.name, shop.currency, shop.languages) == ("ShopKart", "EUR", LANGUAGES)
    assert set(Shop.model_fields) - {"greeting"} == set(shop.model_fields_set)
    assert all(shop.hours(language) != "" for language in LANGUAGES)


def test_an_empty_file_is_the_default_shop(written):
    assert written("# nothing yet\n") == Shop()


def test_no_file_under_the_default_name_is_the_default_shop_and_under_another_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr("common.shop.ROOT", tmp_path)
    load_shop.cache_clear()
    assert load_shop() == Shop()
    monkeypatch.setenv("SHOP_FILE", "mine.yaml")
    load_shop.cache_clear()
    with pytest.raises(BadShop, match=r"mine\.yaml cannot be used.*\n- it cannot be read: No such file"):
        load_shop()
    load_shop.cache_clear()


def test_the_sentences_carry_the_shops_own_words(written):
    shop = written("name: Tea House\nhand_off: +49 30 5550 1000\nopening_hours: 9:00 to 17:00.\n")
    assert shop.say("who", "en") == "I am the automatic assistant of Tea House, not a person."
    assert shop.say("hand_off", "es") == "El personal de la tienda puede ayudarle: +49 30 5550 1000."
    assert shop.say("hours", "en") == "Our staff can be reached: 9:00 to 17:00."
    assert shop.say("ask_detail", "en", detail="colour") == "Please tell me the colour."


def test_what_a_shop_does_not_say_is_not_made_up(written):
    shop = written("name: Tea House\n")
    assert shop.say("hand_off", "en") == phrase("hand_off_by_ticket", "en")
    assert shop.say("hours", "ru") == phrase("not_known", "ru")


def test_one_greeting_is_for_the_first_language_and_the_others_keep_theirs(written):
    shop = written("greeting: Hi, tea lovers!\n")
    assert shop.say("greeting", "en") == "Hi, tea lovers!"
    assert shop.say("greeting", "es") == phrase("greeting", "es", shop="ShopKart")
    shop = written("greeting: {es: ¡Buenas!}\n")
    assert [shop.say("greeting", one) for one in ("es", "en")] == [
        "¡Buenas!",
        phrase("greeting", "en", shop="ShopKart"),
    ]


def test_a_language_that_the_shop_does_not_answer_in_is_answered_in_its_first(written):
    shop = written("languages: [es, en]\n")
    assert shop.answers_in("ru") == shop.answers_in("fr") == "es"
    assert shop.say("thanks", "ru") == phrase("thanks", "es")
    assert shop.say("thanks", "en") == phrase("thanks", "en")


MISTAKES = {
    "name: a\ngreting: x\n": "line 2, greting: there is no such key; did you mean 'greeting'?",
    "colour: red\n": "line 1, colour: there is no such key; remove it. Known keys: name, currency",
    "currency: euro\n": "line 1, currency: 'euro': write three capital letters, as in EUR",
    "languages: [en, fr]\n": "line 1, languages: 'fr': write one of en, ar, es, hi, ru",
    "languages: en\n": "line 1, languages: 'en': write a list in square brackets",
    "languages: []\n": "line 1, languages: '[]': name at least 1",
    "languages: [en, en]\n": "names a language twice; name each once",
    f"\nname: {'a' * 61}\n": "line 2, name: 'aaa",
    'tone: "a\\u202eb"\n': r"line 1, tone: 'a\\u202eb': holds U+202E, which cannot be seen",
    'tone: "a\\nb"\n': "holds U+000A, which cannot be seen; write it as one line",
    "tone:\n": "line 1, tone: '': is empty; write a text or leave the key out",
    "greeting: [a]\n": "line 1, greeting: \"['a']\": write a text",
    "greeting: {fr: salut}\n": "line 1, greeting: 'fr': write one of en, ar, es, hi, ru",
    "rules: be nice\n": "line 1, rules: 'be nice': write a list",
    f"rules: [{', '.join('abcdefghijklm')}]\n": "write at most 12 of them",
    "name: a\nname: b\n": "line 2: 'name' stands on line 1 already; keep one of them",
    "greeting:\n  en: a\n  en: b\n": "line 3: 'en' stands on line 2 already",
    "name: [\n": "this is no YAML: ",
    "name: a: b\n": "line 1: this is no YAML: mapping values are not allowed here",
    "- name\n": "line 1: this is no mapping; write lines as in `name: My Shop`",
    "name: &a x\ntone: *a\n": "line 2: an alias (*name); write the value out",
    "name: " + "[" * 5_000: "this is no YAML: ",
    "name: \x07\n": "this is no YAML: ",
    "# " + "x" * 64_000: "it has more than 64000 bytes; shorten it",
}


@pytest.mark.parametrize(("text", "told"), MISTAKES.items(), ids=range(len(MISTAKES)))
def test_a_mistake_is_named_with_its_line_its_value_and_what_to_do(written, text: str, told: str):
    with pytest.raises(BadShop) as failed:
        written(text)
    assert told in str(failed.value)
    assert "shop.yaml cannot be used. Correct it and start again:" in str(failed.value)


def test_all_mistakes_are_told_at_once(written):
    with pytest.raises(BadShop) as failed:
        written("nam: a\ncurrency: e\ntone: ''\n")
    assert len(str(failed.value).splitlines()) == 4


def test_bytes_that_are_no_text_are_named(tmp_path: Path):
    file = tmp_path / "shop.yaml"
    file.write_bytes(b"name: \xff\n")
    with pytest.raises(BadShop, match="byte 7 is not UTF-8; save the file as UTF-8"):
        read_shop(file)


def test_a_bad_shop_stops_the_start_as_bad_settings_do():
    assert issubclass(BadShop, BadSettings)


@given(st.text(max_size=300) | st.text(st.sampled_from("name: tone[]{}&*!|>-'\"\n "), max_size=80))
def test_any_text_is_a_shop_or_a_bad_shop(tmp_path_factory: pytest.TempPathFactory, text: str):
    file = tmp_path_factory.getbasetemp() / "any.yaml"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        assert isinstance(read_shop(file), Shop)
    except BadShop as error:
        assert "\n- " in str(error)


def test_what_may_be_told_of_the_shop_is_one_text(written):
    shop = written("greeting: {en: Hi}\nopening_hours: 9-17\nrules: [Be kind.]\nhand_off: a@b.example\n")
    assert shop.facts().splitlines() == ["Hi", "9-17", "Be kind.", "a@b.example"]


def test_a_sentence_of_this_process_is_the_one_of_its_shop():
    assert say("goodbye", "hi") == load_shop().say("goodbye", "hi")


def _imports(path: Path) -> str:
    return "\n".join(line for line in read(path).splitlines() if "import" in line)


def test_no_gate_reads_the_shops_file():
    gates = [*(ROOT / "guards").glob("*.py"), ROOT / "agent/calls.py", ROOT / "common/approval.py"]
    assert [path.name for path in gates if "common.shop" in _imports(path)] == []
    assert all(syntax(path) for path in gates)


def test_the_readme_lists_the_keys_of_the_file():
    section = read(ROOT / "README.md").split("## The shop's voice", 1)[1].split("\n## ", 1)[0]
    listed = [line.split("`")[1] for line in section.splitlines() if line.startswith("| `")]
    assert [key for key in listed if key != "SHOP_FILE"] == list(Shop.model_fields)
