"""The fault switch: what a shop's API can do wrong, for as many requests as one asks for.

Knows:    the kinds of faults and what each answers.
Does not: know any route.
Rule:     a merchant can break only its own answers, from this machine; openapi.yaml does not tell of it.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response

from contracts.demo.refusing import Refusal

_HUGE_BYTES = 8_000_000
"""More than any upstream is trusted with (contracts/upstreams.py: 4,000,000)."""


class Fault(BaseModel):
    """What goes wrong, and how often.

    status: answers with that status (and Retry-After). slow: answers late. garbage: no JSON. redirect: to
    `to`. huge: more than anybody reads. unknown_field: every object has a field that no description has.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["status", "slow", "garbage", "redirect", "huge", "unknown_field"]
    times: Annotated[int, Field(ge=1, le=1_000)] = 1
    status: Annotated[int, Field(ge=400, le=599)] = 503
    retry_after: Annotated[str, Field(max_length=40)] = ""
    seconds: Annotated[float, Field(ge=0, le=120)] = 5
    to: Annotated[str, Field(max_length=200)] = "http://elsewhere.example/"


@dataclass
class Faults:
    """The faults that are still to come, by merchant. sleep: waits for seconds."""

    sleep: Callable[[float], Awaitable[None]]
    _coming: dict[str, list[Fault]] = field(default_factory=dict[str, list[Fault]])

    def set(self, merchant: str, fault: Fault) -> None:
        """Let the next answers to a merchant be wrong, after those that are to be wrong already."""
        self._coming.setdefault(merchant, []).extend([fault] * fault.times)

    def clear(self, merchant: str) -> None:
        """Let all be well again."""
        self._coming.pop(merchant, None)

    async def next(self, merchant: str) -> tuple[Fault | None, Response | None]:
        """Return the fault of this request, and what is answered in place of everything else."""
        coming = self._coming.get(merchant)
        if not coming:
            return None, None
        fault = coming.pop(0)
        if fault.kind == "slow":
            await self.sleep(fault.seconds)
        return fault, _instead(fault)


def _instead(fault: Fault) -> Response | None:
    if fault.kind == "status":
        headers = {"Retry-After": fault.retry_after} if fault.retry_after else {}
        said = Refusal(fault.status, "fault", "The shop's system has a fault.", headers=headers)
        return JSONResponse(said.body(), fault.status, headers)
    if fault.kind == "garbage":
        return Response(b"<html>{[\xff", 200, media_type="application/json")
    if fault.kind == "redirect":
        return Response(b"", 302, {"Location": fault.to})
    if fault.kind == "huge":
        return Response(b'{"status":200,"success":true,"data":"' + b"a" * _HUGE_BYTES + b'"}', 200)
    return None


def with_unknown_fields(value: Any) -> Any:
    """Return an answer in which every object has a field that nobody declared."""
    if isinstance(value, dict):
        said = cast(dict[str, Any], value)
        return {
            **{name: with_unknown_fields(each) for name, each in said.items()},
            "internal_note": "not for you",
        }
    if isinstance(value, list):
        items = cast(list[Any], value)
        return [with_unknown_fields(each) for each in items]
    return value
