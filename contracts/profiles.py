"""Profiles: what one session sees of all that is served, and in which form.

Knows:    profiles.yaml, strictly, and whether a principal may use a profile.
Does not: know what is served.   (live.py)
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from contracts.contract import Name
from contracts.problems import BadContracts, ContractsError, Problem
from contracts.wording import in_words
from contracts.yaml_text import Text, read_yaml

Exposure = Literal["tools", "catalog"]

DEFAULT = "default"
"""The profile that a deployment without profiles.yaml has; every task, one tool for each function."""

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,59}")
_REMEDY = (
    "Write it as `NAME: {exposure: tools, tasks: all}`; exposure is tools or catalog, tasks a list or all."
)


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
    """There is no such profile, or not for this principal; neither is told from the other."""

    def __init__(self) -> None:
        super().__init__(
            "There is no profile of that name here. Use one of profiles.yaml, or none for the default."
        )


def load_profiles(path: Path) -> dict[str, Profile]:
    """Return the profiles by name; where there is no file, the one that shows everything as tools.

    Raises: BadContracts with every problem of the file.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return {DEFAULT: Profile(exposure="tools", tasks="all")}
    except OSError as error:
        raise BadContracts(
            [
                Problem(
                    path.name, 0, "", f"It cannot be read ({error.strerror}).", "Correct CONTRACTS_PROFILES."
                )
            ]
        ) from None
    text = read_yaml(data)
    problems = [Problem(path.name, flaw.line, "", flaw.rule, flaw.remedy) for flaw in text.flaws]
    found = {} if problems else _profiles(path.name, text, problems)
    if problems:
        raise BadContracts(sorted(problems))
    return found


def _profiles(file: str, text: Text, problems: list[Problem]) -> dict[str, Profile]:
    value: object = text.value
    written = cast(Mapping[object, object], value if isinstance(value, dict) else {})
    if not written:
        problems.append(Problem(file, 0, "", "It names no profile.", _REMEDY))
    found: dict[str, Profile] = {}
    for key, value in written.items():
        name = str(key)
        if not _NAME.fullmatch(name):
            remedy = "Use small letters, digits, _ and -, at most 60."
            problems.append(
                Problem(file, text.line((name,)), name[:60], "This is no name of a profile.", remedy)
            )
            continue
        try:
            found[name] = Profile.model_validate(value)
        except ValidationError as error:
            problems += _told(file, text, name, error)
    return found


def _told(file: str, text: Text, name: str, error: ValidationError) -> list[Problem]:
    """Return what is wrong with a profile, each field once: tasks may fail as a list and as `all`."""
    fields: dict[str, Problem] = {}
    for loc, rule, _ in in_words(error, Profile):
        field = str(loc[0]) if loc else ""
        shown = f"{name}.{field}" if field else name
        fields.setdefault(field, Problem(file, text.line((name, field)), shown, rule, _REMEDY))
    return list(fields.values())
