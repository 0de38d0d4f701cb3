"""The JSON Schema of every message of the protocol, a file each, and how they are written anew."""

from workshop.schemas.writing import schemas, write

__all__ = ["schemas", "write"]
