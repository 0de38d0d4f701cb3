"""`make a contract for …`: a sentence becomes a task folder for this house, checked and tried on the demo.

Knows:    the order: read the sentence, find operations, draft, word, check, mend the words, call, account.
Does not: know HTTP, MCP or YAML, or touch tasks/ and registry/: what is made there is for a person to put.
Rule:     code finds and writes, the model chooses among a few and words (decision 048). What the API does not
          have is said; nothing is invented in its place.
"""

import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from common.settings import ROOT
from llm import CompleteFn, ModelError
from workshop.contract_account import ContractAccount
from workshop.contract_commands import Run, run_contracts
from workshop.contract_draft import (
    Draft,
    Fixed,
    Wording,
    fixed,
    own_wording,
    personal_fields,
    put,
    renamed,
    replaced,
    worded,
)
from workshop.contract_naming import begun, existing_tasks, name_for, who_has
from workshop.contract_operations import Match, Operation, matched, nearest, operations_of
from workshop.contract_trying import Found, Trial
from workshop.contract_wording import Asking, Complaint, strays
from workshop.contract_words import clauses_of
from workshop.errors import ContractsUnusable

__all__ = ["ContractAccount", "build_contract"]

OnProgress = Callable[[str], Awaitable[None]]


async def build_contract(  # noqa: PLR0913  the sentence, the place, and four that have their usual value
    sentence: str,
    folder: Path,
    complete: CompleteFn,
    *,
    on_progress: OnProgress,
    max_fixes: int = 2,
    run: Run = run_contracts,
    tasks: Path = ROOT / "tasks",
) -> ContractAccount:
    """Return the account of a contract that was asked for; its files are in `folder`/projects/NAME.

    max_fixes: how often words that are refused go back to the model with the reasons. run: how
    `python -m contracts` is run. tasks: those that there are; they are read and never written.
    """
    with tempfile.TemporaryDirectory(prefix="workshop-contract-") as scratch:
        trial = Trial(run, Path(scratch))
        asking = Asking(complete, sentence)
        building = _Building(trial, asking, on_progress, max_fixes, folder / "projects", tasks)
        try:
            return await building.account(sentence, Path(scratch))
        except (ContractsUnusable, OSError) as error:
            return ContractAccount(False, problems=(str(error),), usage=asking.usage)


