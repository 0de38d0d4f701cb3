"""The comparison: what passed between a framework and its server is judged as the real agent's turns are."""

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from click.testing import CliRunner

import mcp_tools
from common.settings import ROOT
from evals.frameworks import __main__ as command
from evals.frameworks import table, transcripts
from evals.messages import Dialogue
from evals.scoring import Share, summarise

RECORDER = ROOT / "evals" / "frameworks" / "recorded.py"
ORDER = {"order_id": "4471", "status": "shipped", "carrier": "DHL"}

Passed = tuple[str, dict[str, Any]]


def call(number: int, tool: str = "get_order_status", **arguments: str) -> Passed:
    params = {"name": tool, "arguments": arguments}
    return "server", {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def answer(number: int, data: dict[str, Any], *, is_error: bool = False) -> Passed:
    content = [{"type": "text", "text": "told"}]
    result = {"content": content, "structuredContent": data, "isError": is_error}
    return "client", {"jsonrpc": "2.0", "id": number, "result": result}


def dialogue(*turns: dict[str, Any]) -> Dialogue:
    return Dialogue.model_validate({"id": "one", "group": "g", "turns": list(turns)})


WHERE = {
    "text": "where is 4471?",
    "calls": [{"tool": "get_order_status", "order_id": "4471"}],
    "facts": {"4471": ["status"]},
}
WHO = {"text": "who brings it?", "calls": [], "facts": {"4471": ["carrier"]}}


def left(folder: Path, told: list[dict[str, Any]], passed: list[Passed]) -> Path:
    """Write what an adapter and its recorder leave behind."""
    lines = [{"dialogue": "one", "seconds": 1.0, "model_calls": 2, **line} for line in told]
    (folder / "turns.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    entries = [json.dumps({"to": to, "line": json.dumps(message)}) for to, message in passed]
    (folder / "one.jsonl").write_text("\n".join(entries), encoding="utf-8")
    return folder


def test_a_dialogue_of_a_framework_is_judged_like_one_of_ours(tmp_path: Path) -> None:
    told = [
        {"turn": 1, "reply": "It has been shipped.", "recorded": 2},
        {"turn": 2, "reply": "DHL brings it; the number is JD999.", "recorded": 2},
    ]
    folder = left(tmp_path, told, [call(1, order_id="4471"), answer(1, ORDER)])
    first, second = transcripts.verdicts([dialogue(WHERE, WHO)], folder, {"4471": ORDER})
    assert (first.right_call, first.missing, first.model_calls, first.solved) == (True, (), 2, True)
    assert (second.right_call, second.missing, second.unverified) == (True, (), ("jd999",))


def test_the_calls_of_each_turn_are_told_apart(tmp_path: Path) -> None:
    told = [{"turn": 1, "reply": "?", "recorded": 0}, {"turn": 2, "reply": "Shipped.", "recorded": 2}]
    folder = left(tmp_path, told, [call(1, order_id="4471"), answer(1, ORDER)])
    first, second = transcripts.verdicts([dialogue(WHERE, WHO)], folder, {"4471": ORDER})
    assert (first.calls, len(second.calls)) == ((), 1)
    assert (first.right_call, second.right_call) == (False, False)


def test_an_unseen_id_that_reached_the_server_and_a_ticket_that_nobody_wanted_are_counted(
    tmp_path: Path,
) -> None:
    told = [{"turn": 1, "reply": "I have opened a ticket.", "recorded": 2}]
    passed = [call(1, "create_ticket", order_id="9999", category="other"), answer(1, {"ticket_id": "T-1"})]
    figures = summarise(transcripts.verdicts([dialogue(WHERE)], left(tmp_path, told, passed), {}))
    assert (figures.ids_executed, figures.unasked, figures.claims) == (1, 1, 0)


def test_a_claim_without_a_call_and_machinery_are_counted(tmp_path: Path) -> None:
    told = [{"turn": 1, "reply": 'I have opened a ticket. {"name": "create_ticket"}', "recorded": 0}]
    figures = summarise(transcripts.verdicts([dialogue(WHERE)], left(tmp_path, told, []), {}))
    assert (figures.claims, figures.machinery) == (1, 1)


@pytest.mark.parametrize(
    ("reply", "made"),
    [
        (answer(1, {"error": "invalid_arguments"}, is_error=True), 0),
        (answer(1, {"error": "unknown_tool"}, is_error=True), 0),
        (answer(1, {"error": "unknown_order"}, is_error=True), 1),
        (("client", {"id": 1, "error": {"code": -32602, "message": "no such tool"}}), 0),
        (answer(1, ORDER), 1),
    ],
)
def test_a_call_that_the_server_could_not_use_does_not_count_as_made(
    tmp_path: Path, reply: Passed, made: int
) -> None:
    folder = left(tmp_path, [{"turn": 1, "reply": "", "recorded": 2}], [call(1, order_id="4471"), reply])
    assert len(transcripts.verdicts([dialogue(WHERE)], folder, {})[0].calls) == made


def test_a_turn_that_the_adapter_did_not_tell_or_that_broke_off_is_wrong(tmp_path: Path) -> None:
    folder = left(tmp_path, [{"turn": 1, "reply": "", "recorded": 0, "error": "Timeout: late"}], [])
    first, second = transcripts.verdicts([dialogue(WHERE, WHO)], folder, {})
    assert (first.error, second.error) == ("Timeout: late", transcripts.SILENT)
    assert summarise([first, second]).errors == 2


def test_nothing_left_behind_is_a_turn_that_broke_off_and_no_crash(tmp_path: Path) -> None:
    assert transcripts.verdicts([dialogue(WHERE)], tmp_path / "none", {})[0].error == transcripts.SILENT


def test_lines_that_are_no_message_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps({"to": "client", "line": "not JSON"}) + "\n", encoding="utf-8")
    assert transcripts.events(transcripts.read_recording(path)) == []


@pytest.mark.anyio
async def test_the_recorder_passes_everything_on_and_writes_the_calls_down(tmp_path: Path) -> None:
    record = tmp_path / "one.jsonl"
    server = [sys.executable, str(RECORDER), str(record), sys.executable, str(ROOT / "server.py")]
    with anyio.fail_after(60):
        async with mcp_tools.connect(server) as bridge:
            result = await bridge.call("get_order_status", {"order_id": "4471"})
    assert result.data["order_id"] == "4471"
    requested, started, returned = transcripts.events(transcripts.read_recording(record))
    assert requested.as_dict()["arguments"] == '{"order_id": "4471"}'
    assert started.as_dict()["arguments"] == {"order_id": "4471"}
    assert returned.as_dict()["data"] == result.data


@pytest.mark.anyio
async def test_an_adapter_is_told_its_dialogues_and_what_it_tells_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "ROOT", tmp_path)
    adapter = tmp_path / "adapter.py"
    adapter.write_text(
        "import json, sys\n"
        "request = json.load(sys.stdin)\n"
        "for one in request['dialogues']:\n"
        "    told = {'dialogue': one['id'], 'turn': 1, 'reply': one['turns'][0], 'seconds': 0.5,\n"
        "            'model_calls': 1, 'recorded': 0}\n"
        "    print(json.dumps(told, ensure_ascii=False), flush=True)\n"
        "print('a warning', file=sys.stderr)\n"
        "sys.exit(3)\n",
        encoding="utf-8",
    )
    request = command.request_for(tmp_path, [dialogue({"text": "где заказ?", "calls": []})])
    with anyio.fail_after(60):
        await command.run_adapter([sys.executable, str(adapter)], request, tmp_path)
    assert transcripts.read_told(tmp_path / "turns.jsonl")["one", 1].reply == "где заказ?"
    assert (tmp_path / "stderr.txt").read_text(encoding="utf-8") == "a warning\n"
    printed = capsys.readouterr().out
    assert "one/1  0.5 s  где заказ?" in printed
    assert "ended with 3" in printed


