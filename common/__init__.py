"""The few types and text rules that cross rooms."""

from common.approval import NOBODY, Approval, ApprovalRequest, Approver, digest_of

__all__ = ["NOBODY", "Approval", "ApprovalRequest", "Approver", "digest_of"]
