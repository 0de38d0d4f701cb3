"""The page that teaches partners: the task on it is good, and its commands and outputs are the real ones."""

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from contracts.__main__ import COMMANDS, main
from contracts.commands.validate import command as validate
from contracts.contract import Function
from contracts.reading import read_task
from tests.house.markdown import fences
from tests.house.tree import ROOT

PAGE = (ROOT / "docs" / "contracts.md").read_text("utf-8")
FILES: dict[str, bytes] = dict(
    zip(
        ("task.yaml", "functions.yaml"),
        (fence.text.encode() for fence in fences(PAGE) if fence.language == "yaml"),
        strict=True,
    )
)


@pytest.fixture
def products(tmp_path: Path) -> Path:
    for name, data in FILES.items():
        (tmp_path / "products").mkdir(exist_ok=True)
        (tmp_path / "products" / name).write_bytes(data)
    return tmp_path / "products"


def test_the_task_on_the_page_is_good_and_the_command_prints_what_the_page_says(products: Path):
    assert [each.name for each in read_task("products", FILES).functions] == ["products_list", "products_get"]
    ran = CliRunner().invoke(validate, [str(products)])
    assert f"$ python -m contracts validate tasks/products\n{ran.output}" in PAGE


def test_pinning_it_prints_what_the_page_says(products: Path, tmp_path: Path):
    place = ["--tasks", str(tmp_path / "tasks"), "--registry", str(tmp_path / "registry")]
    shutil.copytree(ROOT / "tasks", tmp_path / "tasks")
    CliRunner().invoke(main, ["build", *place])
    shutil.copytree(products, tmp_path / "tasks" / "products")
    assert f"$ python -m contracts build\n{CliRunner().invoke(main, ['build', *place]).output}" in PAGE


def test_the_problem_on_the_page_is_told_as_the_page_says(products: Path):
    functions = products / "functions.yaml"
    functions.write_bytes(functions.read_bytes().replace(b"summary:", b"sumary:", 1))
    ran = CliRunner().invoke(validate, [str(products)])
    told = re.sub(r":\d+:", ":3:", ran.stderr.splitlines()[-1])
    assert (ran.exit_code, told in PAGE) == (1, True)


def test_the_page_names_every_command_and_every_field_of_a_function():
    assert [name for name in COMMANDS if f"python -m contracts {name}" not in PAGE] == []
    fields = [each.alias or name for name, each in Function.model_fields.items()]
    assert [name for name in fields if f"`{name}" not in PAGE and name != "upstream"] == []


def test_the_commands_on_the_page_have_the_options_that_it_gives_them():
    for line in re.findall(r"^(?:\$ )?python -m contracts (\S.*)$", PAGE, re.M):
        words = line.split("#")[0].split()
        helped = CliRunner().invoke(
            main, [words[0], *(["openapi"] if words[0] == "import" else []), "--help"]
        )
        assert helped.exit_code == 0, line
        for option in (word for word in words if word.startswith("--")):
            assert option in helped.output, line
