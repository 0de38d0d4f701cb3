"""The developer: writes the files of a specification, one a question, and mends what a test found.

Knows:    what the model is shown for a file, and which file a failing test speaks of.
Does not: write to the disk or run anything: the core does.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from workshop.agents.kit import Desk, ModelSilent, serve
from workshop.code import code_of, outline, problem_of
from workshop.missing_imports import with_missing_imports
from workshop.wanted_names import with_wanted_names

WRITE = (
    "You are an experienced Python programmer. You write one file of a small program. Answer with the whole "
    "file in one fenced block and nothing else: no tests, no example calls, no explanation."
)
MEND = (
    "You are an experienced Python programmer. A test of a small program fails. Find the mistake and answer "
    "with the whole corrected file in one fenced block and nothing else. Change only what must change."
)
FILE_TOKENS = 1_200
SHOWN_CHARS, LESS_CHARS = 5_000, 600
"""Of the other files, in a window of 4,096 tokens that holds the answer too; and where that is too much."""

OUTPUT_CHARS = 1_500
OTHER_TEMPERATURE = 0.8

Spec = Mapping[str, Any]


def build(desk: Desk) -> dict[str, Any]:
    """Write every file that is not there yet, the ones that others import first."""
    message = desk.message
    spec: Spec = message["spec"]
    written = dict(message.get("files") or {})
    wanted = [each for each in in_order(spec["files"]) if each["path"] not in written]
    for number, planned in enumerate(wanted, 1):
        path = planned["path"]
        desk.progress(f"Writing {path} ({number} of {len(wanted)}).")
        asked = partial(_about, path, planned, message, written)
        source = _written(desk, WRITE, asked, path, int(message.get("variant") or 0))
        source = with_missing_imports(source, path, written) if path.endswith(".py") else source
        source = with_wanted_names(source, _names(message, path))
        written[path] = source
        desk.file(path, source)
    return {"text": f"{len(wanted)} files written."}


def fix(desk: Desk) -> dict[str, Any]:
    """Write the file anew that the first failing test speaks of, the current code in view."""
    message = desk.message
    files: dict[str, str] = dict(message["files"])
    failure = message["failures"][0]
    for path in concerned(files, failure)[:2]:
        desk.progress(f"Mending {path}: {failure['name']} fails.")
        others = {name: source for name, source in files.items() if name != path}
        asked = partial(_of_failure, path, message, files[path], others)
        # The attempt picks the words: a model that is asked the same again would say the same again.
        source = _written(desk, MEND, asked, path, int(message["attempt"]) - 1)
        source = with_missing_imports(source, path, others)
        source = with_wanted_names(source, _names(message, path))
        if source.strip() and source != files[path]:
            desk.file(path, source)
            return {"text": f"{path} is changed."}
    return {"text": "Nothing is changed."}


def _of_failure(
    path: str, message: Mapping[str, Any], source: str, others: Mapping[str, str], room: int
) -> str:
    """Return what the model is told of a failing test. room: characters of the other files."""
    failure = message["failures"][0]
    return (
        f"Task: {message['sentence']}\n\n{_others(others, room)}"
        f"This is {path}:\n```python\n{source}```\n\n"
        f"This test fails:\n```python\n{failure['test']}```\n"
        f"It says:\n{_tail(failure['output'])}\n\nWrite the corrected {path}."
    )


def in_order(files: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return the planned files, those that start the program last: they import the others."""
    return sorted(files, key=lambda each: each["path"].rsplit("/", 1)[-1] in STARTS)


STARTS = frozenset({"main.py", "app.py", "cli.py", "__main__.py", "run.py"})


def concerned(files: Mapping[str, str], failure: Mapping[str, str]) -> list[str]:
    """Return the files that a failing test speaks of, the likeliest first."""
    output, test = failure["output"], failure["test"]

    def weight(path: str) -> int:
        module = path.removesuffix(".py").replace("/", ".")
        # The last frame of the traceback is where it broke.
        at = max(
            (found.start() for found in re.finditer(rf"(?<![\w/]){re.escape(path)}:\d+", output)), default=-1
        )
        imported = re.search(rf"\b(?:from|import) {re.escape(module)}\b", test)
        return at + 1 + (100_000 if at >= 0 else 0) + (10_000 if imported or path in test else 0)

    ranked = sorted((path for path in files if path.endswith(".py")), key=weight, reverse=True)
    return [path for path in ranked if weight(path) > 0] or ranked[:1]


