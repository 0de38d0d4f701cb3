"""JSON Schemas of the contract's files, so that an editor completes and checks while one writes.

Knows:    which model is which file, and how the schemas are written.
Does not: check a task: an editor sees less than `validate`, which also knows the rules between fields.
"""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from contracts.contract import FunctionsFile, PromptHead, SkillHead, TaskFile, ViewsFile

MODELS: Mapping[str, type[BaseModel]] = {
    "task": TaskFile,
    "functions": FunctionsFile,
    "views": ViewsFile,
    "prompt": PromptHead,
    "skill": SkillHead,
}


def schema_files() -> dict[str, bytes]:
    """Return the schemas by file name, as `functions.schema.json`. The same models make the same bytes."""
    return {f"{name}.schema.json": _written(name, model) for name, model in MODELS.items()}


def _written(name: str, model: type[BaseModel]) -> bytes:
    schema: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **model.model_json_schema(by_alias=True),
        "title": f"{name}.yaml of a ShopKart task"
        if name in ("task", "functions", "views")
        else f"Head of a {name}",
    }
    return (json.dumps(schema, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()
