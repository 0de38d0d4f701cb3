"""What agents ask the model: through the core, in view of the request that it is for."""

import anyio
import pytest

from llm import Completion, ModelError, Reply
from tests.workshop.wires import ask, kitted, orchestrator, program, reply
from workshop.errors import AgentFailed, AgentLate
from workshop.messages import FileWritten, Progress, SpecRequest

pytestmark = pytest.mark.anyio

ASKS = kitted(
    "serve({'user_input': lambda desk: desk.ask_model([{'role': 'user', 'content': desk.message['text']}])})"
)


async def echo(asked: Completion) -> Reply:
    return reply(asked.messages[-1]["content"].upper())


async def test_the_model_answers_the_agent_that_asked():
    with anyio.fail_after(5):
        async with orchestrator(complete=echo) as core:
            await core.start_agent("a", ASKS)
            assert (await ask(core, "hello")).text == "HELLO"


async def test_every_field_of_the_question_reaches_the_model():
    seen: list[Completion] = []

    async def model(asked: Completion) -> Reply:
        seen.append(asked)
        return reply("ok")

    agent = kitted(
        "serve({'user_input': lambda desk: desk.ask_model([{'role': 'system', 'content': 's'}], "
        "schema={'type': 'object'}, max_tokens=7, temperature=0.5, seed=3)})"
    )
    with anyio.fail_after(5):
        async with orchestrator(complete=model) as core:
            await core.start_agent("a", agent)
            await ask(core, "x")
    assert seen == [
        Completion(
            [{"role": "system", "content": "s"}], {"type": "object"}, max_tokens=7, temperature=0.5, seed=3
        )
    ]


async def test_a_model_that_fails_is_told_with_its_code_and_sentence():
    class Unreachable(ModelError):
        code = "not_reachable"

    async def model(asked: Completion) -> Reply:
        raise Unreachable("Nobody answers at the address. Start it.")

    with anyio.fail_after(5):
        async with orchestrator(complete=model) as core:
            await core.start_agent("a", ASKS)
            with pytest.raises(AgentFailed, match=r"^Nobody answers at the address\. Start it\.$") as failed:
                await ask(core, "x")
    assert failed.value.code == "not_reachable"


async def test_a_fault_of_ours_in_asking_the_model_ends_the_request_and_comes_out_as_it_is():
    broken = True

    async def model(asked: Completion) -> Reply:
        if broken:
            raise ZeroDivisionError("a fault of ours")
        return reply("well")

    with anyio.fail_after(5):
        async with orchestrator(complete=model) as core:
            await core.start_agent("a", ASKS)
            with pytest.raises(ZeroDivisionError, match="a fault of ours"):
                await ask(core, "x")
            broken = False
            assert (await ask(core, "y")).text == "well"


async def test_several_questions_of_one_request_are_open_at_once_and_not_mixed():
    both = anyio.Event()
    waiting: list[str] = []

    async def model(asked: Completion) -> Reply:
        waiting.append(asked.messages[0]["content"])
        if len(waiting) == 2:
            both.set()
        await both.wait()
        return reply(asked.messages[0]["content"] * 2)

    agent = kitted("""
from concurrent.futures import ThreadPoolExecutor
def answer(desk):
    with ThreadPoolExecutor() as pool:
        ask = lambda text: desk.ask_model([{"role": "user", "content": text}])
        return ",".join(pool.map(ask, ["a", "b"]))
serve({"user_input": answer})
""")
    with anyio.fail_after(5):
        async with orchestrator(complete=model) as core:
            await core.start_agent("a", agent)
            assert (await ask(core, "x")).text == "aa,bb"


async def test_a_question_is_cancelled_with_its_request_and_the_agent_is_free_at_once():
    asked_for = anyio.Event()
    cancelled = anyio.Event()
    hold = True

    async def model(asked: Completion) -> Reply:
        if not hold:
            return reply("next")
        asked_for.set()
        try:
            await anyio.sleep_forever()
        finally:
            cancelled.set()
        raise AssertionError

    with anyio.fail_after(5):
        async with orchestrator(complete=model) as core:
            await core.start_agent("a", ASKS)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(ask, core, "x", 60)
                await asked_for.wait()
                tasks.cancel_scope.cancel()
            await cancelled.wait()
            hold = False
            assert (await ask(core, "y")).text == "next"


