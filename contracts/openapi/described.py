"""An API's description as data: read in bounded work, references followed inside it and nowhere else.

Knows:    OpenAPI 3.0 and 3.1 as YAML or JSON.
Does not: make contracts of it.
Source:   OpenAPI Specification 3.0.4 and 3.1.1.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, cast
from urllib.parse import unquote

import yaml as _untyped

from contracts.problems import ContractsError

_yaml = cast(Any, _untyped)

MOST_BYTES = 16_000_000
MOST_OPERATIONS = 20_000
METHODS = ("get", "head", "post", "put", "patch", "delete", "options", "trace")
_BESIDE_METHODS = frozenset({"$ref", "summary", "description", "servers", "parameters"})


class BadDescription(ContractsError):
    """What was given is no OpenAPI 3 description that can be imported; the text says why, and what to do."""


class _Loader(getattr(_yaml, "CSafeLoader", _yaml.SafeLoader)):  # type: ignore[misc]
    """YAML as OpenAPI means it: dates stay texts, and so do `no`, `on` and 1:30, which YAML 1.1 reads."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}


for _tag, _form, _first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?(?:0|[1-9][0-9]*)", "-+0123456789"),
    ("float", r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("merge", r"<<", "<"),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_form})$"), list(_first))


@dataclass(frozen=True)
class Operation:
    """One operation as it is described.

    parameters: those of its path first; one that is described elsewhere is left as its reference.
    servers: its own, or its path's.
    """

    path: str
    method: str
    said: Mapping[str, Any]
    parameters: tuple[Mapping[str, Any], ...]
    servers: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Description:
    """The whole description."""

    said: Mapping[str, Any]

    def follow(self, node: Any, *, most: int = 20) -> Mapping[str, Any]:
        """Return what a node refers to, or the node; empty where it refers to nothing that is here.

        A reference to another file or address is not followed.
        """
        for _ in range(most):
            found = mapping(node)
            target = found.get("$ref")
            if not isinstance(target, str):
                return found
            node = self.at(target)
        return {}

    def at(self, reference: str) -> Any:
        """Return what a local reference names; None where it is not local or names nothing."""
        if not reference.startswith("#/"):
            return None
        node: Any = self.said
        for part in reference[2:].split("/"):
            name = unquote(part).replace("~1", "/").replace("~0", "~")
            if isinstance(node, list) and name.isdigit() and int(name) < len(cast(list[Any], node)):
                node = cast(list[Any], node)[int(name)]
            else:
                node = mapping(node).get(name)
        return node

    def operations(self) -> Iterator[Operation]:
        """Yield every operation, in the order of paths and methods."""
        for path, item in sorted(mapping(self.said.get("paths")).items()):
            shared = self.follow(item)
            common = self._parameters(shared)
            for method in METHODS:
                if not path.startswith("x-") and isinstance(shared.get(method), dict):
                    said = mapping(shared[method])
                    servers = tuple(items(said.get("servers")) or items(shared.get("servers")))
                    yield Operation(path, method, said, _merged(common, self._parameters(said)), servers)

    def strays(self) -> Iterator[str]:
        """Yield what stands under paths and is no operation that can be read, in words."""
        for path, item in sorted(mapping(self.said.get("paths")).items()):
            shared = self.follow(item)
            if path.startswith("x-"):
                continue
            if not shared and item:
                yield f"{path}: its operations are described elsewhere, and no other file is read"
            for key, value in shared.items():
                known = key in METHODS and isinstance(value, dict)
                if not (known or key in _BESIDE_METHODS or key.startswith("x-")):
                    yield f"{path}: {key} is no operation that is read"

    def _parameters(self, said: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        return [self.follow(each) or mapping(each) for each in items(said.get("parameters"))]


def _merged(common: list[Mapping[str, Any]], own: list[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """Return the parameters of a path and of an operation; the operation's own win."""
    both = {(str(each.get("in")), str(each.get("name"))): each for each in (*common, *own)}
    return tuple(both.values())


def mapping(node: Any) -> Mapping[str, Any]:
    """Return a mapping as it is, anything else as an empty one."""
    return cast(Mapping[str, Any], node) if isinstance(node, dict) else {}


def items(node: Any) -> list[Any]:
    """Return a list as it is, anything else as an empty one."""
    return cast(list[Any], node) if isinstance(node, list) else []


def read_description(data: bytes) -> Description:
    """Return the description.  Raises: BadDescription."""
    if len(data) > MOST_BYTES:
        raise BadDescription(f"The description has {len(data)} bytes, and {MOST_BYTES} are read. Split it.")
    try:
        text = data.decode("utf-8-sig")
        value = json.loads(text) if text.lstrip().startswith("{") else _yaml.load(text, Loader=_Loader)
        plain = _plain(value, [4_000_000])
    except UnicodeDecodeError as error:
        raise BadDescription(f"The description is no UTF-8 (byte {error.start}). Save it as UTF-8.") from None
    except RecursionError:
        raise BadDescription("The description is nested too deep to be read.") from None
    except (ValueError, _yaml.YAMLError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 1})" if mark else ""
        raise BadDescription(f"The description is neither YAML nor JSON{where}. Correct it.") from None
    _require_openapi_3(plain)
    return Description(plain)


def _require_characters(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadDescription(
            "The description holds half a character (\\ud800 to \\udfff). Correct it."
        ) from None


def _require_openapi_3(value: Any) -> None:
    said = mapping(value)
    version = str(said.get("openapi", ""))
    if re.fullmatch(r"3\.[01](?:\.\d+)?", version):
        return
    if "swagger" in said:
        told = f"This is Swagger {str(said['swagger'])[:10]}. Convert it to OpenAPI 3 (swagger2openapi does)."
    elif version:
        told = f"This is OpenAPI {version[:20]}, and 3.0 and 3.1 are read."
    else:
        told = "This is no OpenAPI description: it has no field `openapi`."
    raise BadDescription(told)


def _plain(node: Any, left: list[int], depth: int = 0) -> Any:
    """Return the node as plain JSON with texts as keys. left: nodes that may still be read.

    An alias makes a small file a huge one: what it stands for is counted each time.
    """
    left[0] -= 1
    if left[0] < 0:
        raise BadDescription("The description is larger, once its aliases are written out, than is read.")
    if depth > 200:
        raise RecursionError
    if isinstance(node, dict):
        return {
            str(_plain(key, left, depth + 1)): _plain(value, left, depth + 1)
            for key, value in cast(dict[Any, Any], node).items()
        }
    if isinstance(node, list):
        return [_plain(item, left, depth + 1) for item in cast(list[Any], node)]
    if isinstance(node, float) and not math.isfinite(node):
        raise BadDescription("The description holds a number that is none (NaN or infinity). Correct it.")
    text = node if isinstance(node, str | int | float | bool) or node is None else str(node)
    if isinstance(text, str) and not text.isascii():
        _require_characters(text)
    return text
