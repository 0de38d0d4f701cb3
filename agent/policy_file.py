"""The shop's rules on approvals, read from the file that APPROVAL_FILE names.

Knows:    where the file is, and what is said where it cannot be used.
Does not: know a rule.   (guards/policy.py)
Rule:     a file that is named and cannot be read is an error, never no rules.
"""

from functools import cache
from pathlib import Path

from agent.settings import AgentSettings
from common.settings import ROOT, BadSettings, load
from guards.policy import BadPolicy, Policy, policy_of


class BadApprovalFile(BadSettings):
    """The file of rules cannot be used; the text says where and what to do."""

    def __init__(self, path: Path, problem: str) -> None:
        Exception.__init__(self, f"APPROVAL_FILE, {path}: {problem}")


@cache
def shop_policy() -> Policy:
    """Return the rules of this shop.

    Raises: BadApprovalFile, BadSettings.
    """
    return policy_at(ROOT / load(AgentSettings).approval_file)


def policy_at(path: Path) -> Policy:
    """Return the rules of a file.

    Raises: BadApprovalFile.
    """
    try:
        return policy_of(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        what = f"it cannot be read ({type(error).__name__}). Name a file of rules, or put back approval.yaml."
        raise BadApprovalFile(path, what) from None
    except BadPolicy as error:
        raise BadApprovalFile(path, f"it cannot be used. {error} Mend it and start again.") from None
