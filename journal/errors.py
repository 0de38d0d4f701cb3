"""What can go wrong with the trail.

JournalError
├── JournalUnusable    it cannot be begun: the key is missing, wrong or open to others
└── JournalFailed      a row could not be written
    └── QuestionsFailed   an open question could not be kept, used, closed or read
"""


class JournalError(Exception):
    """Base of this room's errors; the text says what happened and what to do."""


class JournalUnusable(JournalError):
    """The trail cannot be begun as things are."""


class JournalFailed(JournalError):
    """A row could not be written, so what it would have told must not happen."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(
            f"The audit trail in {where} could not be written ({reason}). Nothing goes on without it: "
            "see that the database can be written, then ask again."
        )


class QuestionsFailed(JournalFailed):
    """An open question could not be kept, used, closed or read, so nothing may be done under its answer."""

    def __init__(self, where: str, reason: str) -> None:
        JournalError.__init__(
            self,
            f"The open questions in {where} could not be read or written ({reason}). Nothing is done without "
            "them: see that the database can be written, then ask again.",
        )
