"""Folder names out of titles."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workshop.naming import DEVICES, LONGEST, folder_name, free_name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Reminder bot", "reminder-bot"),
        ("Бот напоминаний", "bot-napominaniy"),
        ("Щёлкающий юнга, объезд и ёж", "shchyolkayushchiy-yunga-obezd-i-yozh"),
        ("Їжак і ґанок", "yizhak-i-ganok"),
        ("Crème brûlée à la façon d'Émile", "creme-brulee-a-la-facon-demile"),
        ("Straße nach Łódź", "strasse-nach-lodz"),
        ("../../etc/passwd", "etc-passwd"),
        ("CON", "project-con"),
        ("nul.txt", "nul-txt"),
        ("COM1", "project-com1"),
        ("Ｆｕｌｌ ｗｉｄｔｈ", "full-width"),
        ("a" * 200, "a" * LONGEST),
        ("...", folder_name("...")),
    ],
)
def test_a_title_is_spelled_in_plain_letters(title: str, name: str):
    assert folder_name(title) == name


@pytest.mark.parametrize(("one", "other"), [("計算機", "日程表"), ("حاسبة", "تقويم"), ("Todo 計", "Todo 程")])
def test_titles_in_other_scripts_are_told_apart_and_stay_the_same(one: str, other: str):
    assert folder_name(one) == folder_name(one) != folder_name(other)


@given(st.text())
def test_every_name_is_safe_on_every_system_and_its_own_name(title: str):
    name = folder_name(title)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert len(name) <= LONGEST
    assert name not in DEVICES
    assert folder_name(name) == name


@given(st.text(max_size=60), st.integers(min_value=0, max_value=30))
def test_a_taken_name_gets_the_next_number_and_never_a_taken_one(title: str, rounds: int):
    taken: set[str] = set()
    for _ in range(rounds):
        name = free_name(folder_name(title), taken)
        assert name not in taken
        assert len(name) <= LONGEST
        taken.add(name)


def test_taken_names_count_whatever_their_case():
    assert free_name("shop", {"Shop", "SHOP-2"}) == "shop-3"
