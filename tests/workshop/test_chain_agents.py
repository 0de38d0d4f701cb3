"""What the analyst, the developer and the tester ask the model, and what they make of its answers."""

import json
from typing import Any

import pytest

from workshop.agents import analyst, developer, tester
from workshop.agents.kit import ModelSilent

SPEC: dict[str, Any] = {
    "title": "Till",
    "description": "Adds prices.",
    "requirements": ["adds prices"],
    "modules": [],
    "tech_stack": [],
    "files": [
        {"path": "main.py", "description": "prints the total"},
        {"path": "prices.py", "description": "total(prices)"},
    ],
    "examples": [
        {
            "file": "prices.py",
            "call": "total([1, 2])",
            "returns": "3",
            "raises": None,
            "arguments": [],
            "input": "",
            "prints": None,
            "stated": True,
        },
        {
            "file": "main.py",
            "call": "",
            "returns": None,
            "raises": None,
            "arguments": ["1", "2"],
            "input": "",
            "prints": "3",
            "stated": True,
        },
    ],
}
ONE_FILE = SPEC | {"files": SPEC["files"][1:], "examples": SPEC["examples"][:1]}
TOTAL = "def total(prices):\n    return sum(prices)\n"
MAIN = "import sys\n\nprint(total([int(each) for each in sys.argv[1:]]))\n"


class Desk:
    """A desk whose model gives the texts in order. asked: (messages, options) of each question."""

    def __init__(self, message: dict[str, Any], *texts: str) -> None:
        self.message = message
        self.texts = list(texts)
        self.asked: list[tuple[list[dict[str, str]], dict[str, Any]]] = []
        self.files: list[tuple[str, str]] = []
        self.said: list[str] = []

    def time_left(self) -> float:
        return 60.0

    def progress(self, text: str) -> None:
        self.said.append(text)

    def file(self, path: str, content: str) -> None:
        self.files.append((path, content))

    def ask_model(self, messages: list[dict[str, str]], **options: Any) -> str:
        self.asked.append((list(messages), options))
        if not self.texts:
            raise ModelSilent("not_reachable", "Nobody answers.")
        return self.texts.pop(0)

    def question(self, number: int = 0) -> str:
        return self.asked[number][0][-1]["content"]


def building(spec: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"sentence": "Add prices.", "spec": spec, "files": {}, "names": {}, "variant": 0} | more


def fixing(files: dict[str, str], output: str, test: str = "", attempt: int = 1) -> dict[str, Any]:
    failure = {"name": "test_stated_1", "test": test, "output": output}
    return building(SPEC, files=files, failures=[failure], attempt=attempt)


def test_the_file_that_starts_the_program_is_written_last_with_the_others_in_view():
    desk = Desk(building(SPEC), TOTAL, f"```python\n{MAIN}```")
    developer.build(desk)  # type: ignore[arg-type]
    assert [path for path, _ in desk.files] == ["prices.py", "main.py"]
    assert TOTAL in desk.question(1)


def test_an_import_that_the_model_forgot_is_there():
    desk = Desk(building(SPEC), TOTAL, MAIN)
    developer.build(desk)  # type: ignore[arg-type]
    assert dict(desk.files)["main.py"].startswith("from prices import total\n")


def test_a_file_that_is_written_already_is_not_written_again():
    desk = Desk(building(SPEC, files={"prices.py": TOTAL}), MAIN)
    developer.build(desk)  # type: ignore[arg-type]
    assert [path for path, _ in desk.files] == ["main.py"]


def test_the_examples_and_the_names_that_they_call_are_told():
    desk = Desk(building(ONE_FILE, names={"prices.py": ["total"]}), TOTAL)
    developer.build(desk)  # type: ignore[arg-type]
    assert "This must hold:\nassert total([1, 2]) == 3" in desk.question()
    assert desk.question().endswith("Write prices.py, which defines total.")


def test_how_a_program_is_run_is_told():
    desk = Desk(building(SPEC, files={"prices.py": TOTAL}), MAIN)
    developer.build(desk)  # type: ignore[arg-type]
    assert (
        "`python main.py 1 2` prints '3' (sys.argv[1:] is ['1', '2'], nothing is on its stdin)"
        in desk.question()
    )


def test_code_that_does_not_parse_is_asked_for_once_more_with_the_reason():
    desk = Desk(building(ONE_FILE), "def total(prices)\n    return 1\n", TOTAL)
    developer.build(desk)  # type: ignore[arg-type]
    assert desk.files == [("prices.py", TOTAL)]
    assert "line 1" in desk.question(1)
    assert len(desk.asked) == 2


def test_the_likeliest_program_is_asked_for_first_and_other_ones_by_their_number():
    first, other = Desk(building(ONE_FILE), TOTAL), Desk(building(ONE_FILE, variant=7), TOTAL)
    developer.build(first)  # type: ignore[arg-type]
    developer.build(other)  # type: ignore[arg-type]
    assert (first.asked[0][1]["temperature"], first.asked[0][1]["seed"]) == (0.0, None)
    assert other.asked[0][1]["temperature"] > 0
    assert other.asked[0][1]["seed"] == 7


