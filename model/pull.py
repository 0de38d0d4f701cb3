"""Have Ollama fetch a model, and say how far it is.

Knows:    Ollama's own address beside its OpenAI-compatible one, and the lines that a pull answers with.
Does not: ask a person, or draw anything.   (terminal/)
Stopping: a cancel closes the connection, which stops the pull; the next one goes on where it stopped.
"""

import json
from collections.abc import AsyncIterator
from typing import Any, cast

import httpx2

from model.endpoint import LOOPBACK
from model.errors import ModelError, NotReachable, PullFailed, TimedOut
from model.weights import Progress, quiet

# Between two lines of a pull, Ollama may check a file of several gigabytes.
LIMITS = httpx2.Timeout(connect=5, read=300, write=30, pool=5)

REASONS = (
    (
        ("file does not exist", "not found", "invalid model name"),
        "its library has no model of that name. Correct OLLAMA_MODEL",
    ),
    (("no space left", "not enough space"), "the disk is full. Make room, and then run `ollama pull {name}`"),
    (
        ("newer version", "requires a newer"),
        "it needs a newer Ollama. Install that, and then run `ollama pull {name}`",
    ),
    (
        ("dial tcp", "no such host", "i/o timeout", "connection re", "max retries"),
        "it cannot reach its library. Check the network, and then run `ollama pull {name}`",
    ),
)
"""What Ollama's own words mean; they name paths and addresses and are not repeated."""


async def pull(
    name: str,
    base_url: str,
    progress: Progress = quiet,
    transport: httpx2.AsyncBaseTransport | None = None,
) -> None:
    """Fetch a model into the Ollama whose OpenAI-compatible address is base_url.

    progress: called with a label, bytes done and bytes in all; a total of 0 is one that is not known yet.
    Raises: ModelError.
    """
    address = base_url.rstrip("/").removesuffix("/v1") + "/api/pull"
    # The model moves between Ollama and its library; a proxy has no part in what goes to this machine.
    trust_env = httpx2.URL(address).host not in LOOPBACK
    try:
        async with (
            httpx2.AsyncClient(timeout=LIMITS, transport=transport, trust_env=trust_env) as client,
            client.stream("POST", address, json={"model": name, "stream": True}) as answer,
        ):
            await _follow(name, answer, progress)
    except httpx2.TimeoutException as error:
        raise TimedOut(
            f"Ollama said nothing more about {name} within the time limit. Run `ollama pull {name}` to go on."
        ) from error
    except httpx2.TransportError as error:
        raise NotReachable(
            f"Ollama ({address}) cannot be reached, or broke the connection. Start it with `ollama serve`, "
            f"and then run `ollama pull {name}`; it goes on where it stopped."
        ) from error


async def _follow(name: str, answer: httpx2.Response, progress: Progress) -> None:
    """Read the lines of a pull until it says that it is done.  Raises: PullFailed."""
    layers: dict[str, tuple[int, int]] = {}
    async for line in _lines(answer):
        if "error" in line:
            raise _failed(name, str(line["error"]))
        status = str(line.get("status", ""))
        if status == "success":
            return
        if digest := str(line.get("digest", "")):
            layers[digest] = (_number(line.get("completed")), _number(line.get("total")))
        done, total = (sum(amounts) for amounts in zip(*layers.values(), strict=True)) if layers else (0, 0)
        progress(_label(status, name), done, total)
    raise _failed(name, "")


async def _lines(answer: httpx2.Response) -> AsyncIterator[dict[str, Any]]:
    async for text in answer.aiter_lines():
        try:
            value: Any = json.loads(text) if text.strip() else {}
        except ValueError:
            value = {"error": text}
        if isinstance(value, dict):
            yield cast(dict[str, Any], value)


def _label(status: str, name: str) -> str:
    """Return the status without the digests that it is full of."""
    return f"pulling {name}" if status.startswith("pulling") else status


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _failed(name: str, words: str) -> ModelError:
    lowered = words.lower()
    known = (told for signs, told in REASONS if any(sign in lowered for sign in signs))
    reason = next(known, "it did not finish. Run `ollama pull {name}` to see its reason")
    return PullFailed(f"Ollama could not fetch {name}: {reason.format(name=name)}.")