def test_the_request_holds_the_rules_that_our_own_agent_has_and_no_tool(tmp_path: Path) -> None:
    request = command.request_for(tmp_path, [])
    assert request["instructions"].startswith("You are the customer support assistant")
    assert "get_order_status" not in request["instructions"]
    assert request["server"][2] == "{record}"


def test_a_framework_that_is_not_installed_is_named_with_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "RUNS", ROOT / "var" / "nowhere")
    done = CliRunner().invoke(command.main, ["--limit", "1", "--only", "pydantic-ai"])
    assert done.exit_code == 2
    assert "make compare" in done.output


def test_a_last_run_that_is_not_there_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "RUNS", tmp_path)
    done = CliRunner().invoke(command.main, ["--filter", "chat-hello", "--only", "shopkart", "--judge-again"])
    assert done.exit_code == 2
    assert "Run without --judge-again" in done.output


def test_the_table_has_a_column_an_agent_and_the_figures_that_were_asked_for(tmp_path: Path) -> None:
    folder = left(tmp_path, [{"turn": 1, "reply": "Shipped.", "recorded": 0}], [])
    figures = summarise(transcripts.verdicts([dialogue(WHERE)], folder, {}))
    assert figures.right_call == Share(0, 1)
    lines = table.table({"ours": figures, "theirs": figures}).splitlines()
    assert lines[0] == "|  | ours | theirs |"
    assert "| model calls a turn | 2.00 | 2.00 |" in lines
    assert len(lines) == 2 + len(table.FIGURES)


@pytest.mark.parametrize("name", command.FRAMEWORKS)
def test_an_adapter_imports_nothing_of_ours_and_its_pins_are_exact(name: str) -> None:
    folder = ROOT / "evals" / "frameworks" / name
    code = (folder / "adapter.py").read_text(encoding="utf-8")
    ours = {path.stem for path in ROOT.glob("*.py")} | {path.name for path in ROOT.iterdir() if path.is_dir()}
    heads = {
        line.split()[1].split(".")[0] for line in code.splitlines() if line.startswith(("import ", "from "))
    }
    assert heads & (ours - {"agents"}) == set()
    pins = (folder / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert all("==" in pin for pin in pins if not pin.startswith("#"))