def _about(
    path: str, planned: Mapping[str, str], message: Mapping[str, Any], written: Mapping[str, str], room: int
) -> str:
    """Return what the model is told of a file: the task, its place among the others, what must hold of it.

    room: characters of the other files.
    """
    spec: Spec = message["spec"]
    parts = [f"Task: {message['sentence']}"]
    if len(spec["files"]) > 1:
        listed = "\n".join(f"- {each['path']}: {each['description']}" for each in spec["files"])
        parts += [f"The program, {spec['title']}: {spec['description']}\nIts files:\n{listed}"]
        needs = "\n".join(f"- {each}" for each in spec["requirements"][:10])
        parts += [f"What it must do:\n{needs}"]
    if others := _others(written, room):
        parts.append(others.strip())
    held = [_held(each) for each in spec["examples"] if each["file"] == path or len(spec["files"]) == 1]
    if held:
        parts.append("This must hold:\n" + "\n".join(held[:10]))
    said = f" {planned['description']}" if len(spec["files"]) > 1 and planned["description"] else ""
    names = _names(message, path)
    defining = f", which defines {' and '.join(names)}" if names else ""
    parts.append(f"Write {path}{defining}.{said}")
    return "\n\n".join(parts)


def _names(message: Mapping[str, Any], path: str) -> list[str]:
    """Return the names that a file has to define."""
    names: Mapping[str, list[str]] = message.get("names") or {}
    return names.get(path, [])


def _held(example: Mapping[str, Any]) -> str:
    """Return an example as a line of Python, or as what a run prints."""
    if not example["call"]:
        words = " ".join(["python", example["file"], *example["arguments"]])
        typed = f"{example['input']!r} is on its stdin" if example["input"] else "nothing is on its stdin"
        given = f"sys.argv[1:] is {list(example['arguments'])!r}, {typed}"
        return f"`{words}` prints {example['prints']!r} ({given})"
    if example["raises"]:
        return f"{example['call']} raises {example['raises']}"
    if example["returns"] == "True":
        return f"assert {example['call']}"
    return f"assert {example['call']} == {example['returns']}"


def _others(files: Mapping[str, str], room: int) -> str:
    """Return the other files: whole as long as there is room, then what they define."""
    shown: list[str] = []
    for path, source in files.items():
        text = source if len(source) <= room else outline(source)[: max(room, 300)]
        room -= len(text)
        shown.append(f"{path}, which is there already:\n```python\n{text.rstrip()}\n```\n")
    return "\n".join(shown) + ("\n" if shown else "")


def _written(desk: Desk, system: str, asked: Callable[[int], str], path: str, variant: int) -> str:
    """Return the code of one file; asked once more where it does not parse.

    asked: from how many characters of the other files are shown to the question.
    """
    temperature = OTHER_TEMPERATURE if variant else 0.0
    seed = variant or None
    try:
        messages = _messages(system, asked(SHOWN_CHARS))
        text = desk.ask_model(messages, max_tokens=FILE_TOKENS, temperature=temperature, seed=seed)
    except ModelSilent as silent:
        if silent.code != "context_too_long":
            raise
        messages = _messages(system, asked(LESS_CHARS))
        text = desk.ask_model(messages, max_tokens=FILE_TOKENS, temperature=temperature, seed=seed)
    source = code_of(text, path)
    problem = problem_of(source) if path.endswith(".py") else ""
    if source and not problem:
        return source
    desk.progress(f"{path} is no Python ({problem or 'nothing was written'}): asking once more.")
    again = [
        *messages,
        {"role": "assistant", "content": text[:4_000] or "(nothing)"},
        {
            "role": "user",
            "content": f"This is no Python: {problem or 'it is empty'}. Write {path} again, shorter.",
        },
    ]
    second = code_of(desk.ask_model(again, max_tokens=FILE_TOKENS, temperature=temperature, seed=seed), path)
    return second if second and (not problem or not problem_of(second)) else source or second


def _messages(system: str, asked: str) -> list[dict[str, str]]:
    return [{"role": "system", "content": system}, {"role": "user", "content": asked}]


def _tail(output: str) -> str:
    return output if len(output) <= OUTPUT_CHARS else f"…{output[-OUTPUT_CHARS:]}"


if __name__ == "__main__":
    serve({"build_request": build, "fix_request": fix})
