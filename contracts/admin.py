"""The admin API beside /mcp: install, replace and remove tasks while the server runs.

Knows:    HTTP, the token of the settings, and what each request asks for.
Does not: know MCP, so that no model ever sees it, or judge a contract.   (reading.py)
Rule:     without a token in the settings every path answers 404, as if there were nothing. What is installed
          is pinned in the registry, so that it is there after a restart, too.
Source:   RFC 6750 for 401 and WWW-Authenticate.
"""

import hmac
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import anyio.to_thread
from pydantic import BaseModel, ConfigDict, SecretStr, StrictBool, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from contracts.contract import Name
from contracts.differences import differences
from contracts.live import Live
from contracts.names import taken_twice
from contracts.openapi import BadDescription, import_openapi
from contracts.pinning import AlreadyThere, NotThere, install, uninstall
from contracts.pins import NoRegistry
from contracts.problems import BadContracts, ContractsError, Problem
from contracts.reading import read_task
from contracts.task import Task

log = logging.getLogger(__name__)

LEAST_TOKEN = 24
"""Characters: what nobody guesses."""

MOST_BODY = 4_000_000

DESCRIPTION = Path(__file__).with_name("admin_openapi.yaml")


class BadToken(ContractsError):
    """CONTRACTS_ADMIN_TOKEN is too short to protect anything."""


class _Asked(Exception):
    """A request that is answered with a problem."""

    def __init__(self, status: int, code: str, message: str, next: str, **more: Any) -> None:
        super().__init__(message)
        self.status = status
        self.body = {"error": code, "message": message, "next": next, **more}
        self.headers = {"WWW-Authenticate": 'Bearer realm="shopkart admin"'} if status == 401 else {}


class _Files(BaseModel):
    """A task as it is sent: its name, and its files as text."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    name: Name
    files: dict[str, str]


class _Install(_Files):
    replace: StrictBool = False


class _Description(BaseModel):
    """An API's description, as text. name: of the task, where all of it becomes one."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    text: str
    upstream: Name
    name: Name | None = None


Handler = Callable[["_Admin", Request], Awaitable[Response]]


def admin_routes(live: Live, registry: Path, token: SecretStr) -> list[Route]:
    """Return the routes. token: empty where there is to be no admin API.

    Raises: BadToken.
    """
    secret = token.get_secret_value()
    if secret and len(secret) < LEAST_TOKEN:
        raise BadToken(
            f"CONTRACTS_ADMIN_TOKEN has fewer than {LEAST_TOKEN} characters. Make one with "
            '`python -c "import secrets; print(secrets.token_urlsafe(32))"`.'
        )
    admin = _Admin(live, registry, secret)
    return [Route(path, admin.guarded(handler), methods=[method]) for path, method, handler in _ROUTES] + [
        Route("/admin/{rest:path}", admin.guarded(_nothing), methods=_METHODS)
    ]


_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"]


