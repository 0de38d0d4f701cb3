"""upstreams.yaml: what is shipped loads, and whatever is wrong with one is told at once, with its line."""

from pathlib import Path

import pytest

from common.settings import ROOT
from contracts.problems import BadContracts
from contracts.upstreams_file import load_upstreams

HEAD = "upstreams:\n  - name: shop\n    base_url: https://shop.example\n"


def told(folder: Path, text: str) -> list[str]:
    """Return the problems of a table."""
    path = folder / "upstreams.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadContracts) as bad:
        load_upstreams(path)
    return [str(problem) for problem in bad.value.problems]


def test_the_shipped_table_names_the_salla_api_and_no_secret():
    salla = load_upstreams(ROOT / "upstreams.yaml")["salla"]
    assert salla.base_url == "https://api.salla.dev/admin/v2"
    assert (salla.auth.kind, salla.auth.token) == ("bearer", "SALLA_ACCESS_TOKEN")
    assert {"categories.read", "categories.read_write", "orders.read"} <= set(salla.scopes)


def test_the_example_of_the_shipped_table_is_one_that_loads(tmp_path: Path):
    text = (ROOT / "upstreams.yaml").read_text(encoding="utf-8")
    path = tmp_path / "upstreams.yaml"
    path.write_text(text.replace("  # -", "  -").replace("  #  ", "   "), encoding="utf-8")
    assert load_upstreams(path)["salla_app"].auth.token_url == "https://accounts.salla.sa/oauth2/token"


def test_every_problem_of_a_table_is_told_at_once_with_its_line_and_a_remedy(tmp_path: Path):
    assert told(
        tmp_path,
        f"{HEAD}    auth: {{kind: bearer, token: CONTRACTS_KEY}}\n"
        f"{HEAD.removeprefix('upstreams:')[1:]}    auth: {{kind: oauth, token: A_TOKEN}}\n"
        "  - name: other\n    base_url: https://o.example\n"
        "    auth: {kind: bearer, token_url: https://o.example/t}\n",
    ) == [
        "upstreams.yaml:4: upstreams[0].auth.token: CONTRACTS_KEY is a secret of this program, "
        "and no upstream's. Name a setting that holds the upstream's own secret.",
        "upstreams.yaml:5: upstreams[1].name: shop stands here twice. Keep one of them.",
        "upstreams.yaml:7: upstreams[1].auth: kind: oauth needs a token_url. "
        "Write the address where tokens are renewed.",
        "upstreams.yaml:7: upstreams[1].auth.token: kind: oauth uses no token of a setting. Remove it.",
        "upstreams.yaml:10: upstreams[2].auth.token_url: token_url is of kind: oauth alone. "
        "Remove it, or write kind: oauth.",
    ]


@pytest.mark.parametrize(
    "address",
    [
        "http://shop.example",
        "https://user@shop.example",
        "https://shop.example/?a=1",
        "https://shop.example/#a",
        "ftp://shop.example",
        "https://",
        "shop.example",
        "//shop.example",
    ],
)
@pytest.mark.parametrize("field", ["base_url", "token_url"])
def test_an_address_that_a_token_may_not_go_to_is_refused(tmp_path: Path, field: str, address: str):
    text = HEAD + "    auth: {kind: oauth, token_url: https://id.example}\n"
    before = "https://shop.example" if field == "base_url" else "https://id.example"
    (problem,) = told(tmp_path, text.replace(before, f'"{address}"'))
    assert f".{field}: " in problem


def test_plain_http_is_for_this_machine(tmp_path: Path):
    path = tmp_path / "upstreams.yaml"
    path.write_text(HEAD.replace("https://shop.example", "http://127.0.0.1:8788/v2/"), encoding="utf-8")
    assert load_upstreams(path)["shop"].base_url == "http://127.0.0.1:8788/v2"


@pytest.mark.parametrize(
    "text",
    [
        "upstreams: &all []\nmore: *all\n",
        "upstreams: []\nupstreams: []\n",
        "upstreams: {a: [\n",
        "",
        "[]",
        f"{HEAD}    colour: red\n",
        f"{HEAD}    limits: {{timeout_s: -1}}\n",
        f"{HEAD}    auth: {{kind: bearer, token: sk_live_0123456789}}\n",
    ],
)
def test_what_is_no_table_is_refused(tmp_path: Path, text: str):
    problems = told(tmp_path, text)
    assert problems
    assert not any("sk_live" in problem for problem in problems)


def test_a_table_that_is_not_there_is_told_with_the_setting(tmp_path: Path):
    with pytest.raises(BadContracts, match="CONTRACTS_UPSTREAMS"):
        load_upstreams(tmp_path / "none.yaml")
