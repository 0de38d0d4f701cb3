"""docs/limits.md: its tables name every limit there is a setting for, with the value that holds."""

import importlib
import re
from typing import Any

import pytest
from dotenv import dotenv_values

from agent.settings import AgentSettings
from bridge.settings import BridgeSettings
from journal.entry import REASONS
from serving.http_settings import HttpSettings
from serving.settings import ServingSettings
from tests.house.tree import ROOT, read

PAGE = read(ROOT / "docs/limits.md")
ROWS = re.findall(r"^\| ([^|]+) \| `([^`]+)` \| (\d+) \| ([^|]+) \|$", PAGE, re.M)
NUMBERS = (int, float)


def settings_that_bound() -> set[str]:
    """Return every setting of these rooms that is a number."""
    return {
        name.upper()
        for kind in (AgentSettings, BridgeSettings, HttpSettings, ServingSettings)
        for name, field in kind.model_fields.items()
        if field.annotation in NUMBERS
    }


def constant(name: str) -> Any:
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def test_every_row_of_the_tables_is_read():
    assert len(ROWS) == PAGE.count("\n| ") - 3  # the three first lines of the tables


def test_each_setting_that_is_a_limit_has_a_row():
    named = {name for _, name, _, _ in ROWS if name.isupper()}
    assert named == settings_that_bound()


@pytest.mark.parametrize(("name", "value"), [(name, value) for _, name, value, _ in ROWS])
def test_the_value_is_the_one_that_holds(name: str, value: str):
    held: Any = dotenv_values(ROOT / ".env")[name] if name.isupper() else constant(name)
    assert float(held) == float(value)


def test_each_word_of_the_agents_table_is_one_that_the_trail_knows():
    part = PAGE[PAGE.index("## A conversation") : PAGE.index("## A server")]
    words = set(re.findall(r"\(`([a-z_]+)`\)", part))
    assert len(words) > 5
    assert words <= REASONS
