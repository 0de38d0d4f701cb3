"""The lines a person reads of a run, made from its events.

Knows:    how each event, a specification and an account are said.
Does not: print.   (screen.py)
Rule:     what a model or a program wrote is shown with its controls and invisible characters escaped.
"""

from collections.abc import Iterator

from common.text import visible
from workshop.account import Account
from workshop.events import (
    Began,
    Committed,
    Ended,
    Event,
    FileOnDisk,
    FileRefused,
    Judged,
    Specified,
    TestsFrozen,
    Working,
)
from workshop.example_tests import words_of
from workshop.specification import Specification


def lines_of(event: Event) -> Iterator[str]:
    """Yield the lines of an event."""
    match event:
        case Specified():
            how = "planned by code: one file is enough" if event.by_code else "written by the model"
            yield f"Specification ({how}):"
            yield from of_specification(event.spec)
        case TestsFrozen():
            yield from _of_tests(event)
        case Ended():
            yield from of_account(event.account)
        case Committed():
            yield from [f"  kept as {event.commit}"] if event.commit else []
            yield from [f"  not kept in the history: {visible(event.why)}"] if event.why else []
        case _:
            yield _line_of(event)


def _line_of(event: Working | Began | FileOnDisk | FileRefused | Judged) -> str:
    match event:
        case Working():
            return f"  {event.agent}: {visible(event.text)}"
        case Began():
            return f"Project {event.name} in {visible(event.folder)}"
        case FileOnDisk():
            return f"  wrote {visible(event.path)}, {event.lines} lines"
        case FileRefused():
            return f"  did not write {visible(event.path)}: {visible(event.why)}"
        case Judged():
            return f"Version {event.attempt + 1}: {visible(event.sentence)} ({event.seconds:.1f} s)"


def _of_tests(event: TestsFrozen) -> Iterator[str]:
    parts = [f"{event.stated} in your words"] if event.stated else []
    parts += [f"{event.proposed} proposed by the model"] if event.proposed else []
    yield f"Tests, fixed from now on: {', '.join(parts) or 'none'}"
    for name, why in event.dropped:
        yield f"  {visible(name)} does not count: {visible(why)}"


def of_specification(spec: Specification) -> Iterator[str]:
    """Yield a specification as a person reads it before agreeing."""
    yield f"  {visible(spec.title)}: {visible(spec.description)}"
    if spec.requirements != (spec.description[:500],):
        yield from (f"  - {visible(each)}" for each in spec.requirements)
    for each in spec.files:
        yield f"  file {visible(each.path)}{': ' + visible(each.description) if each.description else ''}"
    for example in spec.examples:
        origin = "you say" if example.stated else "the model proposes"
        yield f"  {origin}: {visible(words_of(example))}"


def of_account(account: Account) -> Iterator[str]:
    """Yield the account of a run."""
    yield ""
    yield account.headline
    yield from (f"  works: {visible(each)}" for each in account.works)
    yield from (f"  fails: {visible(each)}" for each in account.fails)
    yield from (f"  look at: {visible(line)}" for each in account.look_at for line in each.splitlines())
    if account.files:
        yield f"  files: {', '.join(visible(each) for each in account.files)}"
    if account.requests:
        asked, answered = account.tokens
        agree = f", {account.agreeing} of {account.compared} programs agree" if account.compared else ""
        versions = "1 version" if account.attempts == 1 else f"{account.attempts} versions"
        yield (
            f"  {versions} judged{agree}, {account.seconds:.0f} s, {account.requests} requests, "
            f"{asked:,} + {answered:,} tokens"
        )
