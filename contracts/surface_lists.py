"""What one profile's sessions see: tools, prompts and resources, made once for each set of contracts.

Knows:    which tools an exposure has, and how prompts and skills are listed, filled and read.
Does not: answer a request (surface.py).
"""

import re
from collections.abc import Callable, Mapping
from functools import cached_property

from mcp import MCPError
from mcp_types import (
    INVALID_PARAMS,
    GetPromptResult,
    PromptArgument,
    PromptMessage,
    ReadResourceResult,
    TextContent,
    TextResourceContents,
)
from mcp_types import Prompt as ListedPrompt
from mcp_types import Resource as ListedResource
from mcp_types import Tool as Listed

from contracts import surface_catalog
from contracts.live import View
from contracts.surface_tools import UNAPPROVED, tool_of
from contracts.task import Prompt, Skill

SESSION_URI = "shop://session"

MOST_NAMED = 20
"""Names that an error lists."""

_ARGUMENT = re.compile(r"\{([A-Za-z][A-Za-z0-9_]*)\}")


class Shown:
    """What the sessions of one view see."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.catalog = view.catalog
        self.is_catalog = view.profile.exposure == "catalog"

    @cached_property
    def tools(self) -> Mapping[str, Listed]:
        """Return the tools by name."""
        approved = self.catalog.approved
        if self.is_catalog:
            return {name: tool.listed(approved=approved) for name, tool in surface_catalog.TOOLS.items()}
        return {name: tool_of(each, approved=approved) for name, each in self.catalog.functions.items()}

    @cached_property
    def prompts(self) -> list[ListedPrompt]:
        """Return the prompts."""
        return [_listed_prompt(each, self._said) for each in self.catalog.prompts.values()]

    @cached_property
    def resources(self) -> list[ListedResource]:
        """Return the resources: whom the session serves, and the skills."""
        session = ListedResource(
            uri=SESSION_URI,
            name="session",
            title="Whom this session serves",
            description="For the person at the screen: for whom, from where and under which profile.",
            mime_type="text/plain",
        )
        return [session, *(_listed_skill(each, self._said) for each in self.catalog.skills.values())]

    def has_tool(self, name: str) -> bool:
        """Say whether the session has a tool."""
        return name in (surface_catalog.TOOLS if self.is_catalog else self.catalog.functions)

    def changes(self, name: str) -> bool:
        """Say whether a tool may change something; one that is not there does not count as safe."""
        if self.is_catalog:
            return name not in surface_catalog.TOOLS
        offered = self.catalog.functions.get(name)
        return offered is None or offered.contract.effect != "read"

    def prompt(self, name: str, arguments: Mapping[str, str]) -> GetPromptResult:
        """Fill a prompt.  Raises: MCPError."""
        found = self.catalog.prompts.get(name)
        if found is None:
            known = named(list(self.catalog.prompts)) or "It has none"
            raise MCPError(INVALID_PARAMS, f"There is no prompt of that name. {known}.")
        declared = found.head.arguments
        if missing := [each for each in declared if each not in arguments]:
            raise MCPError(INVALID_PARAMS, f"The prompt {name} needs these arguments: {', '.join(missing)}.")
        if len(arguments) > len(declared):
            takes = ", ".join(declared) or "none"
            raise MCPError(INVALID_PARAMS, f"The prompt {name} takes these arguments and no others: {takes}.")
        # In one pass: a value that looks like an argument is not filled again.
        text = _ARGUMENT.sub(lambda each: arguments.get(each[1], each[0]), found.text)
        message = PromptMessage(role="user", content=TextContent(type="text", text=text))
        return GetPromptResult(description=self._said(found.head.summary), messages=[message])

    def resource(self, uri: str, session: str) -> ReadResourceResult:
        """Read a resource. session: the text of the resource that tells of it.  Raises: MCPError."""
        if uri == SESSION_URI:
            return _text(uri, session, "text/plain")
        skill = self.catalog.skills.get(uri)
        if skill is None:
            raise MCPError(INVALID_PARAMS, "There is no resource of that address. List them.", {"uri": uri})
        return _text(
            uri, skill.text if self.catalog.approved else f"{UNAPPROVED}\n\n{skill.text}", "text/markdown"
        )

    def _said(self, text: str) -> str:
        return text if self.catalog.approved else f"{text} {UNAPPROVED}"


def named(names: list[str]) -> str:
    """Return the first of some names as a hint; empty where there are none."""
    if not names:
        return ""
    more = f", and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"Use one of: {', '.join(names[:MOST_NAMED])}{more}"


def _listed_prompt(prompt: Prompt, said: Callable[[str], str]) -> ListedPrompt:
    arguments = [
        PromptArgument(name=name, description=summary, required=True)
        for name, summary in prompt.head.arguments.items()
    ]
    return ListedPrompt(
        name=prompt.name,
        title=prompt.head.title,
        description=said(prompt.head.summary),
        arguments=arguments,
    )


def _listed_skill(skill: Skill, said: Callable[[str], str]) -> ListedResource:
    return ListedResource(
        uri=skill.uri,
        name=skill.name,
        title=skill.head.name,
        description=said(skill.head.description),
        mime_type="text/markdown",
    )


def _text(uri: str, text: str, mime_type: str) -> ReadResourceResult:
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, text=text, mime_type=mime_type)])
