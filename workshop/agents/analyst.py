"""The analyst: talks with the person, and writes the specification when it is asked for one.

Knows:    what the model is told of either.
Does not: decide that something is to be built, read the specification, or remember: the core does.
"""

from typing import Any

from workshop.agents.kit import Desk, serve

TALK = (
    "You are the analyst of a small workshop that writes and tests small Python programs on this machine. "
    "You talk with a person who may want one. Asked who you are, you are the analyst of this workshop; "
    "asked what you can do, you say that they can have a small Python program written and tested, as in: "
    "'write a function add(a, b); add(2, 3) == 5'. Answer briefly and truly. You cannot look anything up, "
    "run anything or open files, and you build nothing yourself."
)
SPECIFY = (
    "You write the specification of a small Python program as one JSON object. title: its name, as in Price "
    "list. description: what it does. requirements: one thing it must do each. modules: its parts. "
    "tech_stack: Python and what of its standard library is needed. files: as few as possible, one for a "
    "single function; each with its path, in lower case and with .py, and as its description the functions "
    "it holds with their arguments. examples: file, call and returns as Python expressions, only where the "
    "result is certain. Add nothing that nobody asked for."
)
TALK_TOKENS, SPEC_TOKENS = 500, 1_200


def talk(desk: Desk) -> dict[str, Any]:
    """Answer what a person said, with what was said before in view."""
    message = desk.message
    memory: dict[str, Any] = message.get("memory") or {}
    known = "".join(f"\n{key}: {value}" for key, value in memory.items())
    system = f"{TALK}\nWhat you remember:{known}" if known else TALK
    messages = [{"role": "system", "content": system}, *_history(message), _user(message["text"])]
    return {"text": desk.ask_model(messages, max_tokens=TALK_TOKENS).strip()}


def specify(desk: Desk) -> dict[str, Any]:
    """Return the text of a specification, as the model wrote it."""
    message = desk.message
    messages = [{"role": "system", "content": SPECIFY}, *_history(message), _user(message["text"])]
    if reasons := message.get("reasons"):
        wrong = "\n".join(f"- {reason}" for reason in reasons)
        messages += [
            {"role": "assistant", "content": message["last"]},
            _user(
                f"This cannot be used:\n{wrong}\nWrite the whole specification again, without these mistakes."
            ),
        ]
    return {"text": desk.ask_model(messages, schema=message["answer_schema"], max_tokens=SPEC_TOKENS)}


def _history(message: dict[str, Any]) -> list[dict[str, str]]:
    return [{"role": each["role"], "content": each["content"]} for each in message.get("history") or ()]


def _user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


if __name__ == "__main__":
    serve({"user_input": talk, "spec_request": specify})