async def test_a_model_that_is_slow_makes_the_request_late_and_not_the_next():
    hold = True

    async def model(asked: Completion) -> Reply:
        if hold:
            await anyio.sleep_forever()
        return reply("next")

    with anyio.fail_after(5):
        async with orchestrator(complete=model) as core:
            await core.start_agent("a", ASKS)
            with pytest.raises(AgentLate):
                await ask(core, "x", 0.3)
            hold = False
            assert (await ask(core, "y")).text == "next"


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ("messages=[]", "too_short|at least 1"),
        ("messages='x'", "valid array"),
        ("messages=[{'role': 'tool', 'content': 'x'}]", "'system', 'user' or 'assistant'"),
        ("messages=[{'role': 'user'}]", "Field required"),
        ("messages=[{'role': 'user', 'content': 'x'}], max_tokens=0", "max_tokens"),
        ("messages=[{'role': 'user', 'content': 'x'}], temperature=9", "temperature"),
    ],
)
async def test_a_question_of_a_wrong_form_is_refused_to_the_agent_and_not_asked(fields: str, why: str):
    asks = program(f"""
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "user_input":
        open_ = message["id"]
        say("model_request", id=open_, call="1", {fields})
    elif message["type"] == "model_failed":
        say("agent_failed", id=open_, code=message["code"], message=message["message"])
""")
    with anyio.fail_after(5):
        async with orchestrator() as core:
            await core.start_agent("a", asks)
            with pytest.raises(AgentFailed, match=why) as failed:
                await ask(core, "x")
    assert failed.value.code == "bad_request"


async def test_more_questions_at_once_than_are_answered_are_refused():
    async def model(asked: Completion) -> Reply:
        await anyio.sleep_forever()
        raise AssertionError

    asks = program("""
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "user_input":
        for call in range(17):
            said = [{"role": "user", "content": "x"}]
            say("model_request", id=message["id"], call=str(call), messages=said)
    elif message["type"] == "model_failed":
        say("agent_failed", id=message["id"], code=message["code"], message=message["call"])
        break
""")
    with anyio.fail_after(5):
        async with orchestrator(complete=model) as core:
            await core.start_agent("a", asks)
            with pytest.raises(AgentFailed, match="16") as failed:
                await ask(core, "x")
    assert failed.value.code == "too_many_calls"


async def test_a_question_for_a_request_that_is_over_is_refused_and_not_asked():
    # The code of the refusal, which nobody waits for, is told at the next request.
    asks = kitted("""
codes = []
def first(desk):
    desk.progress("begun")
    try:
        return desk.ask_model([{"role": "user", "content": "x"}])
    except ModelSilent as silent:
        codes.append(silent.code)
        raise
def second(desk):
    raise ModelSilent(codes[0], "told")
serve({"user_input": first, "spec_request": second})
""")

    async def model(asked: Completion) -> Reply:
        raise AssertionError("asked for a request that is over")

    async def on_part(part: Progress | FileWritten) -> None:
        raise OSError("over")

    with anyio.fail_after(5):
        async with orchestrator(complete=model) as core:
            await core.start_agent("a", asks)
            with pytest.raises(OSError, match="over"):
                await ask(core, "x", on_part=on_part)
            with pytest.raises(AgentFailed) as failed:
                await core.ask("a", SpecRequest, 5, text="x", answer_schema={})
    assert failed.value.code == "request_over"


async def test_a_question_that_nobody_had_come_to_when_the_request_ended_is_refused_too():
    asks = program("""
seen = []
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "user_input" and message["text"] == "first":
        progress = json.dumps({"type": "progress", "id": message["id"], "text": "x"})
        said = [{"role": "user", "content": "x"}]
        question = json.dumps({"type": "model_request", "id": message["id"], "call": "1", "messages": said})
        raw(f"{progress}\\n{question}\\n".encode())
    elif message["type"] == "model_failed":
        say("agent_failed", id=message["id"], message="late")
        seen.append(message["code"])
    elif message["type"] == "user_input":
        answer(message, ",".join(seen))
""")

    async def on_part(part: Progress | FileWritten) -> None:
        raise OSError("over")

    with anyio.fail_after(5):
        async with orchestrator() as core:
            await core.start_agent("a", asks)
            with pytest.raises(OSError, match="over"):
                await ask(core, "first", on_part=on_part)
            assert (await ask(core, "second")).text == "request_over"
