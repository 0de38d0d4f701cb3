"""The base of every room's settings class.

Knows:    where the settings files stand and which source wins.
Does not: name any setting; each room's own class does.
Order:    explicit argument > environment > .env.local > .env > default.
"""

import os
from collections.abc import Collection
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import ValidationError, create_model
from pydantic_settings import BaseSettings, SettingsConfigDict

ROOT = Path(__file__).resolve().parent.parent

S = TypeVar("S", bound="Settings")


class Settings(BaseSettings):
    """A frozen set of settings; keys that belong to another room are ignored.

    A field's name in lower case is the setting's name in upper case: `ollama_model` is OLLAMA_MODEL.
    """

    model_config = SettingsConfigDict(
        env_file=(ROOT / ".env", ROOT / ".env.local"),
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
    )


class BadSettings(Exception):
    """Settings that cannot be used; the text lists every one of them and what was expected."""

    def __init__(self, *errors: ValidationError) -> None:
        lines = [
            f"- {'.'.join(str(part) for part in problem['loc']).upper()}: {problem['msg']}"
            for error in errors
            for problem in error.errors(include_url=False, include_input=False)
        ]
        super().__init__(
            "These settings cannot be used. Correct them in the environment, .env.local or .env:\n"
            + "\n".join(lines)
        )


def load(kind: type[S]) -> S:
    """Return the room's settings.

    Raises: BadSettings, naming every bad setting at once and no value, since a value may be a secret.
    """
    try:
        return kind()
    except ValidationError as error:
        raise BadSettings(error) from None


def check(*kinds: type[Settings]) -> None:
    """Read the settings of several rooms, so that what is wrong with any is told at once.

    Raises: BadSettings.
    """
    errors: list[ValidationError] = []
    for kind in kinds:
        try:
            kind()
        except ValidationError as error:
            errors.append(error)
    if errors:
        raise BadSettings(*errors)


def state_folder() -> Path:
    """Return the user's state folder for this project; XDG_STATE_HOME or ~/.local/state holds it."""
    base = os.environ.get("XDG_STATE_HOME", "")
    # The XDG rule: a relative path there is to be ignored.
    root = Path(base) if Path(base).is_absolute() else Path.home() / ".local" / "state"
    return root / "shopkart"


_FOR_SERVERS = (
    "ACCESS_FILE",
    "CANCEL_UNTIL_SHIPPED",
    "DATABASE_URL",
    "JOURNAL_KEY",
    "ORDER_ID_PATTERN",
    "RETURN_DAYS",
    "XDG_STATE_HOME",
)


def server_environment() -> dict[str, str]:
    """Return what a server of this house is started with: its own settings from our environment only.

    A stdio child inherits almost nothing by itself, and must not: it has no business with the model's key.
    """
    return {
        name: value
        for name, value in os.environ.items()
        if (name.startswith("SHOPKART_") and not name.startswith("SHOPKART_TOKEN_")) or name in _FOR_SERVERS
    }


_OF_THE_AGENT = frozenset({"MCP_TOKEN", "OPENAI_API_KEY"})
"""What the chat shows to a model or to other servers: no table of upstreams gets it by naming it."""


def contracts_environment(secrets: Collection[str]) -> dict[str, str]:
    """Return what the server of contracts is started with. secrets: the variables that its upstreams name."""
    own = {
        name: value
        for name, value in os.environ.items()
        if name not in _OF_THE_AGENT and (name.startswith("CONTRACTS_") or name in secrets)
    }
    return server_environment() | own


def named(name: str) -> str:
    """Return one setting by its name, from wherever it is set; empty where it is nowhere."""
    field = name.lower()
    kind: Any = create_model("Named", __base__=Settings, **cast(Any, {field: (str, "")}))
    return getattr(kind(), field)