@dataclass(frozen=True)
class _Admin:
    """What the handlers work with."""

    live: Live
    registry: Path
    token: str

    def guarded(self, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        """Return the handler behind the token, its problems told as JSON."""

        async def answer(request: Request) -> Response:
            try:
                self._admit(request)
                return await handler(self, request)
            except _Asked as asked:
                return JSONResponse(asked.body, asked.status, asked.headers)
            except BadContracts as error:
                return JSONResponse(_invalid(error.problems), 422)
            except OSError as error:
                log.error("the admin API could not use the registry: %s", error)
                why = error.strerror or "an error of the disk"
                return JSONResponse(
                    {
                        "error": "registry_unusable",
                        "message": f"The registry cannot be used ({why}).",
                        "next": "Look at the server's log and its disk, then send the request again.",
                    },
                    500,
                )

        return answer

    def _admit(self, request: Request) -> None:
        if not self.token:
            raise _nothing_here()
        shown = request.headers.getlist("authorization")
        scheme, _, secret = shown[0].partition(" ") if len(shown) == 1 else ("", "", "")
        # Starlette reads headers as latin-1: these are the bytes that came.
        same = hmac.compare_digest(secret.encode("latin-1"), self.token.encode())
        if scheme.lower() != "bearer" or not same:
            raise _Asked(
                401,
                "not_admitted",
                "The admin API needs its token.",
                "Send one header: Authorization: Bearer, and the value of CONTRACTS_ADMIN_TOKEN.",
            )


def _nothing_here() -> _Asked:
    return _Asked(404, "not_found", "There is nothing at this address.", "Correct the address.")


async def _nothing(_: _Admin, request: Request) -> Response:
    """Say which methods an address has; 404 where it is none."""
    path: str = request.scope["path"]
    allowed = {method for pattern, method, _ in _ROUTES if _is_of(path, pattern)}
    if not allowed:
        raise _nothing_here()
    allow = ", ".join(sorted(allowed))
    asked = _Asked(405, "no_such_method", f"This address knows {allow} alone.", "Use one of these.")
    return JSONResponse(asked.body, asked.status, {"Allow": allow})


def _is_of(path: str, pattern: str) -> bool:
    head, named, _ = pattern.partition("{name}")
    rest = path.removeprefix(head)
    return path == pattern if not named else path.startswith(head) and bool(rest) and "/" not in rest


# ---------------------------------------------------------------- what may be asked


async def _list(admin: _Admin, _: Request) -> Response:
    admin.live.refresh()
    catalog = admin.live.catalog
    return JSONResponse(
        {
            "approved": catalog.approved,
            "source": catalog.source,
            "tasks": [_summary(task) for task in catalog.tasks],
            "problems": [_shown(problem) for problem in admin.live.problems],
        }
    )


def _summary(task: Task) -> dict[str, Any]:
    return {
        "name": task.name,
        "title": task.file.title,
        "digest": task.digest,
        "functions": [each.name for each in task.functions],
        "views": [each.name for each in task.views],
        "prompts": [each.name for each in task.prompts],
        "skills": [each.uri for each in task.skills],
    }


async def _get(admin: _Admin, request: Request) -> Response:
    task = _served(admin, request.path_params["name"])
    files = {path: data.decode() for path, data in sorted(task.files.items())}
    return JSONResponse({**_summary(task), "files": files})


def _served(admin: _Admin, name: str) -> Task:
    admin.live.refresh()
    for task in admin.live.catalog.tasks:
        if task.name == name:
            return task
    raise _Asked(
        404, "unknown_task", "No task of that name is served.", "See GET /admin/tasks for those that are."
    )


async def _validate(admin: _Admin, request: Request) -> Response:
    sent = await _body(request, _Files)
    task = await _read(sent)
    admin.live.refresh()
    others = [each for each in admin.live.catalog.tasks if each.name != task.name]
    if taken := taken_twice([*others, task]):
        raise BadContracts(taken)
    return JSONResponse({"valid": True, **_summary(task)})


async def _diff(admin: _Admin, request: Request) -> Response:
    sent = await _body(request, _Files)
    new = await _read(sent)
    admin.live.refresh()
    old = {task.name: task for task in admin.live.catalog.tasks if task.name == sent.name}
    found = differences(old, {new.name: new})
    return JSONResponse({"name": new.name, "differences": [str(each) for each in found]})


async def _import(_: _Admin, request: Request) -> Response:
    sent = await _body(request, _Description)
    try:
        imported = await anyio.to_thread.run_sync(
            lambda: import_openapi(sent.text.encode(), name=sent.name, upstream=sent.upstream)
        )
    except BadDescription as error:
        raise _Asked(
            422, "bad_description", str(error), "Correct the description and send it again."
        ) from None
    tasks = {
        name: {path: data.decode() for path, data in files.items()} for name, files in imported.tasks.items()
    }
    refused = [str(each) for each in imported.refused]
    return JSONResponse({"tasks": tasks, "refused": refused, "notes": list(map(str, imported.notes))})


async def _install(admin: _Admin, request: Request) -> Response:
    sent = await _body(request, _Install)
    files = _bytes(sent.files)

    def work() -> Task:
        return install(admin.registry, sent.name, files, replace=sent.replace, by="the admin API")

    try:
        task = await anyio.to_thread.run_sync(work)
    except AlreadyThere as error:
        raise _Asked(
            409, "already_there", str(error), 'Send "replace": true to put it in its place.'
        ) from None
    except NoRegistry as error:
        raise _no_registry(error) from None
    admin.live.reload()
    served = task.digest in [each.digest for each in admin.live.catalog.tasks]
    log.info("a task was installed", extra={"task": task.name, "digest": task.digest})
    done = {"installed": True, "served": served, **_summary(task)}
    return JSONResponse(done, 200 if sent.replace else 201)


async def _uninstall(admin: _Admin, request: Request) -> Response:
    name: str = request.path_params["name"]
    try:
        await anyio.to_thread.run_sync(uninstall, admin.registry, name)
    except NotThere as error:
        raise _Asked(404, "unknown_task", str(error), "See GET /admin/tasks.") from None
    except NoRegistry as error:
        raise _no_registry(error) from None
    admin.live.reload()
    log.info("a task was removed", extra={"task": name})
    return JSONResponse({"removed": True})


def _no_registry(error: NoRegistry) -> _Asked:
    return _Asked(409, "no_registry", str(error), "Make one first.")


async def _describe(_: _Admin, __: Request) -> Response:
    return Response(DESCRIPTION.read_bytes(), media_type="application/yaml")


_ROUTES: tuple[tuple[str, str, Handler], ...] = (
    ("/admin/tasks", "GET", _list),
    ("/admin/tasks", "POST", _install),
    ("/admin/tasks/validate", "POST", _validate),
    ("/admin/tasks/diff", "POST", _diff),
    ("/admin/import/openapi", "POST", _import),
    ("/admin/openapi.yaml", "GET", _describe),
    ("/admin/tasks/{name}", "GET", _get),
    ("/admin/tasks/{name}", "DELETE", _uninstall),
)


# ---------------------------------------------------------------- reading a request


async def _body(request: Request, kind: type[Any]) -> Any:
    """Return what was sent.  Raises: _Asked."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise _Asked(415, "no_json", "The request is no JSON.", "Send content-type: application/json.")
    held = bytearray()
    async for piece in request.stream():
        held += piece
        if len(held) > MOST_BODY:
            raise _Asked(
                413, "too_large", f"The request has more than {MOST_BODY} bytes.", "Send a smaller task."
            )
    try:
        return kind.model_validate(_json(bytes(held)))
    except ValidationError as error:
        raise _Asked(
            422,
            "invalid_request",
            "The request has not the expected fields.",
            "Correct what is listed; GET /admin/openapi.yaml describes each request.",
            problems=[
                {"field": ".".join(map(str, each["loc"]))[:200], "rule": each["msg"]}
                for each in error.errors(include_url=False, include_input=False)
            ][:20],
        ) from None
    except (ValueError, RecursionError):
        raise _Asked(
            400, "no_json", "The request is no JSON, or a name stands in it twice.", "Send one JSON object."
        ) from None


def _json(held: bytes) -> Any:
    """Return what JSON says, in UTF-8 and with no name twice: of two the last would count in silence.

    Raises: ValueError, RecursionError.
    """
    value = json.loads(held.decode("utf-8"), object_pairs_hook=_once)
    json.dumps(value, ensure_ascii=False).encode("utf-8")  # half a character is no text, wherever it stands
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a name stands in it twice")
    return made


def _bytes(files: Mapping[str, str]) -> dict[str, bytes]:
    return {path: text.encode() for path, text in files.items()}


async def _read(sent: _Files) -> Task:
    """Read a task without installing it.  Raises: BadContracts."""
    files = _bytes(sent.files)
    return await anyio.to_thread.run_sync(lambda: read_task(sent.name, files))


def _shown(problem: Problem) -> dict[str, Any]:
    return asdict(problem) | {"text": str(problem)}


def _invalid(problems: Sequence[Problem]) -> dict[str, Any]:
    count = len(problems)
    return {
        "error": "invalid_contract",
        "message": f"{count} {'thing is' if count == 1 else 'things are'} wrong with these files.",
        "next": "Correct each of the problems and send the files again.",
        "problems": [_shown(problem) for problem in problems],
    }
