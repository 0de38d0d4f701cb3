"""Each piece that is taken out is there, and what takes its place can be called in its stead."""

import importlib
import inspect
from unittest.mock import patch

import pytest
from click.testing import CliRunner

from evals import ablation


@pytest.mark.parametrize("piece", [name for name in ablation.PIECES if name != "nothing"])
def test_a_piece_hangs_on_functions_that_are_there_and_is_put_back(piece: str) -> None:
    taken = ablation.PIECES[piece]
    assert taken
    for place, instead in taken.items():
        with patch(place, instead) as put:
            assert put is instead
        module, _, name = place.rpartition(".")
        while True:
            try:
                owner = importlib.import_module(module)
                break
            except ModuleNotFoundError:
                module, _, middle = module.rpartition(".")
                name = f"{middle}.{name}"
        for part in name.split("."):
            owner = getattr(owner, part)
        assert owner is not instead and inspect.isfunction(owner)


def test_an_unknown_piece_is_a_usage_error() -> None:
    result = CliRunner().invoke(ablation.main, ["--only", "no such piece"])
    assert result.exit_code == 2 and "Nothing to play" in result.output
