"""A model that is missing: the offer to pull it, and what is shown meanwhile."""

from io import StringIO

import anyio
import pytest
from rich.console import Console

from model.errors import ModelMissing, PullFailed
from terminal import PipedLines, Screen, fetching
from terminal.fetching import Fetching, offered_pull
from terminal.lines import Lines
from tests.terminal.typed import CTRL_C, Typed, screen_on

pytestmark = pytest.mark.anyio

MISSING = ModelMissing("Ollama does not have qwen2.5:7b. Run `ollama pull qwen2.5:7b`.", "qwen2.5:7b")


@pytest.fixture
def pulled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that were pulled."""
    names: list[str] = []

    async def pull(name: str, progress: Fetching) -> None:
        names.append(name)
        for done in (0, 50, 100):
            progress("pulling qwen2.5:7b", done, 100)

    monkeypatch.setattr(fetching, "pull_model", pull)
    return names


async def offered(lines: Lines, missing: ModelMissing = MISSING) -> tuple[bool, str]:
    page = StringIO()
    return await offered_pull(missing, screen_on(page), lines), page.getvalue()


async def test_a_yes_pulls_the_model_and_shows_how_far_it_is(pulled: list[str]):
    person = Typed("y")
    assert await offered(person) == (
        True,
        "Ollama does not have qwen2.5:7b. Run `ollama pull qwen2.5:7b`.\n"
        "pulling qwen2.5:7b: 0 %\npulling qwen2.5:7b: 50 %\npulling qwen2.5:7b: 100 %\n",
    )
    assert person.asked == ["Pull qwen2.5:7b now? [y/N] "]
    assert pulled == ["qwen2.5:7b"]


@pytest.mark.parametrize("lines", [[""], ["n"], ["yes please"], [CTRL_C], []])
async def test_anything_else_pulls_nothing(pulled: list[str], lines: list[str]):
    assert (await offered(Typed(*lines)))[0] is False
    assert pulled == []


async def test_a_pipe_is_not_asked_and_what_cannot_be_pulled_is_not_offered(pulled: list[str]):
    assert await offered(PipedLines()) == (False, "")
    assert await offered(Typed("y"), ModelMissing("No such model.")) == (False, "")
    assert pulled == []


async def test_a_pull_that_fails_is_the_failure_that_is_told(monkeypatch: pytest.MonkeyPatch):
    async def pull(name: str, progress: Fetching) -> None:
        raise PullFailed("The disk is full.")

    monkeypatch.setattr(fetching, "pull_model", pull)
    with pytest.raises(PullFailed, match=r"^The disk is full\.$"):
        await offered(Typed("y"))


async def test_the_waiting_line_gives_way_to_the_download():
    class Tty(StringIO):
        def isatty(self) -> bool:
            return True

    page = Tty()
    console = Console(file=page, _environ={"TERM": "xterm"}, width=100)
    ticks = iter(range(1_000))
    with anyio.fail_after(5):
        async with Fetching(Screen(console, console, lambda: next(ticks)), "Loading the model") as progress:
            await anyio.wait_all_tasks_blocked()
            assert "Loading the model… 1 s" in page.getvalue()
            progress("model.gguf", 5_000_000, 10_000_000)
    assert "5.0/10.0 MB" in page.getvalue()
    assert "Loading" not in page.getvalue().rpartition("\x1b[2K")[2]
