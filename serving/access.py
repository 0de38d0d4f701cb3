"""Which role may use which tool: the shop's access.yaml.

Knows:    the file, and that what it does not list is refused.
Does not: know whose records a tool may show.   (identity.py, and the queries of store/)
"""

from collections.abc import Sequence
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from common.settings import ROOT
from serving.identity import Role


class BadAccess(Exception):
    """The access file cannot be used; the text says what is wrong with it."""


class Access(BaseModel):
    """The tools of each role."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    guest: tuple[str, ...] = ()
    customer: tuple[str, ...] = ()
    staff: tuple[str, ...] = ()

    def allows(self, role: Role, tool: str) -> bool:
        """Say whether the role may use the tool."""
        return tool in {"guest": self.guest, "customer": self.customer, "staff": self.staff}[role]

    def unknown(self, tools: Sequence[str]) -> list[str]:
        """Return the names in the file that are no tool: a rule about nothing is a mistake."""
        return sorted({*self.guest, *self.customer, *self.staff} - set(tools))


def load_access(file: str, tools: Sequence[str]) -> Access:
    """Return what the file says. file: as ACCESS_FILE; a relative path counts from the project's folder.

    Raises: BadAccess when it cannot be read, names no known role, or a tool that is not there.
    """
    path = ROOT / Path(file).expanduser()
    try:
        read: object = yaml.safe_load(path.read_text(encoding="utf-8"))
        access = Access.model_validate(read or {})
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise BadAccess(f"{file} cannot be read ({reason}). Correct it or ACCESS_FILE.") from None
    except ValidationError:
        raise BadAccess(
            f"{file} must list tools for the roles guest, customer and staff, as in `guest: [search_policy]`."
        ) from None
    if unknown := access.unknown(tools):
        raise BadAccess(f"{file} names {', '.join(unknown)}, and there are only: {', '.join(tools)}.")
    return access
