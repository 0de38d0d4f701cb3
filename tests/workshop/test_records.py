"""The four logs."""

import json
import logging
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from workshop.events import Began
from workshop.records import Records

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=timezone(timedelta(hours=3)))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def records(tmp_path: Path) -> Records:
    return Records(tmp_path / "logs", now=lambda: NOON)


def test_each_kind_of_fact_has_its_log_and_each_line_its_time(records: Records):
    records.event(Began("bot", "/somewhere/bot"))
    records.invalid_answer("analyst", "привет", ["there is no JSON object"])
    records.file("bot", "main.py", "written")
    records.file("bot", "../x", "refused: it leads elsewhere")
    records.tests("bot", "not_collected", 0)
    at = {"at": "2026-11-30T12:00:00.000+03:00"}
    assert lines(records.folder / "core-2026-11-30.log") == [
        {**at, "event": "Began", "name": "bot", "folder": "/somewhere/bot"}
    ]
    assert lines(records.folder / "invalid_answers.log") == [
        {**at, "agent": "analyst", "problems": ["there is no JSON object"], "length": 6, "text": "привет"}
    ]
    assert [(line["path"], line["outcome"], line["why"]) for line in lines(records.folder / "files.log")] == [
        ("main.py", "written", ""),
        ("../x", "refused", "it leads elsewhere"),
    ]
    assert lines(records.folder / "tests.log") == [
        {**at, "project": "bot", "status": "not_collected", "tests": 0}
    ]


def test_a_new_day_begins_a_new_core_log(tmp_path: Path):
    days = iter([NOON, NOON, NOON + timedelta(days=1), NOON + timedelta(days=1)])
    records = Records(tmp_path, now=lambda: next(days))
    records.core(fact=1)
    records.core(fact=2)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["core-2026-11-30.log", "core-2026-12-01.log"]


def test_secrets_and_addresses_are_not_kept_even_across_the_cut(records: Records):
    key = "sk-" + "a1B2c3D4e5F6g7H8i9J0k1L2"
    records.invalid_answer("analyst", f"{'x ' * 1990}{key} and jo@example.com", [f"has {key}"])
    text = (records.folder / "invalid_answers.log").read_text("utf-8")
    assert key[:16] not in text
    assert "jo@example.com" not in text


def test_a_log_that_has_grown_is_put_aside_once(tmp_path: Path):
    records = Records(tmp_path, now=lambda: NOON, largest=300)
    for number in range(20):
        records.tests("bot", "passed", number)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["tests.log", "tests.log.1"]
    assert all(each.stat().st_size <= 300 for each in tmp_path.iterdir())
    assert lines(tmp_path / "tests.log")[-1]["tests"] == 19


def test_a_log_that_cannot_be_written_is_told_once_and_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    blocked = tmp_path / "logs"
    blocked.write_text("a file where the folder has to be", "utf-8")
    records = Records(blocked, now=lambda: NOON)
    with caplog.at_level(logging.WARNING):
        records.core(fact=1)
        records.tests("bot", "passed", 1)
    assert [record.message for record in caplog.records] == ["a log cannot be written; the work goes on"]
    blocked.unlink()
    records.core(fact=2)
    assert lines(blocked / "core-2026-11-30.log")[0]["fact"] == 2


def test_lines_of_two_writers_are_whole(tmp_path: Path):
    first, second = Records(tmp_path, now=lambda: NOON), Records(tmp_path, now=lambda: NOON)
    for number in range(50):
        first.tests("a", "passed", number)
        second.tests("b", "passed", number)
    assert len(lines(tmp_path / "tests.log")) == 100


def test_odd_values_still_make_a_line_of_json(records: Records):
    deep: dict[str, Any] = {}
    for _ in range(50):
        deep = {"in": deep}
    records.core(nan=float("nan"), lone="\ud800", path=Path("a"), deep=deep, line="a\nb")
    (line,) = lines(records.folder / "core-2026-11-30.log")
    assert (line["nan"], line["lone"], line["path"], line["line"]) == ("nan", "?", "a", "a\nb")
