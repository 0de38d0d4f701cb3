"""Specifications out of what models write."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workshop.errors import BadSpecification
from workshop.reading import read, read_specification
from workshop.specification import EXAMPLES_MOST, Example, Specification

GOOD: dict[str, Any] = {
    "title": "Adder",
    "description": "Adds numbers.",
    "requirements": ["adds two numbers"],
    "modules": ["adding"],
    "tech_stack": ["Python"],
    "files": [{"path": "adder.py", "description": "has add"}],
    "examples": [{"file": "adder.py", "call": "add(1, 2)", "returns": "3"}],
}
TEXT = json.dumps(GOOD)
SPEC = Specification.model_validate(GOOD)


def changed(**fields: Any) -> str:
    return json.dumps({**GOOD, **fields}, ensure_ascii=False)


def problems(text: str, sentence: str = "") -> tuple[str, ...]:
    with pytest.raises(BadSpecification) as raised:
        read_specification(text, sentence=sentence)
    return raised.value.problems


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"```json\n{TEXT}\n```",
        f"Sure! Here it is:\n```\n{TEXT}\n```\nTell me {{more}} if you like.",
        f"Specification: {TEXT} I hope that helps.",
        f'{{"specification": {TEXT}}}',
        f"[{TEXT}]",
        f'{{"thought": "first"}}\n{TEXT}\n{{"done": true}}',
        json.dumps({"type": "object", "properties": {name: {"type": "string"} for name in GOOD}}) + TEXT,
        f"{changed(title='Draft')}\nBetter:\n{TEXT}",
        TEXT.replace("]", ",]").replace("}]", "},]"),
        TEXT.replace('"', "'"),
        TEXT.replace('", "', '",  // so\n "').replace("], ", "],  # so\n"),
        TEXT.replace(", ", "\n", 1),
        TEXT[:-1],
        TEXT[:-2],
        TEXT.replace('"adds two numbers"]', '"adds two numbers"'),
        str(GOOD),
        TEXT.replace('"title"', "title"),
        "\ufeff" + json.dumps(GOOD, indent=4),
        changed(extra=1, priority="high"),
        changed(modules="adding", tech_stack="Python"),
        changed(requirements="- adds two numbers"),
        changed(files=["adder.py: has add"]),
        changed(files="- adder.py - has add"),
        changed(files={"adder.py": "has add"}),
        changed(files=[{"adder.py": "has add"}]),
        changed(files=[{"filename": "adder", "purpose": "has add"}]),
        changed(files=[{"path": "./adder.py", "description": "has add"}, {"path": "adder.py"}]),
        changed(files=[*GOOD["files"], "tests/test_adder.py", "conftest.py"]),
        changed(examples=["add(1, 2) == 3"]),
        changed(examples={"add(1, 2)": 3}),
        changed(examples=[{"file": "adder.py", "call": "adder.add(1, 2)", "returns": "3"}]),
        changed(examples=[{"call": "add(1, 2)", "returns": 3}]),
        changed(examples=[{"module": "adder", "expression": "add(1, 2)", "expected": "3", "raises": None}]),
        changed(examples=[{"file": "adder.py", "call": "add(1, 2) == 3", "returns": "True"}]),
        changed(examples=[*GOOD["examples"], {"call": "add( 1,2 )", "returns": "3"}]),
    ],
)
def test_a_specification_is_read_however_it_is_wrapped_and_spelled(text: str):
    assert read_specification(text) == SPEC


def test_russian_names_of_fields_are_understood_at_every_level():
    text = json.dumps(
        {
            "Название": "Adder",
            "ОПИСАНИЕ": "Adds numbers.",
            "Требования": ["adds two numbers"],
            "модули": ["adding"],
            "Стек технологий": "Python",
            "Файлы": [{"Имя файла": "adder.py", "Описание": "has add"}],
            "Примеры": [{"Файл": "adder.py", "Вызов": "add(1, 2)", "Результат": 3}],
        },
        ensure_ascii=False,
    )
    assert read_specification(text) == SPEC


@pytest.mark.parametrize("name", ["project_name", "projectName", "Project-Name", "NAME"])
def test_other_english_names_are_understood_however_they_are_cased(name: str):
    text = json.dumps({name: "Adder", "features": ["x"], "summary": "y", "files": ["a.py"]})
    spec = read_specification(text)
    assert (spec.title, spec.description, spec.requirements) == ("Adder", "y", ("x",))


def test_entries_of_a_list_may_be_objects_with_a_name_and_words():
    spec = read_specification(
        changed(modules=[{"name": "Parser", "description": "reads"}, {"name": "Writer"}])
    )
    assert spec.modules == ("Parser: reads", "Writer")


def test_every_problem_is_told_at_once_in_words_to_act_on():
    text = json.dumps(
        {
            "title": 3,
            "description": ["a"],
            "requirements": [1, "x" * 501],
            "modules": 7,
            "tech_stack": None,
            "files": ["../a.py", "b.py", "B.py", {"description": "no path"}, 5],
        }
    )
    told = problems(text)
    assert [problem.partition(":")[0] for problem in told] == [
        "files",
        "files",
        "files",
        "files",
        "title",
        "description",
        "requirements.1",
        "requirements.2",
        "modules",
    ]
    assert "title: must be text, and is a number ('3')" in told
    assert "requirements.2: is longer than 500 characters" in told
    assert "'../a.py' may not be written" in told[0]
    assert "cannot stand beside" in told[3]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the answer is empty"),
        ("I cannot do that.", "there is no JSON object in the answer, which begins 'I cannot do that.'"),
        ('{"a": 1}', "no JSON object in the answer has a specification's fields"),
        ("{" * 5000, "no JSON object"),
        (TEXT[:60], "the text breaks off after 'description'"),
        (TEXT[: TEXT.index("two numbers")], "the text breaks off inside 'requirements'"),
        (changed(files=[]), "files: there are none"),
        (changed(files=["tests/test_a.py"]), "files: 'tests/test_a.py' belongs to the tests"),
        (changed(files=[f"m{n}.py" for n in range(21)]), "files: has more than 20 entries"),
        (changed(title=""), "title: must not be empty"),
        (json.dumps({key: value for key, value in GOOD.items() if key != "title"}), "title: is missing"),
        (changed(requirements=[]), "requirements: must not be empty"),
    ],
)
def test_what_is_no_specification_is_refused_with_its_reason(text: str, reason: str):
    (told,) = problems(text)
    assert told.startswith(reason)


def test_what_was_put_right_is_noted():
    assert read(TEXT[:-1]).notes == ("a closing bracket was missing",)


@pytest.mark.parametrize(
    "example",
    [
        "nothing",
        7,
        {"call": "add(a, b)", "returns": "3"},
        {"call": "add(1, 2)", "returns": "three apples"},
        {"call": "add(1, 2)", "returns": "result"},
        {"call": "add 1 2", "returns": "3"},
        {"call": "len('ab')", "returns": "2"},
        {"call": "add(1, 2)"},
        {"call": "add(1, 2)", "raises": "an error!"},
        {"file": "adder.py", "returns": ""},
    ],
)
def test_an_example_that_is_none_is_left_out_with_a_note(example: object):
    reading = read(changed(examples=[example, *GOOD["examples"]]))
    assert (reading.spec, len(reading.notes)) == (SPEC, 1)


def test_an_example_about_no_planned_file_is_left_out():
    text = changed(files=["a.py", "b.py"], examples=[{"file": "c.py", "call": "f(1)", "returns": "2"}])
    assert read(text).spec.examples == ()


def test_the_persons_examples_come_first_and_what_contradicts_them_goes():
    text = changed(
        examples=[
            {"call": "add(2, 2)", "returns": "5"},
            {"call": "add(0, 0)", "returns": "0"},
            {"call": "add('a', 1)", "raises": "TypeError"},
            {"call": "add(1,2)", "returns": "3", "stated": True},
        ]
    )
    reading = read(text, sentence="add(2,2) == 4 and add('a', 1) raises ValueError; add(1, 2) returns 3")
    assert [(each.call, each.returns or each.raises, each.stated) for each in reading.spec.examples] == [
        ("add(2,2)", "4", True),
        ("add('a', 1)", "ValueError", True),
        ("add(1, 2)", "3", True),
        ("add(0, 0)", "0", False),
    ]
    assert len(reading.notes) == 2


@pytest.mark.parametrize(
    "fields",
    [
        {"files": ["main.py", {"path": "adder.py", "description": "defines add(a, b)"}], "examples": []},
        {
            "files": ["main.py", "adder.py"],
            "examples": [{"file": "adder", "call": "add(0, 0)", "returns": "0"}],
        },
        {"files": ["main.py", "lib/add.py"], "examples": []},
    ],
)
def test_a_stated_example_is_about_the_file_that_has_its_function(fields: dict[str, Any]):
    spec = read_specification(changed(**fields), sentence="add(2, 2) == 4")
    assert spec.examples[0].file == spec.files[1].path


def test_a_program_that_the_person_runs_must_be_planned():
    sentence = "python main.py 1 2 prints 3"
    assert problems(TEXT, sentence) == ("files: the request runs 'main.py', which is not among them; add it",)
    spec = read_specification(changed(files=["main.py", "adder.py"]), sentence=sentence)
    assert spec.examples[0] == Example(file="main.py", arguments=("1", "2"), prints="3", stated=True)


def test_functions_that_the_person_calls_need_a_file_of_python():
    (told,) = problems(changed(files=["page.html"]), "add(2, 2) == 4")
    assert told.startswith("files: the request calls functions")


def test_a_run_of_the_program_may_be_an_example():
    text = changed(
        examples=[{"file": "adder.py", "args": "1 2", "output": "3"}, {"args": [1, 1], "stdout": 2}]
    )
    assert [(each.arguments, each.prints) for each in read_specification(text).examples] == [
        (("1", "2"), "3"),
        (("1", "1"), "2"),
    ]


def test_no_more_examples_are_kept_than_a_specification_holds():
    text = changed(examples=[{"call": f"add({n}, 0)", "returns": str(n)} for n in range(50)])
    spec = read_specification(text, sentence="add(-1, 0) == -1")
    assert (len(spec.examples), spec.examples[0].stated) == (EXAMPLES_MOST, True)


def test_text_with_letters_in_two_halves_is_whole_after_reading():
    assert read_specification(TEXT.replace('"Adder"', r"'\ud83d\ude00 \u0416'")).title == "\U0001f600 Ж"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from([*GOOD, "path", "call", "Файл", "returns"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(list(GOOD)), VALUES), st.integers(min_value=0, max_value=400))
def test_any_values_of_any_kind_end_in_a_specification_or_in_reasons(fields: dict[str, Any], cut: int):
    text = json.dumps({**GOOD, **fields})
    for part in (text, text[: max(0, len(text) - cut)]):
        try:
            assert isinstance(read_specification(part, sentence="add(1, 1) == 2"), Specification)
        except BadSpecification as error:
            assert error.problems


@given(st.text(alphabet="{}[]\":,'\\/#* \ntitlefs1", max_size=60) | st.text())
def test_any_text_ends_in_a_specification_or_in_reasons(text: str):
    with pytest.raises(BadSpecification):
        read_specification(text)


@given(st.integers(min_value=0, max_value=len(TEXT) - 1))
def test_a_text_that_was_cut_is_never_filled_in(length: int):
    try:
        spec = read_specification(TEXT[:length])
    except BadSpecification:
        return
    assert all(path.path == "adder.py" for path in spec.files)
    assert (spec.title, spec.requirements, spec.modules) == (SPEC.title, SPEC.requirements, SPEC.modules)
