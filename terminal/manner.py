"""How a session talks, as the command line wishes."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Manner:
    """How much is shown, and in which form.

    verbose: each gate's decision too. trace: the events as they come. as_json: the answers as JSON lines.
    """

    verbose: bool = False
    trace: bool = False
    as_json: bool = False
