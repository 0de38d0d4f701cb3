"""From a sentence to a specification: by code where one file is enough, else by the analyst, held and read.

Knows:    when no model is needed, and that an answer that cannot be used is asked for once more.
Does not: read the text of a specification.   (reading.py)
Why by code: of a task of one file a small model's own plan says nothing that the sentence does not, and
          what it says otherwise is wrong.
"""

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from workshop.errors import AgentFailed, BadSpecification, PathRefused
from workshop.events import OnEvent, Working
from workshop.expressions import wanted_names
from workshop.messages import FileWritten, Progress, Remembered, SpecRequest
from workshop.options import Options
from workshop.orchestrator import Orchestrator
from workshop.paths import checked
from workshop.reading import read
from workshop.records import Records
from workshop.specification import ASKED_SCHEMA, PlannedFile, Specification
from workshop.stated import stated_examples

_FILE = re.compile(
    r"(?<![\w/.-])[A-Za-z_][\w/-]*\.(?:py|txt|md|json|csv|html|css|js|yaml|toml|sql|sh)(?![\w(])"
)
"""A file that a sentence names; `math.pi` and "e.g" are none."""

_TITLE_WORDS = 6


@dataclass(frozen=True)
class Specified:
    """A specification; by_code: no model was asked."""

    spec: Specification
    by_code: bool


async def specified(
    sentence: str,
    orchestrator: Orchestrator,
    options: Options,
    *,
    history: Sequence[Remembered] = (),
    records: Records,
    on_event: OnEvent,
) -> Specified:
    """Return what the sentence asks for.

    Raises: BadSpecification when the second answer cannot be used either; AgentFailed.
    """
    if options.plan == "several_files" and (planned := planned_by_code(sentence)):
        return Specified(planned, by_code=True)

    async def heard(part: Progress | FileWritten) -> None:
        if isinstance(part, Progress):
            await on_event(Working("analyst", part.text))

    await on_event(Working("analyst", "Writing the specification."))
    last, reasons = "", ()
    while True:
        try:
            answer = await orchestrator.ask(
                "analyst",
                SpecRequest,
                options.base_s,
                on_part=heard,
                text=sentence,
                history=tuple(history),
                last=last,
                reasons=reasons,
                answer_schema=ASKED_SCHEMA,
            )
        except AgentFailed as error:
            if error.code != "context_too_long" or not history:
                raise
            history = ()  # the sentence itself is what counts
            continue
        try:
            reading = read(answer.text, sentence=sentence)
        except BadSpecification as error:
            records.invalid_answer("analyst", answer.text, error.problems)
            if reasons:
                raise
            last, reasons = answer.text, error.problems
            await on_event(Working("analyst", f"That is no specification ({reasons[0]}): asking once more."))
            continue
        for note in reading.notes:
            await on_event(Working("analyst", f"Of what the model wrote, {note}."))
        return Specified(_in_their_words(reading.spec), by_code=False)


def _in_their_words(spec: Specification) -> Specification:
    """Return the plan with the person's own examples alone, where there are some: those of a model err."""
    stated = tuple(each for each in spec.examples if each.stated)
    return spec.model_copy(update={"examples": stated}) if stated else spec


def planned_by_code(sentence: str) -> Specification | None:
    """Return the plan of a task of one file, None where it is not plainly one.

    It is one when the person's own examples call what is to be written, and at most one file is named.
    """
    files = set(_FILE.findall(sentence))
    examples = stated_examples(sentence, "solution.py")
    names = wanted_names(examples)
    if not names or len(files) > 1 or any(not each.endswith(".py") for each in files):
        return None
    try:
        path = checked(files.pop() if files else module_for(names[0]))
    except PathRefused:  # the analyst is to find another name, and the person to see it
        return None
    return Specification(
        title=names[0].replace("_", " ")[:120],
        description=sentence[:4_000],
        requirements=(sentence[:500],),
        files=(PlannedFile(path=path),),
        examples=tuple(each.model_copy(update={"file": path}) for each in examples),
    )


def module_for(name: str) -> str:
    """Return the file for a function: its name, unless a module of Python's own is called so."""
    module = re.sub(r"\W+", "_", name.lower()).strip("_") or "solution"
    return f"{module if module not in sys.stdlib_module_names else f'{module}_program'}.py"
