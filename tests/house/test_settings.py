"""Settings: the classes, .env and the README name the same keys, and .env holds nothing to hide."""

import ast
import importlib
import re
from pathlib import Path
from typing import Any

import pytest
from dotenv import dotenv_values
from pydantic import AliasChoices, SecretStr

from common.settings import Settings
from tests.house.tree import ROOT, is_test, python_files, read, shown, syntax

ENV = ROOT / ".env"


def _names_a_settings_base(node: ast.AST) -> bool:
    return isinstance(node, ast.ClassDef) and any(
        ast.unparse(base).split(".")[-1] == "Settings" for base in node.bases
    )


def settings_classes() -> list[type[Settings]]:
    """Find every room's class by its syntax, and import only the modules that hold one."""
    found: list[type[Settings]] = []
    for path in python_files():
        names = [node.name for node in ast.walk(syntax(path)) if _names_a_settings_base(node)]  # type: ignore[attr-defined]
        if names and not is_test(path):
            module = importlib.import_module(shown(path).removesuffix(".py").replace("/", "."))
            found += [getattr(module, name) for name in names]
    return found


def keys_of(kind: type[Settings]) -> set[str]:
    keys: set[str] = set()
    for name, field in kind.model_fields.items():
        alias = field.validation_alias
        names = alias.choices if isinstance(alias, AliasChoices) else [alias or name]
        keys |= {str(each).upper() for each in names}
    return keys


CLASSES = settings_classes()


def every_key() -> set[str]:
    return set().union(*map(keys_of, CLASSES))


def readme_keys() -> set[str]:
    """The first cells of the README's tables that hold a setting's name."""
    return set(re.findall(r"^\|\s*`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`\s*\|", read(ROOT / "README.md"), re.M))


def test_env_lists_exactly_the_settings_that_the_rooms_declare():
    assert set(dotenv_values(ENV)) == every_key()


def test_the_readme_lists_exactly_the_settings_that_the_rooms_declare():
    assert readme_keys() == every_key()


def test_each_setting_belongs_to_one_room():
    owners = [(key, kind.__name__) for kind in CLASSES for key in keys_of(kind)]
    keys = [key for key, _ in owners]
    assert sorted(keys) == sorted(set(keys)), sorted(owners)


def test_each_setting_in_env_has_a_comment_above_it():
    lines = read(ENV).splitlines()
    pairs = zip(["", *lines], lines, strict=False)
    assert [line for above, line in pairs if re.match(r"[A-Z]", line) and not above.startswith("#")] == []


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_env_says_what_holds_without_it(kind: type[Settings], monkeypatch: pytest.MonkeyPatch):
    for key in every_key():
        monkeypatch.delenv(key, raising=False)
    without = _values(kind, None)
    assert _values(kind, ENV) == without


def _values(kind: type[Settings], env_file: Path | None) -> dict[str, Any]:
    return kind(_env_file=env_file).model_dump()  # type: ignore[call-arg]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_env_holds_no_secret(kind: type[Settings]):
    values = _values(kind, ENV).values()
    assert [value for value in values if isinstance(value, SecretStr) and value.get_secret_value()] == []
