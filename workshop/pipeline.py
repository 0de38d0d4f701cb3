"""The chain: specify, build, test, mend, and give account of it.

Knows:    the order, what is kept after each step, and when it is over.
Does not: ask a model, write a test, or judge: the agents and the sandbox do.
Order:    specification -> files -> tests, frozen -> judged -> mended at most `fixes` times -> written anew at
          most `anew` times -> compared with other programs -> account.
"""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from workshop import accounting, runs
from workshop.account import Account
from workshop.errors import (
    AgentFailed,
    BadSpecification,
    MemoryUnusable,
    NotStarted,
    PathRefused,
    ProjectUnusable,
    SandboxMissing,
)
from workshop.events import (
    Began,
    Committed,
    Ended,
    Event,
    FileOnDisk,
    FileRefused,
    Judged,
    OnEvent,
    Specified,
    TestsFrozen,
    Working,
    unheard,
)
from workshop.example_tests import written_tests
from workshop.expressions import wanted_names
from workshop.judging import weigh
from workshop.means import Bench
from workshop.messages import BuildRequest, FileWritten, FixRequest, Progress, Remembered, TestRequest
from workshop.offered import offered
from workshop.options import Options
from workshop.project import NotKept, Project
from workshop.runs import Run, Version
from workshop.sandbox import Sandbox
from workshop.second_opinion import opinion
from workshop.specification import Specification
from workshop.specifying import specified
from workshop.trial import tried
from workshop.verdicts import failures_of, is_better

Confirm = Callable[[Specification], Awaitable[bool]]

Problem = AgentFailed | NotStarted | ProjectUnusable | SandboxMissing
PROBLEMS = (AgentFailed, NotStarted, ProjectUnusable, SandboxMissing)
"""What a run ends with, and an account is given of."""

OTHER_PROGRAMS = 100
"""The variants of the developer from here on are for comparison; those below are attempts."""


async def agreed(spec: Specification) -> bool:
    """Agree to every specification: nobody is there to ask."""
    return True


