"""The demo shop's API keeps its own description: schemathesis asks it whatever openapi.yaml allows, and more.

Knows: openapi.yaml as a stranger's tool reads it.
"""

from typing import Any, cast

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import load_all_checks
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import positive_data_acceptance

from contracts.demo.api import BASE, Grant, Surroundings, demo_app
from contracts.demo.described import operations
from contracts.demo.operations import DOES, Done

load_all_checks()

_IGNORED = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]

_TOKEN = "token-of-the-demo"
_APP = demo_app({_TOKEN: Grant()}, Surroundings(per_minute=1_000_000))
_SCHEMA = schemathesis.openapi.from_asgi("/openapi.yaml", _APP, config=SchemathesisConfig.from_dict({}))
_SCHEMA.config.update(base_url=f"http://demo{BASE}")
_ALL = [found.ok() for found in _SCHEMA.get_all_operations() if isinstance(found, Ok)]
_OPERATIONS = {operation.definition.raw["operationId"]: operation for operation in _ALL}


def _ask(name: str, mode: schemathesis.GenerationMode) -> None:
    @given(_OPERATIONS[name].as_strategy(generation_mode=mode))
    @settings(max_examples=6, deadline=None, suppress_health_check=_IGNORED, derandomize=True)
    def ask(case: schemathesis.Case) -> None:
        # A parent that is not there is well-formed, and refused all the same.
        case.call_and_validate(
            headers={"Authorization": f"Bearer {_TOKEN}"}, excluded_checks=[positive_data_acceptance]
        )

    ask()


def test_every_operation_that_is_described_is_tried() -> None:
    assert set(_OPERATIONS) == {operation.name for operation in operations()}


@pytest.mark.parametrize("name", sorted(_OPERATIONS))
@pytest.mark.parametrize("mode", schemathesis.GenerationMode)
def test_whatever_is_asked_the_answer_is_one_that_the_description_has(
    name: str, mode: schemathesis.GenerationMode
) -> None:
    _ask(name, mode)


def test_an_answer_that_the_description_has_not_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cast(dict[str, Any], DOES), "listPages", lambda *_: Done([], 200, {"count": "many"}))
    with pytest.raises(FailureGroup) as found:
        _ask("listPages", schemathesis.GenerationMode.POSITIVE)
    assert "Response violates schema" in str(found.value.exceptions[0])
