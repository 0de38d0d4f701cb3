"""The chain: specify, build, test, mend, and give account of it.

Knows:    the order, what is kept after each step, and when it is over.
Does not: ask a model, write a test, or judge: the agents and the sandbox do.
Order:    specification -> files -> tests, frozen -> judged -> mended at most `fixes` times -> written anew at
          most `anew` times -> compared with other programs -> account.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from workshop import accounting, runs
from workshop.account import Account
from workshop.crew import Crew, planned_of
from workshop.errors import (
    AgentFailed,
    BadSpecification,
    MemoryUnusable,
    NotStarted,
    ProjectUnusable,
    SandboxMissing,
)
from workshop.events import (
    Began,
    Committed,
    Ended,
    Event,
    Judged,
    OnEvent,
    Specified,
    TestsFrozen,
    Working,
    unheard,
)
from workshop.example_tests import written_tests
from workshop.judging import weigh
from workshop.means import Bench, Meter
from workshop.messages import BuildRequest, FixRequest, Remembered
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
        self._crew = Crew(bench, self._options, self._on_event)
        self._meter = Meter(bench.model)
        self._not_kept = ""

    async def run(
        self, sentence: str, confirm: Confirm = agreed, history: Sequence[Remembered] = ()
    ) -> Account:
        """Build what the sentence asks for, once the specification is agreed to, and give account of it."""
        self._meter = Meter(self._bench.model)
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
            return await self._not_begun(accounting.not_built(error))
        await self._on_event(Specified(found.spec, found.by_code))
        if not await confirm(found.spec):
            return await self._not_begun(accounting.declined())
        try:
            project = Project.begun(self._bench.projects, found.spec.title)
        except ProjectUnusable as error:
            return await self._not_begun(accounting.not_built(error))
        run = self._kept(Run(name=project.name, sentence=sentence, spec=found.spec))
        await self._on_event(Began(project.name, str(project.folder)))
        try:
            with project.held():
                return await self._accounted(run, project)
        except ProjectUnusable as error:  # it is gone, or somebody else's, before anything was done in it
            return await self._not_begun(accounting.not_built(error))

    async def resume(self, name: str) -> Account:
        """Go on with a run that was interrupted, or whose program, environment or sandbox is another by now.

        One that is done and as it was gives its account again.
        Raises: MemoryUnusable when there is no such run, or what is kept of it cannot be used;
        ProjectUnusable when another workshop is at work on it.
        """
        self._meter = Meter(self._bench.model)
        folder = self._bench.projects / name
        project = Project(folder)
        if not folder.is_dir() or runs.kept(self._bench.memory, name) is None:
            raise MemoryUnusable(
                f"There is no run {name!r} to go on with. `python -m workshop list` shows them."
            )
        with project.held():
            run = runs.kept(self._bench.memory, name)
            if run is None:
                raise MemoryUnusable(f"The run {name!r} has been forgotten just now. Start it again.")
            return await self._accounted(_reopened(run, project), project)

    async def _accounted(self, run: Run, project: Project) -> Account:
        """Do the steps that are left, and give account."""
        problem: Problem | None = None
        try:
            if run.stage == "specified":
                run = await self._built(run, project)
            if run.stage == "built":
                run = await self._tested(run, project)
            if run.stage == "tested":
                run = await self._mended(run, project)
            run = self._kept(run.model_copy(update={"stage": "ended"}))
        except PROBLEMS as error:
            problem = error
            run = self._kept(runs.kept(self._bench.memory, run.name) or run)
            await self._back_to_the_best(run, project, problem)
        changed = accounting.changed_since(run, project)
        account = accounting.account_of(run, project, problem, changed)
        self._kept(run.model_copy(update={"outcome": account.outcome}))
        return await self._ended(account)

    async def _built(self, run: Run, project: Project) -> Run:
        """Have the files written that are not there yet."""
        await self._crew.write(run, project, BuildRequest, files=project.files(), variant=0)
        return self._kept(run.model_copy(update={"stage": "built"}))

    async def _tested(self, run: Run, project: Project) -> Run:
        """Have the tests written, and fix those that count."""
        if self._bench.sandbox is None:
            await self._committed(project, "Written, not tested")
        sandbox = self._sandbox
        tests, refused = offered(await self._crew.tests(run, project.files()), run.spec)
        try:
            planned = [each.path for each in run.spec.files]
            weighed = await weigh(sandbox, planned, tests, venv=project.venv())
        except ValueError as error:  # a path that cannot be laid in, or more than a run's disk holds
            raise AgentFailed(f"The tests cannot be run: {error}.", "bad_tests") from error
        run = self._kept(run.frozen(weighed.kept, (*refused, *weighed.dropped)))
        project.write_tests(run.tests)
        stated, proposed = accounting.counted(run.tests)
        await self._on_event(TestsFrozen(stated, proposed, run.dropped))
        return run

    async def _mended(self, run: Run, project: Project) -> Run:
        """Judge the program, and change it until it passes or nothing more is to be tried."""
        if not run.checked_tests():
            await self._committed(project, "Written, not tested")
            return run
        if run.best is None:
            run = await self._judged(run, project)
        while not run.passes and run.may_mend(self._options.fixes):
            run = await self._fixed(run, project)
        while not run.passes and run.anew < self._options.anew:
            run = await self._anew(run, project)
        if run.passes and self._options.opinions and run.opinion is None:
            run = await self._compared(run, project)
        await self._back_to_the_best(run, project)
        return run

    async def _back_to_the_best(self, run: Run, project: Project, problem: Problem | None = None) -> None:
        """Leave the best version in the folder, unless the folder is the problem."""
        if isinstance(problem, ProjectUnusable) or not accounting.changed_since(run, project):
            return
        try:
            project.restore(run.best.files if run.best else {}, planned_of(run))
        except ProjectUnusable:
            if problem is None:
                raise
            return  # of two problems the first is told
        await self._committed(project, "The version that is kept")

    async def _fixed(self, run: Run, project: Project) -> Run:
        """Have the best version mended, and judge it; one that is as before ends the mending."""
        best = run.best
        assert best is not None
        run = self._kept(run.trying(fixes=run.fixes + 1))
        planned = planned_of(run)
        project.restore(best.files, planned)
        before = _of_plan(project, planned)
        failures = failures_of(best, {**written_tests(run.spec.examples), **run.tests})
        await self._crew.write(run, project, FixRequest, files=before, failures=failures, attempt=run.attempt)
        if _of_plan(project, planned) != before:
            return await self._judged(run, project)
        await self._on_event(Working("developer", "The mended program is the same as before."))
        return self._kept(run.model_copy(update={"is_stuck": True}))

    async def _anew(self, run: Run, project: Project) -> Run:
        """Have the whole program written in another way, which is the last resort, and judge it."""
        await self._on_event(Working("developer", "Writing the program anew, in another way."))
        run = self._kept(run.trying(anew=run.anew + 1))
        project.restore({}, planned_of(run))
        await self._crew.write(run, project, BuildRequest, files={}, variant=run.attempt)
        return await self._judged(run, project)

    async def _judged(self, run: Run, project: Project) -> Run:
        """Test the program as it is on disk, and keep it where it is the best so far."""
        version = await self._verdict(run, project.files(), project.venv())
        await self._on_event(
            Judged(
                run.judged,
                len(version.passed),
                len(version.failed),
                version.sentence,
                version.seconds,
            )
        )
        await self._committed(project, version.sentence)
        better = run.best is None or is_better(version, run.best)
        update = {"judged": run.judged + 1, "best": version if better else run.best}
        return self._kept(run.model_copy(update=update))

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
            files = await self._crew.propose(run, OTHER_PROGRAMS + number)
            version = await self._verdict(run, files, project.venv()) if files else None
            if version and version.status == "passed":
                programs.append(version)
        found = await opinion(
            self._sandbox, [each.files for each in programs], run.spec.examples, project.venv()
        )
        found = replace(found, written=wanted + 1)
        return self._kept(run.model_copy(update={"best": programs[found.chosen], "opinion": found}))

    async def _committed(self, project: Project, subject: str) -> None:
        try:
            await self._on_event(Committed(await project.commit(subject)))
        except NotKept as error:
            if str(error) != self._not_kept:  # once is enough
                self._not_kept = str(error)
                await self._on_event(Committed("", str(error)))

    def _kept(self, run: Run) -> Run:
        """Keep the run, with what it took since it was kept last."""
        run = run.taking(*self._meter.read())
        runs.keep(self._bench.memory, run)
        return run

    async def _not_begun(self, account: Account) -> Account:
        """End a run that has no folder."""
        seconds, requests, tokens = self._meter.read()
        return await self._ended(replace(account, seconds=seconds, requests=requests, tokens=tokens))

    async def _ended(self, account: Account) -> Account:
        await self._on_event(Ended(account))
        return account

    async def _on_event(self, event: Event) -> None:
        self._bench.records.event(event)
        await self._listener(event)

    @property
    def _sandbox(self) -> Sandbox:
        if self._bench.sandbox is None:
            raise SandboxMissing(
                "Nothing was run: there is no sandbox here, and nobody agreed to do without (--bare does)."
            )
        return self._bench.sandbox


def _of_plan(project: Project, planned: set[str]) -> dict[str, str]:
    return {path: content for path, content in project.files().items() if path in planned}


def _reopened(run: Run, project: Project) -> Run:
    """Return a run that ended as one to go on with, where there is something that can come out otherwise."""
    if run.stage != "ended":
        return run
    if accounting.changed_since(run, project):
        return run.model_copy(update={"stage": "tested", "best": None, "opinion": None, "is_stuck": False})
    if run.best is not None and not run.passes:
        return run.model_copy(update={"stage": "tested", "best": None})
    return run
