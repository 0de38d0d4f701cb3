"""python -m model setup: installs and fetches what is missing, and nothing else."""

from collections.abc import Callable
from pathlib import Path

import anyio
import pytest
from click.testing import CliRunner

from model import __main__ as command
from model.errors import EngineFailed, NoSpace

pytestmark = pytest.mark.anyio


class Done:
    def __init__(self, returncode: int) -> None:
        self.returncode = returncode


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_PROVIDER", "embedded")


@pytest.fixture
def pip(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], list[list[str]]]:
    """Let pip end with a code; the list says how it was called."""

    def ends_with(code: int) -> list[list[str]]:
        called: list[list[str]] = []

        async def run(arguments: list[str], **_: object) -> Done:
            called.append(arguments)
            return Done(code)

        monkeypatch.setattr(anyio, "run_process", run)
        return called

    return ends_with


async def ready(name: str, progress: Callable[[str, int, int], None]) -> Path:
    for done in (0, 5, 5, 10):
        progress("from somewhere", done, 10)
    return Path("m.gguf")


async def test_a_missing_engine_is_installed_by_its_hashes(
    embedded: None, monkeypatch: pytest.MonkeyPatch, pip: Callable[[int], list[list[str]]]
):
    monkeypatch.setattr(command, "installed", lambda: False)
    monkeypatch.setattr(command.weights, "ready", ready)
    called = pip(0)
    await command.prepare()
    assert "--require-hashes" in called[0]
    assert called[0][-1].endswith("requirements-embedded.txt")


async def test_an_engine_that_cannot_be_installed_names_ollama(
    embedded: None, monkeypatch: pytest.MonkeyPatch, pip: Callable[[int], list[list[str]]]
):
    monkeypatch.setattr(command, "installed", lambda: False)
    pip(1)
    with pytest.raises(EngineFailed, match=r"exit code 1.*ollama pull"):
        await command.prepare()


async def test_an_engine_that_is_there_is_not_installed_again(
    embedded: None, monkeypatch: pytest.MonkeyPatch, pip: Callable[[int], list[list[str]]]
):
    monkeypatch.setattr(command, "installed", lambda: True)
    monkeypatch.setattr(command.weights, "ready", ready)
    called = pip(0)
    await command.prepare()
    assert called == []


async def test_progress_goes_to_stderr_with_the_size_first_and_a_line_each_tenth(
    embedded: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(command, "installed", lambda: True)
    monkeypatch.setattr(command.weights, "ready", ready)
    await command.prepare()
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert lines[0].startswith("Getting the model qwen2.5-coder-1.5b (0.00 GB) into ")
    assert [line.split("%")[0].split()[-1] for line in lines[1:4]] == ["0", "50", "100"]
    assert lines[4].startswith("The model is ready: m.gguf")


async def test_nothing_is_said_when_the_model_is_there(
    embedded: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    async def there(name: str, progress: object) -> Path:
        return Path("m.gguf")

    monkeypatch.setattr(command, "installed", lambda: True)
    monkeypatch.setattr(command.weights, "ready", there)
    await command.prepare()
    assert capsys.readouterr() == ("", "")


def test_a_failure_is_one_sentence_and_exit_code_1(monkeypatch: pytest.MonkeyPatch):
    async def fails() -> None:
        raise NoSpace("There is no room.")

    monkeypatch.setattr(command, "prepare", fails)
    result = CliRunner().invoke(command.main, ["setup"])
    assert (result.exit_code, result.stderr) == (1, "Error: There is no room.\n")


def test_a_stopped_setup_says_how_to_go_on_and_exits_with_130(monkeypatch: pytest.MonkeyPatch):
    async def stopped() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "prepare", stopped)
    result = CliRunner().invoke(command.main, ["setup"])
    assert result.exit_code == 130
    assert "again to go on where it stopped" in result.stderr