class Pipeline:
    """One run after the other, on one bench."""

    def __init__(self, bench: Bench, options: Options | None = None, on_event: OnEvent = unheard) -> None:
        self._bench = bench
        self._options = options or Options()
        self._listener = on_event

    async def run(
        self, sentence: str, confirm: Confirm = agreed, history: Sequence[Remembered] = ()
    ) -> Account:
        """Build what the sentence asks for, once the specification is agreed to, and give account of it."""
        began, requests, tokens = self._now()
        # A terminal may give halves of surrogate pairs, which no message can hold.
        sentence = sentence.encode("utf-8", "replace").decode("utf-8")
        try:
            found = await specified(
                sentence,
                self._bench.orchestrator,
                self._options,
                history=history,
                records=self._bench.records,
                on_event=self._on_event,
            )
        except (BadSpecification, AgentFailed, NotStarted) as error:
            return await self._ended(accounting.not_specified(error))
        await self._on_event(Specified(found.spec, found.by_code))
        if not await confirm(found.spec):
            return await self._ended(accounting.declined())
        try:
            project = Project.begun(self._bench.projects, found.spec.title)
        except ProjectUnusable as error:
            return await self._ended(accounting.not_specified(error))
        run = Run(name=project.name, sentence=sentence, spec=found.spec)
        runs.keep(self._bench.memory, run)
        await self._on_event(Began(project.name, str(project.folder)))
        try:
            with project.held():
                return await self._timed(run, project, began, (requests, tokens))
        except ProjectUnusable as error:  # it is gone, or somebody else's, before anything was done in it
            return await self._ended(accounting.not_specified(error))

    async def resume(self, name: str) -> Account:
        """Go on with a run that was interrupted; one that ended gives its account again.

        Raises: MemoryUnusable when there is no such run, or what is kept of it cannot be used;
        ProjectUnusable when another workshop is at work on it.
        """
        run = runs.kept(self._bench.memory, name)
        folder = self._bench.projects / name
        if run is None or not folder.is_dir():
            raise MemoryUnusable(
                f"There is no run {name!r} to go on with. `python -m workshop list` shows them."
            )
        began, requests, tokens = self._now()
        project = Project(folder)
        with project.held():
            return await self._timed(run, project, began, (requests, tokens))

    async def _timed(
        self, run: Run, project: Project, began: float, before: tuple[int, tuple[int, int]]
    ) -> Account:
        """Do the steps that are left, and add what they took to what the run took before."""
        kept = run
        problem: Problem | None = None
        try:
            if run.stage == "specified":
                run = await self._built(run, project)
            if run.stage == "built":
                run = await self._tested(run, project)
            if run.stage == "tested":
                run = await self._mended(run, project)
        except PROBLEMS as error:
            problem = error
            run = runs.kept(self._bench.memory, kept.name) or kept
            await self._back_to_the_best(run, project, problem)
        now, requests, tokens = self._now()
        run = run.model_copy(
            update={
                "seconds": run.seconds + now - began,
                "requests": run.requests + requests - before[0],
                "tokens": tuple(a + b - c for a, b, c in zip(run.tokens, tokens, before[1], strict=True)),
                "stage": run.stage if problem else "ended",
            }
        )
        runs.keep(self._bench.memory, run)
        changed = accounting.changed_since(run, project)
        return await self._ended(accounting.account_of(run, project, problem, changed))

    async def _built(self, run: Run, project: Project) -> Run:
        """Have the files written that are not there yet."""
        await self._written(run, project, BuildRequest, files=project.files(), variant=0)
        return self._kept(run.model_copy(update={"stage": "built"}))

    async def _tested(self, run: Run, project: Project) -> Run:
        """Have the tests written, and fix those that count."""
        bench, sandbox = self._bench, self._bench.sandbox
        if sandbox is None:
            return self._kept(run.frozen({}, ()))
        answer = await bench.orchestrator.ask(
            "tester",
            TestRequest,
            self._options.seconds_for(1),
            on_part=self._hearing("tester"),
            sentence=run.sentence,
            spec=run.spec,
            files=project.files(),
        )
        tests, refused = offered(answer.tests, run.spec)
        try:
            weighed = await weigh(sandbox, [each.path for each in run.spec.files], tests)
        except ValueError as error:  # a path that cannot be laid in, or more than a run's disk holds
            raise AgentFailed(f"The tests cannot be run: {error}.", "bad_tests") from error
        run = self._kept(run.frozen(weighed.kept, (*refused, *weighed.dropped)))
        project.write_tests(run.tests)
        stated, proposed = accounting.counted(run.tests)
        await self._on_event(TestsFrozen(stated, proposed, run.dropped))
        return run

    async def _mended(self, run: Run, project: Project) -> Run:
        """Judge the program, and change it until it passes or nothing more is to be tried."""
        if self._bench.sandbox is None or not run.checked_tests():
            await self._committed(project, run.attempt, "Written, not tested")
            return run
        if run.best is None:
            run = await self._judged(run, project)
        last = self._options.fixes + self._options.anew
        fixing = True
        while not _passes(run) and run.attempt < last:
            run = self._kept(run.model_copy(update={"attempt": run.attempt + 1}))
            if fixing and run.attempt <= self._options.fixes:
                fixing = await self._fixed(run, project)
                if fixing:
                    run = await self._judged(run, project)
                continue
            if not self._options.anew:
                break
            run = await self._anew(run, project)
        if _passes(run) and self._options.opinions:
            run = await self._compared(run, project)
        await self._back_to_the_best(run, project)
        return run

    async def _back_to_the_best(self, run: Run, project: Project, problem: Problem | None = None) -> None:
        """Leave the best version in the folder, unless the folder is the problem."""
        if run.best is None or isinstance(problem, ProjectUnusable) or run.best.files == project.files():
            return
        try:
            project.restore(run.best.files, _planned(run))
        except ProjectUnusable:
            if problem is None:
                raise
            return  # of two problems the first is told
        await self._committed(project, run.attempt, "Back to the best version")

    async def _fixed(self, run: Run, project: Project) -> bool:
        """Have the best version mended; say whether anything changed."""
        assert run.best is not None
        before = dict(run.best.files)
        if project.files() != before:
            project.restore(before, _planned(run))
        failures = failures_of(run.best, {**written_tests(run.spec.examples), **run.tests})
        await self._written(run, project, FixRequest, files=before, failures=failures, attempt=run.attempt)
        changed = project.files() != before
        if not changed:
            await self._on_event(Working("developer", "The mended program is the same as before."))
        return changed

    async def _anew(self, run: Run, project: Project) -> Run:
        """Have the whole program written in another way, which is the last resort."""
        await self._on_event(Working("developer", "Writing the program anew, in another way."))
        project.restore({}, _planned(run))
        await self._written(run, project, BuildRequest, files={}, variant=run.attempt)
        return await self._judged(run, project)

    async def _judged(self, run: Run, project: Project) -> Run:
        """Test the program as it is on disk, and keep it where it is the best so far."""
        files = project.files()
        version = await self._verdict(run, files, project.venv())
        await self._on_event(
            Judged(
                run.attempt,
                len(version.passed),
                len(version.failed),
                version.sentence,
                version.seconds,
            )
        )
        await self._committed(project, run.attempt, version.sentence)
        if run.best is None or is_better(version, run.best):
            run = run.model_copy(update={"best": version})
        return self._kept(run)

    async def _verdict(self, run: Run, files: Mapping[str, str], venv: Path | None) -> Version:
        version = await tried(self._sandbox, run, files, self._options.test_s, venv)
        told = len(version.passed) + len(version.failed)
        self._bench.records.tests(run.name, version.status, told, len(version.passed))
        return version

    async def _compared(self, run: Run, project: Project) -> Run:
        """Compare a program that passes with others that do, and take the one that most agree with."""
        assert run.best is not None
        programs = [run.best]
        wanted = max(1, self._options.opinions // len(run.spec.files))
        for number in range(wanted):
            said = f"Writing another program, {number + 1} of {wanted}, to see whether it agrees."
            await self._on_event(Working("developer", said))
            files = await self._other(run, OTHER_PROGRAMS + number)
            version = await self._verdict(run, files, project.venv()) if files else None
            if version and version.status == "passed":
                programs.append(version)
        found = await opinion(
            self._sandbox, [each.files for each in programs], run.spec.examples, project.venv()
        )
        chosen = programs[found.chosen]
        return self._kept(run.model_copy(update={"best": chosen, "opinion": found}))

    async def _other(self, run: Run, variant: int) -> dict[str, str]:
        """Return another program for the same specification; it is not written to disk."""
        files: dict[str, str] = {}
        planned = {each.path for each in run.spec.files}

        async def heard(part: Progress | FileWritten) -> None:
            if isinstance(part, FileWritten) and part.path in planned:
                files[part.path] = part.content

        try:
            await self._asked(run, BuildRequest, heard, files={}, variant=variant)
        except (AgentFailed, NotStarted):
            return {}
        return files

    async def _written(
        self, run: Run, project: Project, kind: type[BuildRequest] | type[FixRequest], **fields: object
    ) -> None:
        """Have the developer do it, writing each file as it comes."""
        planned = _planned(run)

        async def heard(part: Progress | FileWritten) -> None:
            if isinstance(part, Progress):
                await self._on_event(Working("developer", part.text))
            else:
                await self._on_disk(project, part, planned)

        await self._asked(run, kind, heard, **fields)

    async def _asked(
        self,
        run: Run,
        kind: type[BuildRequest] | type[FixRequest],
        heard: Callable[[Progress | FileWritten], Awaitable[None]],
        **fields: object,
    ) -> None:
        await self._bench.orchestrator.ask(
            "developer",
            kind,
            self._options.seconds_for(len(run.spec.files)),
            on_part=heard,
            sentence=run.sentence,
            spec=run.spec,
            names=_names(run.spec),
            **fields,
        )

    async def _on_disk(self, project: Project, part: FileWritten, planned: set[str]) -> None:
        """Write a file of the plan, or say why not."""
        try:
            if part.path not in planned:
                raise PathRefused(f"{part.path!r} is no file of the specification.")
            project.write(part.path, part.content)
        except (PathRefused, OSError) as error:
            self._bench.records.file(project.name, part.path, f"refused: {error}")
            await self._on_event(FileRefused(part.path, str(error)))
            return
        self._bench.records.file(project.name, part.path, "written")
        await self._on_event(FileOnDisk(part.path, part.content.count("\n")))

    async def _committed(self, project: Project, attempt: int, subject: str) -> None:
        try:
            await self._on_event(Committed(attempt, await project.commit(subject)))
        except NotKept as error:
            await self._on_event(Committed(attempt, "", str(error)))

    def _hearing(self, agent: str) -> Callable[[Progress | FileWritten], Awaitable[None]]:
        async def heard(part: Progress | FileWritten) -> None:
            if isinstance(part, Progress):
                await self._on_event(Working(agent, part.text))

        return heard

    def _kept(self, run: Run) -> Run:
        runs.keep(self._bench.memory, run)
        return run

    async def _ended(self, account: Account) -> Account:
        if not account.requests:
            account = replace(account, requests=self._bench.model.requests)
        await self._on_event(Ended(account))
        return account

    async def _on_event(self, event: Event) -> None:
        self._bench.records.event(event)
        await self._listener(event)

    @property
    def _sandbox(self) -> Sandbox:
        if self._bench.sandbox is None:
            raise SandboxMissing("Nothing is run: there is no sandbox here, and nobody agreed to do without.")
        return self._bench.sandbox

    def _now(self) -> tuple[float, int, tuple[int, int]]:
        return time.monotonic(), self._bench.model.requests, self._bench.model.tokens


def _planned(run: Run) -> set[str]:
    return {each.path for each in run.spec.files}


def _names(spec: Specification) -> dict[str, tuple[str, ...]]:
    """Return the names that each file has to define, by its examples."""
    by_file = {
        each.path: [example for example in spec.examples if example.file == each.path] for each in spec.files
    }
    return {path: wanted_names(examples) for path, examples in by_file.items() if examples}


def _passes(run: Run) -> bool:
    return run.best is not None and run.best.status == "passed"
