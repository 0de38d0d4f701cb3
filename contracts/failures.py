"""Why a call did not do what was asked: a code, what happened, what to do now, and whether to try again.

Knows:    the shape, which is that of every refusal of the house.
Does not: know MCP.   (surface.py makes a refusal of it)
"""

from collections.abc import Mapping

from contracts.problems import ContractsError


class CallFailed(ContractsError):
    """A call that failed. Its texts go to the model: no value of a secret, no bytes of an answer.

    said: what happened, by language other than English. fields: the upstream's own words on single fields.
    status: the upstream's, 0 where there was none. retry: whether trying again later may help.
    sent: whether the request left; a write that left may have been made.
    """

    def __init__(  # noqa: PLR0913  the parts of a failure, each by its name
        self,
        code: str,
        message: str,
        next: str,
        *,
        said: Mapping[str, str] | None = None,
        fields: Mapping[str, str] | None = None,
        status: int = 0,
        retry: bool = False,
        sent: bool = False,
    ) -> None:
        super().__init__(f"{message} {next}")
        self.code = code
        self.message = message
        self.next = next
        self.said = dict(said or {})
        self.fields = dict(fields or {})
        self.status = status
        self.retry = retry
        self.sent = sent
