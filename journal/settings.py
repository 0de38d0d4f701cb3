"""The settings of the trail.

Knows:    JOURNAL_KEY.
Does not: make a key where none is set.   (key.py)
"""

from typing import Annotated

from pydantic import AfterValidator, SecretStr

from common.settings import Settings

_MIN_KEY = 32
"""Characters: what `openssl rand -hex 16` prints. A word could be guessed, and the digests with it."""


def _long_enough(key: SecretStr) -> SecretStr:
    if 0 < len(key.get_secret_value()) < _MIN_KEY:
        raise ValueError(
            f"must have {_MIN_KEY} characters or more, or be empty; make one: openssl rand -hex 32"
        )
    return key


class JournalSettings(Settings):
    """How the trail is keyed."""

    journal_key: Annotated[SecretStr, AfterValidator(_long_enough)] = SecretStr("")
