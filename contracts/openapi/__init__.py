"""Drafts of contracts from an OpenAPI 3 description."""

from contracts.openapi.described import BadDescription
from contracts.openapi.importing import Imported, Note, Refusal, import_openapi

__all__ = ["BadDescription", "Imported", "Note", "Refusal", "import_openapi"]
