"""What can go wrong in the workshop, each with its own sentence.

WorkshopError
├── AgentFailed          an agent answered that it could not, or gave no usable answer; `code` says which
│   ├── AgentGone        it ended before it answered
│   └── AgentLate        no answer by the deadline
├── NotStarted           the agent's program cannot be run
├── BadSpecification     a text that is no specification; `problems` lists each reason
├── PathRefused          a path that may not be written
├── ProjectUnusable      the project's folder cannot be used
├── MemoryUnusable       the memory's file cannot be used
├── ContractsUnusable    `python -m contracts` did not do its work
└── SandboxMissing       generated code cannot be run apart from this machine
"""

from collections.abc import Sequence


class WorkshopError(Exception):
    """The workshop could not do something; the text says what happened and what to do."""

    code = "workshop_error"


class AgentFailed(WorkshopError):
    """An agent did not do what it was asked. code: its own word, or one of this file."""

    def __init__(self, text: str, code: str = "agent_failed") -> None:
        super().__init__(text)
        self.code = code


class AgentGone(AgentFailed):
    """The agent's process ended before it answered."""

    def __init__(self, text: str) -> None:
        super().__init__(text, "agent_gone")


class AgentLate(AgentFailed):
    """The deadline passed without an answer; one that comes later is dropped."""

    def __init__(self, text: str) -> None:
        super().__init__(text, "agent_late")


class NotStarted(WorkshopError):
    """The agent's program cannot be run."""

    code = "not_started"


class BadSpecification(WorkshopError):
    """A text that is no specification. problems: what is wrong with it, one reason each."""

    code = "bad_specification"

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("This is no specification: " + "; ".join(problems))
        self.problems = tuple(problems)


class PathRefused(WorkshopError):
    """A path that may not be written: it leads elsewhere, or changes how the tests run."""

    code = "path_refused"


class ProjectUnusable(WorkshopError):
    """The project's folder cannot be used as it is."""

    code = "project_unusable"


class MemoryUnusable(WorkshopError):
    """The memory's file cannot be used as it is."""

    code = "memory_unusable"


class SandboxMissing(WorkshopError):
    """There is no sandbox here, and nobody agreed to do without."""

    code = "sandbox_missing"


class ContractsUnusable(WorkshopError):
    """A command of `python -m contracts` did not do its work; the text has the command and what it said."""

    code = "contracts_unusable"
