"""The JSON Schemas, made from the messages: `python -m workshop schema`.

Knows:    which side sends a message: what the core sends has every field, an agent may leave some out.
Does not: check a message.   (lines.py)
"""

import json
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

from workshop.messages import AgentMessage, CoreMessage

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, dict[str, Any]]:
    """Return each message's type and its schema."""
    core = {_type(kind): _sent(kind.model_json_schema(mode="serialization")) for kind in _kinds(CoreMessage)}
    agent = {_type(kind): _read(kind.model_json_schema(mode="validation")) for kind in _kinds(AgentMessage)}
    return core | agent


def write(folder: Path) -> list[Path]:
    """Write each schema into the folder, and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_written(folder / f"{name}.json", schema) for name, schema in schemas().items()]


def _kinds(union: Any) -> tuple[type[BaseModel], ...]:
    return get_args(get_args(union)[0])


def _type(kind: type[BaseModel]) -> str:
    return kind.model_fields["type"].default


def _sent(schema: dict[str, Any]) -> dict[str, Any]:
    return {"$schema": _DIALECT, **schema, "required": list(schema["properties"])}


def _read(schema: dict[str, Any]) -> dict[str, Any]:
    # The type has a default for us who make messages; on the wire it is what a message is told by.
    required = ["type", *(name for name in schema["required"] if name != "type")]
    return {"$schema": _DIALECT, **schema, "required": required}


def _written(path: Path, schema: dict[str, Any]) -> Path:
    path.write_text(json.dumps(schema, indent=2, ensure_ascii=False) + "\n", "utf-8", newline="\n")
    return path
