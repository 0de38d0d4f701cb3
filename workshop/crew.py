"""The agents as a run asks them: what each is sent, and what becomes of the files that they hand over.

Knows:    that files are written as they come, and those of the plan alone.
Does not: know the order of a run, or judge.   (pipeline.py)
"""

from collections.abc import Awaitable, Callable

from workshop.errors import AgentFailed, NotStarted, PathRefused
from workshop.events import FileOnDisk, FileRefused, OnEvent, Working
from workshop.expressions import wanted_names
from workshop.means import Bench
from workshop.messages import BuildRequest, FileWritten, FixRequest, Progress, TestRequest
from workshop.options import Options
from workshop.project import Project
from workshop.runs import Run
from workshop.specification import Specification

Part = Progress | FileWritten
OnFile = Callable[[FileWritten], Awaitable[None]]


class Crew:
    """The developer and the tester, at work for one pipeline."""

    def __init__(self, bench: Bench, options: Options, on_event: OnEvent) -> None:
        self._bench = bench
        self._options = options
        self._on_event = on_event

    async def write(
        self, run: Run, project: Project, kind: type[BuildRequest] | type[FixRequest], **fields: object
    ) -> None:
        """Have the developer do it, writing each file as it comes.

        Raises: AgentFailed, NotStarted; ProjectUnusable.
        """
        planned = planned_of(run)

        async def on_file(part: FileWritten) -> None:
            await self._on_disk(project, part, planned)

        await self._ask_developer(run, kind, on_file, **fields)

    async def propose(self, run: Run, variant: int) -> dict[str, str]:
        """Return another program for the same specification, not written to disk; {} where none came."""
        files: dict[str, str] = {}
        planned = planned_of(run)

        async def on_file(part: FileWritten) -> None:
            if part.path in planned:
                files[part.path] = part.content

        try:
            await self._ask_developer(run, BuildRequest, on_file, files={}, variant=variant)
        except (AgentFailed, NotStarted) as error:
            await self._on_event(Working("developer", f"There is no other program to compare with: {error}"))
            return {}
        return files

    async def tests(self, run: Run, files: dict[str, str]) -> dict[str, str]:
        """Return the tests that the tester writes.

        Raises: AgentFailed, NotStarted.
        """
        answer = await self._bench.orchestrator.ask(
            "tester",
            TestRequest,
            self._options.seconds_for(1),
            on_part=self._hearing("tester"),
            sentence=run.sentence,
            spec=run.spec,
            files=files,
        )
        return answer.tests

    async def _ask_developer(
        self, run: Run, kind: type[BuildRequest] | type[FixRequest], on_file: OnFile, **fields: object
    ) -> None:
        await self._bench.orchestrator.ask(
            "developer",
            kind,
            self._options.seconds_for(len(run.spec.files)),
            on_part=self._hearing("developer", on_file),
            sentence=run.sentence,
            spec=run.spec,
            names=_names(run.spec),
            **fields,
        )

    def _hearing(self, agent: str, on_file: OnFile | None = None) -> Callable[[Part], Awaitable[None]]:
        async def heard(part: Part) -> None:
            if isinstance(part, Progress):
                await self._on_event(Working(agent, part.text))
            elif on_file is not None:
                await on_file(part)

        return heard

    async def _on_disk(self, project: Project, part: FileWritten, planned: set[str]) -> None:
        """Write a file of the plan, or say why not."""
        try:
            if part.path not in planned:
                raise PathRefused(f"{part.path!r} is no file of the specification.")
            project.write(part.path, part.content)
        except (PathRefused, OSError) as error:
            outcome = "refused" if isinstance(error, PathRefused) else "failed"
            self._bench.records.file(project.name, part.path, f"{outcome}: {error}")
            await self._on_event(FileRefused(part.path, str(error)))
            return
        self._bench.records.file(project.name, part.path, "written")
        await self._on_event(FileOnDisk(part.path, part.content.count("\n")))


def planned_of(run: Run) -> set[str]:
    """Return the paths that the specification plans."""
    return {each.path for each in run.spec.files}


def _names(spec: Specification) -> dict[str, tuple[str, ...]]:
    """Return the names that each file has to define, by its examples."""
    by_file = {
        each.path: [example for example in spec.examples if example.file == each.path] for each in spec.files
    }
    return {path: wanted_names(examples) for path, examples in by_file.items() if examples}
