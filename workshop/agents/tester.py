"""The tester: writes tests from the specification, and where it has no example, has the model propose some.

Knows:    how a model is asked for examples, and that what it proposes is said to be proposed.
Does not: see the code's insides, run a test, or decide which count: the core does.
"""

import ast
import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, cast

from pydantic import ValidationError

from workshop.agents.kit import Desk, serve
from workshop.example_tests import written_tests
from workshop.expressions import calls_something, closed, own_names, without_module
from workshop.specification import EXAMPLES_MOST, Example, Specification
from workshop.syntax import parsed

PROPOSE = (
    "You test a small Python program. From its task alone you write calls and what each must return, as "
    "Python expressions. Only what the task makes certain; easy values that you can work out; no two alike."
)
PROPOSED_MOST = 5
PROPOSED_TOKENS = 500


def test(desk: Desk) -> dict[str, Any]:
    """Return the test files of a specification."""
    spec = Specification.model_validate(desk.message["spec"])
    examples = list(spec.examples)
    if not examples:
        desk.progress("No example is stated: asking the model for some.")
        examples = _proposed(desk, spec)
    desk.progress(f"Writing the tests: {len(examples)}.")
    return {"tests": written_tests(examples), "text": f"Tests written: {len(examples)}."}


def _proposed(desk: Desk, spec: Specification) -> list[Example]:
    """Return examples of the model, of the files that hold functions."""
    files: Mapping[str, str] = desk.message.get("files") or {}
    named = [each.path for each in spec.files if each.path.endswith(".py")]
    functions = {path: _functions(files.get(path, "")) for path in named}
    listed = "\n".join(f"{path}: {', '.join(names)}" for path, names in functions.items() if names)
    known = listed or ", ".join(named)
    asked = f"Task: {desk.message['sentence']}\n\n{spec.description}\n\nIts functions:\n{known}"
    text = desk.ask_model(
        [{"role": "system", "content": PROPOSE}, {"role": "user", "content": asked}],
        schema=_schema(named),
        max_tokens=PROPOSED_TOKENS,
    )
    return list(_read(text, named))[:EXAMPLES_MOST]


def _functions(source: str) -> list[str]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [
        f"{node.name}({ast.unparse(node.args)})"
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and node.name != "main"
    ]


def _schema(files: list[str]) -> dict[str, Any]:
    example = {
        "type": "object",
        "properties": {
            "file": {"enum": files},
            "call": {"type": "string", "minLength": 3, "maxLength": 200},
            "returns": {"type": "string", "minLength": 1, "maxLength": 200},
        },
        "required": ["file", "call", "returns"],
        "additionalProperties": False,
    }
    listed = {"type": "array", "minItems": 1, "maxItems": PROPOSED_MOST, "items": example}
    return {
        "type": "object",
        "properties": {"examples": listed},
        "required": ["examples"],
        "additionalProperties": False,
    }


def _read(text: str, files: Collection[str]) -> Iterable[Example]:
    """Yield the examples of an answer that are some; the last may be cut off, and others no Python.

    Not every model is held to the schema: none may speak of another file, or in the person's name.
    """
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return
    answer = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    listed: Any = answer.get("examples")
    for each in cast("list[Any]", listed) if isinstance(listed, list) else []:
        try:
            example = Example.model_validate(each)
        except ValidationError:
            continue
        example = example.model_copy(update={"call": without_module(example.call, example.file)})
        if example.file in files and _says_something(example):
            yield example.model_copy(update={"stated": False})


def _says_something(example: Example) -> bool:
    """Say whether a call asks for what is to be written, and not for a name or for what Python has."""
    if not example.call:
        return bool((example.prints or "").strip())
    tree = parsed(example.call)
    return tree is not None and closed(tree) and calls_something(tree) and bool(own_names(tree))


if __name__ == "__main__":
    serve({"test_request": test})
