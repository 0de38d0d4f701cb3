"""Profiles: what one session sees of all that is served, and in which form.

Knows:    profiles.yaml, strictly, and whether a principal may use a profile.
Does not: know what is served.   (live.py)
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from contracts.contract import Name
from contracts.problems import BadContracts, ContractsError, Problem
from contracts.yaml_text import Text, read_yaml

Exposure = Literal["tools", "catalog"]

DEFAULT = "default"

_FORM = (
    "It must be as `NAME: {exposure: tools, tasks: all}`; exposure is tools or catalog, tasks a list or all."
)
_NAME = Name.__metadata__[0].metadata if hasattr(Name, "__metadata__") else ()


class Profile(BaseModel):
    """One profile. principals: for whom only; None for everybody who may come in."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    exposure: Exposure
    tasks: Literal["all"] | Annotated[tuple[Name, ...], Field(max_length=1_000)]
    principals: Annotated[tuple[str, ...], Field(min_length=1, max_length=1_000)] | None = None

    def admits(self, principal: str) -> bool:
        """Say whether the principal may use it."""
        return self.principals is None or principal in self.principals


class UnknownProfile(ContractsError):
    """There is no such profile, or not for this principal: the same words, so that none tells the other."""

    def __init__(self, known: tuple[str, ...] = ()) -> None:
        named = f" It has: {', '.join(known)}." if known else ""
        super().__init__(f"There is no profile of that name.{named} Use one that this server has.")
