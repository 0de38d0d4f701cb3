"""The documents are true: what they name exists, what they show runs.

A block marked ```python runs as it stands, from the root, in a process of its own. One marked
```python no-run needs something that a test does not have (a model): it is compiled and its imports work.
"""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from dotenv import dotenv_values

from tests.house.markdown import Fence, anchors, commands, fences, links, spans
from tests.house.tree import ROOT, documents, read, shown, text_files

PAGES = documents()
SNIPPET_SECONDS = 60
"""Enough for a snippet that starts a server on a slow machine; a bound, not a promise."""

_PATH = re.compile(r"[\w.][\w./-]*(?:\.(?:py|md|txt|toml|ya?ml|jsonl?)|/)")
_CONSTANT = re.compile(r"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=.*)?")


def blocks(*languages: str) -> list[object]:
    return [
        pytest.param(fence, id=f"{shown(page)}:{fence.line}")
        for page in PAGES
        for fence in fences(read(page))
        if fence.language in languages
    ]


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", read(ROOT / "Makefile"), re.M))


def unknown_commands(page: str) -> Iterator[str]:
    """Yield what a page tells people to run that is not there."""
    for command in commands(page):
        for target in re.findall(r"(?:^|[|&;]\s*)make(?:\s+-\w+)*\s+([a-z]+)", command):
            if target not in make_targets():
                yield f"make {target}"
        for script in re.findall(r"\bpython3?\s+([\w/.-]+\.py)\b", command):
            if not (ROOT / script).is_file():
                yield f"python {script}"
        for module in re.findall(r"\bpython3?\s+-m\s+([\w.]+)", command):
            if not _is_module(module):
                yield f"python -m {module}"


def _is_module(name: str) -> bool:
    ours = ROOT / name.replace(".", "/")
    return (
        (ours / "__main__.py").is_file()
        or ours.with_suffix(".py").is_file()
        or name in {"pytest", "pip", "venv"}
    )


def untrue(check: Callable[[Path], Iterable[str]]) -> dict[str, list[str]]:
    """Return, page by page, what a check finds; pages without a finding are left out."""
    found = {shown(page): list(check(page)) for page in PAGES}
    return {page: names for page, names in found.items() if names}


def test_every_command_that_a_page_names_exists():
    assert untrue(lambda page: unknown_commands(read(page))) == {}


def missing_files(page: Path) -> list[str]:
    named = [span for span in spans(read(page)) if _PATH.fullmatch(span) and not span.startswith("var/")]
    return [name for name in named if not any((base / name).exists() for base in (ROOT, page.parent))]


def test_every_file_that_a_page_names_exists():
    assert untrue(missing_files) == {}


def unknown_names(page: Path) -> list[str]:
    """Return the settings and constants that neither .env nor any code of ours knows."""
    named = {match[1] for span in spans(read(page)) if (match := _CONSTANT.fullmatch(span))}
    code = [read(path) for path in text_files() if path.suffix == ".py" or path.name == "Makefile"]
    known = {*dotenv_values(ROOT / ".env"), "NO_COLOR", "FORCE_COLOR"}
    return [name for name in sorted(named - known) if not any(name in text for text in code)]


def test_every_setting_and_constant_that_a_page_names_exists():
    assert untrue(unknown_names) == {}


def lost_links(page: Path) -> Iterator[str]:
    for link in links(read(page)):
        if re.match(r"[a-z][a-z0-9+.-]*:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path) if path else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(read(target))):
            yield link


def test_every_relative_link_leads_somewhere():
    assert untrue(lost_links) == {}


def _run(source: str) -> subprocess.CompletedProcess[str]:
    """Run Python text from the root, with `await` allowed at its top, as the docs show it."""
    runner = (
        "import ast, inspect, sys, anyio\n"
        "code = compile(sys.stdin.read(), 'snippet', 'exec', ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)\n"
        "async def main():\n"
        "    result = eval(code, {'__name__': '__main__'})\n"
        "    if inspect.isawaitable(result):\n"
        "        await result\n"
        "anyio.run(main) if code.co_flags & inspect.CO_COROUTINE else eval(code, {'__name__': '__main__'})\n"
    )
    command = [sys.executable, "-c", runner]
    return subprocess.run(
        command,
        input=source,
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=SNIPPET_SECONDS,
        check=False,
    )


def _only_imports(source: str) -> str:
    tree = ast.parse(source)
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    return "\n".join(ast.unparse(node) for node in found)


@pytest.mark.parametrize("fence", blocks("python", "py"))
def test_a_python_snippet_runs(fence: Fence):
    ran = _run(_only_imports(fence.text) if "no-run" in fence.words else fence.text)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("fence", blocks("json"))
def test_a_json_snippet_parses(fence: Fence):
    json.loads(fence.text)


def test_a_page_that_lies_is_caught():
    page = "Run `make nothing`, `python nowhere.py`.\n\n```sh\npython -m nosuch\nmake test && make nix\n```\n"
    assert sorted(unknown_commands(page)) == [
        "make nix",
        "make nothing",
        "python -m nosuch",
        "python nowhere.py",
    ]
    assert _run("import nosuch").returncode == 1
    assert _run("import anyio\nawait anyio.lowlevel.checkpoint()\n").returncode == 0
