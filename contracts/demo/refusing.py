"""The API's refusals: a status, a code, a sentence, and what is wrong with single fields.

Knows:    the form that every refusal has.
Does not: decide any.
"""

from collections.abc import Mapping, Sequence
from typing import Any


class Refusal(Exception):
    """A request that is not carried out. fields: name -> what is wrong with it."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        fields: Mapping[str, Sequence[str]] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.fields = {name: list(said) for name, said in (fields or {}).items()}
        self.headers = dict(headers or {})

    def body(self) -> dict[str, Any]:
        """Return it as the API says it."""
        error: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.fields:
            error["fields"] = self.fields
        return {"status": self.status, "success": False, "error": error}


def not_found() -> Refusal:
    """Return the refusal for something that is not there."""
    return Refusal(404, "not_found", "It is not there.")


def invalid(fields: Mapping[str, Sequence[str]]) -> Refusal:
    """Return the refusal for fields that are wrong."""
    return Refusal(422, "validation_failed", "Some fields are not valid.", fields=fields)
