"""The protocol as written down: schemas, documents, echoes in three languages, and a fuzz with a process."""

import json
import re
import shutil
import sys
from pathlib import Path

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from common.settings import ROOT
from tests.workshop.wires import Told, ask, orchestrator, program
from workshop.errors import AgentFailed
from workshop.messages import FROM_AGENT, FROM_CORE, LINE_BYTES, Remembered
from workshop.place import RESTARTS_MOST
from workshop.schemas import schemas, write

pytestmark = pytest.mark.anyio

AGENTS = ROOT / "workshop" / "agents"
ECHOES = {
    "Python": [sys.executable, "-m", "workshop.agents.echo"],
    "shell": ["sh", "workshop/agents/echo.sh"],
    "Node": ["node", str(AGENTS / "echo.mjs")],
}
DOCUMENT = (ROOT / "docs" / "workshop-protocol.md").read_text("utf-8")
LINES = [line for block in re.findall(r"```jsonl\n(.*?)```", DOCUMENT, re.S) for line in block.splitlines()]


def test_the_committed_schemas_are_those_of_the_messages(tmp_path: Path):
    written = {path.name: path.read_text("utf-8") for path in write(tmp_path)}
    folder = ROOT / "workshop" / "schemas"
    assert {path.name: path.read_text("utf-8") for path in folder.glob("*.json")} == written
    assert len(written) == 13


@pytest.mark.parametrize("name", schemas())
def test_each_schema_is_one_and_asks_for_the_type_and_the_id(name: str):
    schema = schemas()[name]
    Draft202012Validator.check_schema(schema)
    assert {"type", "id"} <= set(schema["required"])
    assert schema["properties"]["type"]["const"] == name


@pytest.mark.parametrize("line", LINES)
def test_the_documents_lines_are_messages_of_the_schemas(line: str):
    value = json.loads(line)
    Draft202012Validator(schemas()[value["type"]]).validate(value)
    (FROM_CORE if "deadline" in value else FROM_AGENT).validate_json(line)


def test_the_document_names_every_message_with_its_fields_and_the_longest_line():
    for name, schema in schemas().items():
        row = next(line for line in DOCUMENT.splitlines() if line.startswith(f"| `{name}` |"))
        named = set(re.findall(r"`(\w+)`", row.rpartition(" | ")[2]))
        assert named == set(schema["properties"]) - {"type", "id", "deadline", "protocol"}
    assert f"At most {LINE_BYTES:,} bytes" in DOCUMENT
    assert RESTARTS_MOST == 3  # "three starts in a row"


@pytest.mark.parametrize("language", ECHOES)
async def test_the_echo_answers_in_each_language(language: str):
    command = ECHOES[language]
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not on this machine")
    told = Told()
    texts = ['say "hi" \\ back', "привет │ 😀", "\n\t\x01", "", '"text":"no"', "}{", "x" * 50_000]
    history = [Remembered(role="user", content='"text":"before"')]
    with anyio.fail_after(10):
        async with orchestrator(told) as core:
            await core.start_agent("a", command)
            for number, text in enumerate(texts, 1):
                answer = await ask(core, text, history=history, memory={"text": "memory"})
                assert answer.text == f"{number}: {text}"
            await core.stop_agent("a")
    assert told.lines == []


ACTS: dict[str, str] = {
    "answer": "answer(m)",
    "fail": "say('agent_failed', id=m['id'], message='no')",
    "late": "say('agent_response', id=before, text='late')",
    "early": "say('agent_response', id=str(int(m['id'].split('-')[0]) + 1), text='early')",
    "wrong id": "say('agent_response', id='nonsense', text='wrong')",
    "no id": "say('agent_response', text='none')",
    "garbage": "raw(b'\\xff garbage {\\n')",
    "half a line": 'raw(b\'{"type": "agent_resp\\n\')',
    "nothing": "raw(b'\\n\\r\\n')",
    "progress": "say('progress', id=m['id'], text='x')",
    "file": "say('file', id=m['id'], path='a', content='b')",
    "stderr": "sys.stderr.write('noise\\n')",
}


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.lists(st.sampled_from(sorted(ACTS)), max_size=8), min_size=1, max_size=6))
def test_whatever_a_process_writes_each_request_gets_its_own_answer_or_its_own_failure(acts: list[list[str]]):
    """Every request's lines are followed by an answer, so that a request ends, whatever came before."""
    steps = ["\n        ".join(["pass", *(ACTS[each] for each in listed)]) for listed in acts]
    cases = "\n".join(f"    if number == {at}:\n        {step}" for at, step in enumerate(steps))
    body = (
        f"before = '0'\nfor number, m in enumerate(requests()):\n{cases}\n    answer(m)\n    before = m['id']"
    )
    outcomes = anyio.run(_asked, program(body), len(acts))
    for number, listed in enumerate(acts):
        first = next((each for each in listed if each in ("answer", "fail")), "answer")
        assert outcomes[number] == (f"question {number}" if first == "answer" else "AgentFailed")


async def _asked(command: list[str], count: int) -> list[str]:
    outcomes: list[str] = []
    with anyio.fail_after(10):
        async with orchestrator() as core:
            await core.start_agent("a", command)
            for number in range(count):
                try:
                    outcomes.append((await ask(core, f"question {number}")).text)
                except AgentFailed as failed:
                    outcomes.append(type(failed).__name__)
    return outcomes


async def test_lines_that_are_broken_at_random_never_hang_and_never_answer_another_request():
    """A good answer with some of its bytes changed, cut out or doubled; then a good one."""
    body = """
import random
chance = random.Random(7)
for message in requests():
    whole = {"type": "agent_response", "id": message["id"], "text": message["text"]}
    line = bytearray(json.dumps(whole).encode())
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(line))
        change = chance.randint(0, 2)
        if change == 0: line[at] = chance.randint(0, 255)
        elif change == 1: del line[at:at + chance.randint(1, 9)]
        else: line[at:at] = line[at:at + 9]
    raw(bytes(line) + b"\\n")
    answer(message)
"""
    with anyio.fail_after(10):
        async with orchestrator() as core:
            await core.start_agent("a", program(body))
            for number in range(300):
                text = f"{number} " * 20
                try:
                    found = (await ask(core, text)).text
                except AgentFailed as failed:
                    assert failed.code == "bad_answer"
                    continue
                # Changed bytes may still make a line of this request; of another they never do.
                assert not found or found.split().count(str(number)) >= 10
