"""The house's own servers by a word: what is started, with what environment, and what it counts as."""

import sys
from pathlib import Path

import pytest
from pydantic import SecretStr

from bridge.transport import label, transport
from bridge.words import words_of
from common.settings import ROOT, contracts_environment, named
from common.target import CONTRACTS, target_of
from common.upstream_secrets import secrets_named_in
from guards.policy import policy_of
from mcp_tools import Bridge, Limits
from terminal.served import served_by

TABLE = """
upstreams:
  - {name: salla, base_url: https://api.example, auth: {kind: bearer, token: SALLA_ACCESS_TOKEN}}
  - name: other
    auth: {kind: oauth, client_id: OTHER_ID, client_secret: OTHER_SECRET, token: lower_case}
    note: NOT_A_SECRET
"""


def test_the_word_names_the_server_and_nothing_else_does():
    assert target_of("contracts") == target_of(" contracts ") == CONTRACTS
    assert target_of("./contracts") == ["./contracts"]
    assert target_of("contracts --profile x") == ["contracts", "--profile", "x"]
    assert target_of("https://shop.example/mcp") == "https://shop.example/mcp"


def test_its_label_is_that_of_no_command():
    assert label(CONTRACTS) == "python -m contracts"
    assert label(["python", "-m", "contracts"]) == "python"


def test_it_can_be_pinned_under_its_word():
    assert words_of(CONTRACTS) == "contracts"


def test_a_rule_that_spares_questions_is_about_it_only_where_it_names_it():
    bridge = Bridge(CONTRACTS, Limits(), "auto", SecretStr(""))
    assert (bridge.own, bridge.label) == (False, "python -m contracts")
    spares = "{effect: adds, decision: allow}, {server: python -m contracts, effect: adds, decision: allow}"
    text = f"rules: [{spares}]"
    assert [rule.server for rule in policy_of(text).at(bridge.label, own=bridge.own).rules] == [bridge.label]


def test_a_question_left_at_it_is_asked_again_at_it_alone():
    bridge = Bridge(CONTRACTS, Limits(), "auto", SecretStr(""))
    servers = {served_by(target, None, bridge, "").server for target in (CONTRACTS, None, ["contracts"])}
    assert len(servers) == 3


def test_only_names_under_the_keys_of_secrets_are_taken_from_the_table(tmp_path: Path):
    (tmp_path / "upstreams.yaml").write_text(TABLE, encoding="utf-8")
    assert secrets_named_in(tmp_path / "upstreams.yaml") == {"SALLA_ACCESS_TOKEN", "OTHER_ID", "OTHER_SECRET"}


@pytest.mark.parametrize("content", [b"\xff\xfe", b"a: [", b"", b"- - -", b"x: " + b"[" * 5_000])
def test_a_table_that_cannot_be_read_names_nothing(tmp_path: Path, content: bytes):
    (tmp_path / "upstreams.yaml").write_bytes(content)
    assert secrets_named_in(tmp_path / "upstreams.yaml") == set()
    assert secrets_named_in(tmp_path / "missing.yaml") == set()


def test_it_gets_its_own_settings_and_secrets_and_never_the_models_key(monkeypatch: pytest.MonkeyPatch):
    for name in (
        "CONTRACTS_KEY",
        "OTHER_SECRET",
        "OPENAI_API_KEY",
        "MCP_TOKEN",
        "SHOPKART_ROLE",
        "UNRELATED",
    ):
        monkeypatch.setenv(name, "value")
    given = contracts_environment({"OTHER_SECRET", "OPENAI_API_KEY", "MCP_TOKEN"})
    assert {"CONTRACTS_KEY", "OTHER_SECRET", "SHOPKART_ROLE"} <= set(given)
    assert not {"OPENAI_API_KEY", "MCP_TOKEN", "UNRELATED"} & set(given)


def test_a_setting_is_found_by_its_name_in_the_order_of_the_house(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("CONTRACTS_UPSTREAMS", raising=False)
    assert named("CONTRACTS_UPSTREAMS") == "upstreams.yaml"
    monkeypatch.setenv("CONTRACTS_UPSTREAMS", "elsewhere.yaml")
    assert named("CONTRACTS_UPSTREAMS") == "elsewhere.yaml"
    assert named("NO_SUCH_SETTING") == ""


def test_it_is_started_in_the_projects_folder_and_nothing_that_serves_others_gets_its_secrets(
    monkeypatch: pytest.MonkeyPatch,
):
    started: list[tuple[list[str], dict[str, str], object]] = []

    def stdio(command: list[str], environment: dict[str, str], *rest: object) -> None:
        started.append((command, environment, rest[2] if len(rest) > 2 else None))

    monkeypatch.setattr("bridge.transport._stdio", stdio)
    monkeypatch.setenv("SALLA_ACCESS_TOKEN", "value")
    for target in (CONTRACTS, None, [sys.executable, "-m", "contracts", "serve"]):
        transport(target, watch=None, limits=Limits())  # type: ignore[arg-type]
    assert [(environment.get("SALLA_ACCESS_TOKEN"), folder) for _, environment, folder in started] == [
        ("value", ROOT), (None, None), (None, None),
    ]  # fmt: skip
    assert started[0][0][-3:] == ["-m", "contracts", "serve"]
