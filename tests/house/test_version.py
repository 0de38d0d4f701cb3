"""The version stands once in the code; what packagers and readers see is the same."""

import re
import tomllib

from common.version import VERSION
from tests.house.tree import ROOT, read, shown, text_files


def test_pyproject_and_the_changelog_name_the_version_of_the_code():
    assert tomllib.loads(read(ROOT / "pyproject.toml"))["project"]["version"] == VERSION
    newest = re.search(r"^## (\d+\.\d+\.\d+)", read(ROOT / "CHANGELOG.md"), re.MULTILINE)
    assert newest is not None
    assert newest[1] == VERSION


def test_no_other_module_writes_it_out():
    own = {"common/version.py", "bench/bare_server.py"}  # the bare server is no part of ours
    code = [path for path in text_files() if path.suffix == ".py" and not shown(path).startswith("tests/")]
    assert [shown(path) for path in code if f'"{VERSION}"' in read(path) and shown(path) not in own] == []