@dataclass
class _Building:
    trial: Trial
    asking: Asking
    on_progress: OnProgress
    max_fixes: int
    projects: Path
    tasks: Path
    found: Found = field(default_factory=Found)

    async def account(self, sentence: str, scratch: Path) -> ContractAccount:
        """Go the whole way, and say how far it led."""
        await self.on_progress("Reading what the shop's API has.")
        operations = operations_of(await self.trial.description())
        clauses = clauses_of(sentence)
        match = matched(clauses, operations)
        chosen = await self._chosen(match)
        if not chosen:
            return self._nothing(match, nearest(clauses, operations))
        for each in chosen:
            await self.on_progress(f"Found {each.told}")
        existing = existing_tasks(self.tasks)
        name = name_for(chosen, self.projects, existing)
        draft, refused = await self.trial.drafted(name, [each.shown for each in chosen])
        self.found.problems += refused
        if draft is None:
            return self._nothing(match, ())
        draft, values = fixed(renamed(draft), [word for clause in clauses for word in clause.words])
        draft = await self._worded(draft, chosen, scratch / name)
        await self._tried(draft, values, scratch / name, existing)
        return self._written(draft, match, chosen, values, existing)

    async def _chosen(self, match: Match) -> list[Operation]:
        """Return the operations that are meant, each once."""
        found: dict[str, Operation] = {}
        for choice in match.choices:
            try:
                operation = await self.asking.which(choice)
            except ModelError as error:
                operation = choice.among[0]
                self.found.problems.append(
                    f"The model did not say which operation is meant: {error} "
                    f"{operation.shown} has most of the words."
                )
            if operation is None:
                listed = ", ".join(each.shown for each in choice.among)
                self.found.problems.append(
                    f"The model says that none of these does what is asked for: {listed}."
                )
            else:
                found.setdefault(operation.shown, operation)
        return list(found.values())

    async def _worded(self, draft: Draft, chosen: Sequence[Operation], folder: Path) -> Draft:
        """Return the draft with the model's words; with the API's own, where those are not accepted."""
        await self.on_progress("Wording it.")
        folder.mkdir()
        complaints: Sequence[Complaint] = ()
        wording: Wording | None = None
        try:
            for attempt in range(self.max_fixes + 1):
                again = await self.asking.wording(draft, wording, complaints)
                if again == wording:
                    break
                wording = again
                complaints = await self._complaints(draft, wording, chosen, folder)
                if not complaints:
                    self.found.checks.append(f"`validate` found nothing wrong{_after(attempt)}.")
                    return worded(draft, wording)
                await self.on_progress(f"`validate` refuses {len(complaints)} of the words.")
        except ModelError as error:
            wording, complaints = None, (Complaint(str(error)),)
        return await self._with_own_words(draft, wording, complaints, folder)

    async def _with_own_words(
        self, draft: Draft, wording: Wording | None, complaints: Sequence[Complaint], folder: Path
    ) -> Draft:
        """Return the draft with the API's own words, where the model's are refused or there are none."""
        own = own_wording(draft)
        mended = replaced(wording, own, {each.function for each in complaints}) if wording else own
        left = await self._complaints(draft, mended, (), folder)
        reason = complaints[0].text if complaints else "they did not change"
        self.found.own_words.append(
            f"Some words are the API's own, since the model's were refused: {reason} Write better ones."
        )
        self.found.problems += [each.text for each in left]
        self.found.checks.append("`validate` refused it." if left else "`validate` found nothing wrong.")
        return worded(draft, mended)

    async def _complaints(
        self, draft: Draft, wording: Wording, chosen: Sequence[Operation], folder: Path
    ) -> list[Complaint]:
        """Return what is wrong with the words: by the rules of contracts, and by what they say."""
        put(worded(draft, wording), folder)
        found = strays(wording, draft, chosen) if chosen else []
        return [*await self.trial.validated(folder), *found]

    async def _tried(
        self, draft: Draft, values: Sequence[Fixed], folder: Path, existing: Sequence[Path]
    ) -> None:
        await self.on_progress("Pinning it in a registry of its own.")
        registry = await self.trial.pinned(folder, existing, self.found)
        if registry is not None:
            await self.on_progress("Calling it on the demo shop.")
            await self.trial.tried(draft, registry, values, self.found)

    def _nothing(self, match: Match, near: Sequence[Operation]) -> ContractAccount:
        steps = ["Ask for what the API has, in its words; the nearest are below."] if near else []
        steps += [each.told for each in near]
        problems = (*match.missing, *self.found.problems)
        return ContractAccount(False, problems=problems, next_steps=tuple(steps), usage=self.asking.usage)

    def _written(
        self,
        draft: Draft,
        match: Match,
        chosen: Sequence[Operation],
        values: Sequence[Fixed],
        existing: Sequence[Path],
    ) -> ContractAccount:
        place = begun(self.projects, draft.name)
        put(draft, place)
        problems = [*match.missing, *self.found.problems]
        if match.unknown:
            problems.append(f"The API has no word for this of the sentence: {', '.join(match.unknown)}.")
        return ContractAccount(
            done=not problems,
            folder=place,
            functions=draft.full_names,
            checks=tuple(self.found.checks),
            problems=tuple(problems),
            next_steps=(*self.found.own_words, *_next_steps(draft, place, chosen, values, existing)),
            usage=self.asking.usage,
        )


def _after(attempt: int) -> str:
    return "" if not attempt else f" after {attempt} correction{'s' if attempt > 1 else ''}"


def _next_steps(
    draft: Draft, place: Path, chosen: Sequence[Operation], values: Sequence[Fixed], existing: Sequence[Path]
) -> list[str]:
    steps = [
        f"{draft.name}_{each.function} always asks for {each.argument} {each.value}, as the sentence says it."
        for each in values
    ]
    owners = [(each.shown, who_has(each, existing)) for each in chosen]
    steps += [f"{shown} is in use already: see {', '.join(names)}." for shown, names in owners if names]
    if personal := personal_fields(draft):
        steps.append(
            f"It returns what is about persons ({', '.join(personal)}): take out what is not needed."
        )
    return [
        *steps,
        f"Review {place}, above all the hints, the scopes and the fields that are returned.",
        f"Then: cp -r {place} tasks/ && python -m contracts validate && python -m contracts build",
    ]