def test_a_fix_is_of_the_file_that_the_traceback_ends_in_and_of_no_other():
    files = {"prices.py": TOTAL, "main.py": MAIN}
    output = 'File "/project/main.py", line 3\nmain.py:3: in <module>\nprices.py:2: TypeError'
    desk = Desk(fixing(files, output), "def total(prices):\n    return sum(map(int, prices))\n")
    developer.fix(desk)  # type: ignore[arg-type]
    assert [path for path, _ in desk.files] == ["prices.py"]
    assert TOTAL in desk.question()
    assert "prices.py:2: TypeError" in desk.question()


def test_where_the_likeliest_file_stays_as_it_is_the_next_one_is_mended():
    files = {"prices.py": TOTAL, "main.py": MAIN}
    desk = Desk(fixing(files, "main.py:3: in <module>\nprices.py:2: TypeError"), TOTAL, "print(3)\n")
    developer.fix(desk)  # type: ignore[arg-type]
    assert desk.files == [("main.py", "print(3)\n")]


def test_a_fix_that_says_the_same_again_hands_nothing_over():
    desk = Desk(fixing({"prices.py": TOTAL}, "E assert 1 == 2", "from prices import total"), TOTAL)
    developer.fix(desk)  # type: ignore[arg-type]
    assert desk.files == []


def test_the_file_that_the_test_imports_is_mended_where_no_traceback_names_one():
    files = {"main.py": MAIN, "prices.py": TOTAL}
    failure = {"output": "E assert 1 == 2", "test": "    from prices import total\n    assert total([]) == 2"}
    assert developer.concerned(files, failure) == ["prices.py"]


def test_where_the_other_files_are_too_much_for_the_window_they_are_shown_in_short():
    class Narrow(Desk):
        def ask_model(self, messages: list[dict[str, str]], **options: Any) -> str:
            answer = super().ask_model(messages, **options)
            if len(messages[-1]["content"]) > 2_000:
                raise ModelSilent("context_too_long", "It does not fit.")
            return answer

    long = TOTAL + "".join(f"\n\ndef other_{number}(n):\n    return n + {number}\n" for number in range(80))
    desk = Narrow(building(SPEC, files={"prices.py": long}), MAIN, MAIN)
    developer.build(desk)  # type: ignore[arg-type]
    assert "return n + 79" in desk.question(0)
    assert "def total(prices)" in desk.question(1)
    assert "return n + 79" not in desk.question(1)
    assert [path for path, _ in desk.files] == ["main.py"]


def test_a_silent_model_is_not_hidden():
    with pytest.raises(ModelSilent, match="Nobody answers"):
        developer.build(Desk(building(ONE_FILE)))  # type: ignore[arg-type]


def test_tests_are_made_of_the_examples_without_asking_the_model():
    desk = Desk(building(SPEC))
    made = tester.test(desk)  # type: ignore[arg-type]
    assert sorted(made["tests"]) == ["tests/test_main.py", "tests/test_prices.py"]
    assert desk.asked == []


def test_without_an_example_the_model_proposes_some_and_they_are_called_proposals():
    spec = ONE_FILE | {"examples": []}
    proposals = {
        "examples": [
            {"file": "prices.py", "call": "total([2])", "returns": "2"},
            {"file": "prices.py", "call": "total(", "returns": "2"},
        ]
    }
    desk = Desk(building(spec, files={"prices.py": TOTAL}), json.dumps(proposals))
    made = tester.test(desk)  # type: ignore[arg-type]
    assert "def test_proposed_1" in made["tests"]["tests/test_prices.py"]
    assert "test_stated" not in made["tests"]["tests/test_prices.py"]
    assert "total(prices)" in desk.question()
    assert "return sum" not in desk.question()


@pytest.mark.parametrize(
    "text", ["", "no", '{"examples": [', "[]", '{"examples": null}', '{"examples": [1]}']
)
def test_proposals_that_cannot_be_read_are_none(text: str):
    desk = Desk(building(ONE_FILE | {"examples": []}), text)
    assert tester.test(desk)["tests"] == {}  # type: ignore[arg-type]


def test_the_talk_shows_the_model_what_was_said_before():
    history = [{"role": "user", "content": "I am Ann."}, {"role": "assistant", "content": "Hello Ann."}]
    desk = Desk(
        {"text": "Who am I?", "history": history, "memory": {"the last program": "Done: till"}}, "Ann."
    )
    assert analyst.talk(desk) == {"text": "Ann."}  # type: ignore[arg-type]
    system, *rest = desk.asked[0][0]
    assert "the last program: Done: till" in system["content"]
    assert [each["content"] for each in rest] == ["I am Ann.", "Hello Ann.", "Who am I?"]


def test_a_specification_is_held_to_its_schema_and_the_second_try_knows_the_reasons():
    schema = {"type": "object"}
    message = {"text": "A till.", "answer_schema": schema, "reasons": ["title is missing"], "last": "{}"}
    desk = Desk(message, "{}")
    analyst.specify(desk)  # type: ignore[arg-type]
    assert desk.asked[0][1]["schema"] == schema
    assert [each["role"] for each in desk.asked[0][0]] == ["system", "user", "assistant", "user"]
    assert "- title is missing" in desk.question()
