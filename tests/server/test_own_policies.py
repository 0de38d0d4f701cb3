"""A shop's own folder of Markdown: cut at headings, with anchors, whatever the files look like."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.anchors import Anchors, slug
from store.library import Library
from store.model import Policy
from store.policies import LONGEST_PASSAGE, PoliciesUnusable, every_policy, load_policies, sections

LONG = "This rule goes on and on, as rules do when a lawyer writes them. "


def cut(text: str, title: str = "Rules") -> list[tuple[str, str]]:
    return [(section.heading, section.text) for section in sections(Policy("rules", title, text))]


def test_every_level_of_heading_begins_a_section_that_knows_those_above():
    text = "# Rules\n\n## Returns\nYou may.\n\n### Shoes\nUnworn.\n\n###### Soles\nClean.\n\n## Pay\nNow.\n"
    found = sections(Policy("rules", "Rules", text))
    assert [(one.heading, one.above, one.text) for one in found] == [
        ("Returns", (), "You may."),
        ("Shoes", ("Returns",), "Unworn."),
        ("Soles", ("Returns", "Shoes"), "Clean."),
        ("Pay", (), "Now."),
    ]


def test_underlined_headings_begin_sections_too():
    assert cut("Rules\n=====\n\nReturns\n-------\nYou may.\n") == [("Returns", "You may.")]


def test_a_hash_in_a_code_fence_a_list_or_a_quotation_is_no_heading():
    text = "## Codes\nType:\n\n```\n# SPRING\n## SUMMER\n```\n\n> # Quoted\n\n- # listed\n"
    assert [heading for heading, _ in cut(text)] == ["Codes"]


def test_what_stands_before_the_first_heading_or_without_one_is_headed_by_the_title():
    assert cut("Be kind.\n\n## More\nReally.\n") == [("Rules", "Be kind."), ("More", "Really.")]
    assert cut("# Rules\nBe kind.\n") == [("Rules", "Be kind.")]
    assert cut("Be kind.") == [("Rules", "Be kind.")]


def test_the_items_of_a_list_and_the_rows_of_a_table_are_sentences_of_their_own():
    text = "## Costs\nBy country:\n- Germany\n- France\n\n| to | costs |\n|----|------:|\n| Spain | 9 EUR |\n"
    (section,) = sections(Policy("rules", "Rules", text))
    assert section.sentences == (
        "By country:", "- Germany", "- France", "Spain – costs: 9 EUR.",
    )  # fmt: skip
    assert section.text == " ".join(section.sentences)


def test_front_matter_is_no_text_and_may_hold_the_title(tmp_path: Path):
    write(tmp_path / "terms.md", "---\ntitle: 'Our terms'\ndate: 2026-01-01\n---\n## Who\nWe.\n")
    (policy,) = load_policies("en", tmp_path)
    assert policy.title == "Our terms"
    assert [one.text for one in sections(policy)] == ["We."]


def test_a_byte_order_mark_and_windows_line_ends_change_nothing(tmp_path: Path):
    write(tmp_path / "plain.md", "# Rules\n\n## Returns\nYou may.\n")
    (tmp_path / "windows.md").write_bytes(b"\xef\xbb\xbf# Rules\r\n\r\n## Returns\r\nYou may.\r\n")
    plain, windows = load_policies("en", tmp_path)
    assert (plain.title, plain.text) == (windows.title, windows.text)
    assert cut("# Rules\r\n\r\n## Returns\r\nYou may.\r\n") == [("Returns", "You may.")]


def test_a_long_section_is_cut_between_its_paragraphs_and_each_part_has_an_id_of_its_own():
    paragraphs = [f"Paragraph {number}. {LONG * 8}".strip() for number in range(6)]
    found = sections(Policy("rules", "Rules", "## Law\n" + "\n\n".join(paragraphs)))
    assert len(found) > 1
    assert " ".join(one.text for one in found) == " ".join(paragraphs)
    assert all(len(one.text) <= LONGEST_PASSAGE for one in found)
    assert all(one.text.startswith("Paragraph") for one in found)
    assert [one.id for one in found][:2] == ["rules#law", "rules#law.2"]
    assert {one.anchor for one in found} == {"law"}


def test_a_long_paragraph_is_cut_between_its_sentences():
    found = sections(Policy("rules", "Rules", "## Law\n" + LONG * 60))
    assert len(found) > 1
    assert all(len(one.text) <= LONGEST_PASSAGE for one in found)


@given(st.text(alphabet="# -=`\n|abc.>*1\r\t", max_size=200) | st.text(max_size=100))
def test_no_text_breaks_the_cutting_and_no_id_is_there_twice(text: str):
    found = sections(Policy("rules", "Rules", text))
    assert len({one.id for one in found}) == len(found)
    assert [one.place for one in found] == list(range(len(found)))
    assert all(one.text and one.heading.strip() == one.heading for one in found)


# ---------------------------------------------------------------- anchors


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("How long you have", "how-long-you-have"),
        ("What's *not* covered?", "whats-not-covered"),
        ("Returns & refunds", "returns--refunds"),
        ("Куда мы доставляем", "куда-мы-доставляем"),
        ("إلى أين نشحن", "إلى-أين-نشحن"),
        ("हम कहाँ भेजते हैं", "हम-कहाँ-भेजते-हैं"),
        ("?!", ""),
    ],
)
def test_an_anchor_is_made_as_a_viewer_of_markdown_makes_it(heading: str, anchor: str):
    assert slug(heading) == anchor


def test_no_anchor_is_given_twice_and_none_is_empty():
    anchors = Anchors()
    assert [anchors.of(each) for each in ("Costs", "Costs", "Costs 1", "Costs", "?")] == [
        "costs", "costs-1", "costs-1-1", "costs-2", "section",
    ]  # fmt: skip


def test_every_passage_of_the_demo_shop_has_an_id_of_its_own():
    ids = [section.id for policy in every_policy() for section in sections(policy)]
    assert len(set(ids)) == len(ids)
    assert {"returns#how-long-you-have", "es/shipping#a-dónde-enviamos"} <= set(ids)


# ---------------------------------------------------------------- folders


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_a_policy_is_called_like_its_file_and_a_folder_of_a_language_holds_translations(tmp_path: Path):
    write(tmp_path / "terms.md", "no heading at all")
    write(tmp_path / "shop" / "house-rules.markdown", "## A\nb\n")
    write(tmp_path / "es" / "terms.md", "# Condiciones\n## A\nb\n")
    write(tmp_path / "notes.txt", "not a policy")
    assert [(one.language, one.name, one.title) for one in every_policy(tmp_path)] == [
        ("en", "house-rules", "house rules"),
        ("en", "terms", "terms"),
        ("es", "terms", "Condiciones"),
    ]


def test_a_folder_that_cannot_be_used_says_why_and_what_to_do(tmp_path: Path):
    with pytest.raises(PoliciesUnusable, match="is not a folder"):
        every_policy(tmp_path / "nowhere")
    with pytest.raises(PoliciesUnusable, match="holds no policy"):
        every_policy(tmp_path)
    (tmp_path / "old.md").write_bytes("Rückgabe".encode("cp1252"))
    with pytest.raises(PoliciesUnusable, match=r"old\.md is not UTF-8 text \(byte 1\)"):
        every_policy(tmp_path)


def test_two_policies_of_one_name_are_refused(tmp_path: Path):
    write(tmp_path / "a" / "terms.md", "x")
    write(tmp_path / "b" / "terms.md", "y")
    with pytest.raises(PoliciesUnusable, match="Two policies are called 'terms'"):
        every_policy(tmp_path)


def test_a_shop_with_policies_of_its_own_is_searched_by_its_own_words():
    text = "# Boats\n\n## Hiring a kayak\nA kayak costs 12 EUR an hour. Bring towels.\n\n## Rain\nClosed.\n"
    library = Library([Policy("boats", "Boats", text)])
    found = library.search("how much is a kayak")
    assert [one.id for one in found.passages] == ["boats#hiring-a-kayak"]
    assert found.stated
    assert library.search("can I hire a canoe").unmatched == ("canoe",)


def test_sections_are_paired_with_a_translation_only_where_it_has_as_many():
    english = Policy("rules", "Rules", "## One\nFirst.\n\n## Two\nSecond.\n")
    same = Policy("rules", "Reglas", "## Uno\nPrimera.\n\n## Dos\nSegunda.\n", "es")
    other = Policy("rules", "Правила", "## Всё\nВместе.\n", "ru")
    library = Library([english, same, other])
    second = sections(english)[1]
    assert library.translated(second, "es").heading == "Dos"
    assert library.translated(second, "ru") == second
    assert library.translated(sections(other)[0], "es").heading == "Всё"


def test_a_policys_name_can_stand_in_an_address_whatever_its_file_is_called(tmp_path: Path):
    for name in ("Return Policy (EU).md", "Versand & Zölle.md", "!!!.md"):
        (tmp_path / name).write_text("# Title\n\n## Part\nText.\n", encoding="utf-8")
    assert {policy.name for policy in load_policies(folder=tmp_path)} == {
        "policy", "return-policy-eu", "versand--zölle",
    }  # fmt: skip
