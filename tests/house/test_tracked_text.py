"""No file of the project carries a secret, a path of one machine, or a registry's address."""

import re

from tests.house.tree import read, shown, text_files

# Written in pieces, so that this file does not find itself.
SECRETS = re.compile(
    r"\b(?:sk" + r"-[A-Za-z0-9_-]{20,}|hf" + r"_[A-Za-z0-9]{20,}|gh" + r"[pousr]_[A-Za-z0-9]{20,}"
    r"|AKIA" + r"[0-9A-Z]{16}|xox" + r"[abp]-[0-9A-Za-z-]{10,})"
    r"|-----BEGIN [A-Z ]*PRIVATE" + r" KEY-----"
)
MACHINE_PATHS = re.compile(
    r"(?<![\w.~}/-])/(?:root|work|workspace|opt/pypi|opt/wheels)(?:/|\b)|(?<![\w.-])/(?:home|Users)/(?!you\b)\w+"
)
REGISTRIES = re.compile(
    r"\b(?:pypi" + r"\.org|pythonhosted" + r"\.org|registry\.npm" + r"js\.org|deb\.debian" + r"\.org)"
    r"|--(?:extra-)?index" + r"-url|--find" + r"-links|--trusted" + r"-host"
)

FORBIDDEN = {"a secret": SECRETS, "a path of one machine": MACHINE_PATHS, "a registry's address": REGISTRIES}


def found_in(text: str) -> list[str]:
    return [what for what, pattern in FORBIDDEN.items() if pattern.search(text)]


def test_no_file_carries_what_must_not_be_published():
    found = {shown(path): found_in(read(path)) for path in text_files()}
    assert {name: what for name, what in found.items() if what} == {}


def test_what_must_not_be_published_is_found():
    assert found_in("key = sk" + "-" + "a1" * 12) == ["a secret"]
    assert found_in("see /" + "root/project/notes") == ["a path of one machine"]
    assert found_in("open /" + "home/kim/shop") == ["a path of one machine"]
    assert found_in("pip install --index" + "-url X") == ["a registry's address"]
    assert (
        found_in("run `python server.py` in the root/ of your copy, policy://returns, tests/work" + "/x.py")
        == []
    )
