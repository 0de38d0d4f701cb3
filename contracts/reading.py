"""Reading a task: its files become a Task, or a list of everything that is wrong with them.

Knows:    the files of a task, and where in them a problem is.
Does not: find files (folders.py), check one field against another (rules.py), put a broken field into words
          (wording.py), or decide what is approved.
Rule:     every problem of every file is told at once, so that nobody has to ask again after each correction.
"""

import gc
import re
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

from contracts.contract import (
    MOST_PROMPT_TEXT,
    MOST_SKILL_TEXT,
    Function,
    FunctionsFile,
    PromptHead,
    SkillHead,
    TaskFile,
    ViewsFile,
)
from contracts.folders import too_many
from contracts.problems import BadContracts, Problem
from contracts.rules import Broken, broken_alone, broken_rules
from contracts.task import Offered, OfferedView, Prompt, Skill, Task, digest_of
from contracts.wording import in_words
from contracts.yaml_text import Text, read_yaml, unseen

M = TypeVar("M", bound=BaseModel)

PROMPT = re.compile(r"prompts/([a-z][a-z0-9]*(?:_[a-z0-9]+)*)\.md")
SKILL = re.compile(r"skills/([a-z][a-z0-9-]*)/SKILL\.md")
_NAMED = frozenset({"task.yaml", "functions.yaml", "views.yaml", "README.md"})


def may_stand(path: str) -> bool:
    """Say whether a task may have a file of this path."""
    return path in _NAMED or bool(PROMPT.fullmatch(path) or SKILL.fullmatch(path))


def read_task(folder: str, files: Mapping[str, bytes]) -> Task:
    """Return the task of a folder.

    folder: its name, which is the task's. files: path inside it -> bytes.
    Raises: BadContracts with every problem there is.
    """
    if problems := too_many(folder, files):
        raise BadContracts(problems)
    if not {"task.yaml", "functions.yaml"} & set(files):
        told = "It has no task.yaml and no functions.yaml, so that it is no task."
        raise BadContracts([Problem(folder, 0, "", told, "Name a task's own folder, or write them.")])
    reader = _Reader(folder, files)
    task = reader.task()
    if reader.problems or task is None:
        raise BadContracts(_shortened(sorted(set(reader.problems))))
    return task


@contextmanager
def reading_many() -> Generator[None]:
    """Hold the garbage collector off while many tasks are read.

    Measured: its passes over all that was read so far took half the time. What is made here has no circles.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


MOST_PROBLEMS = 300
"""Of one file. Whoever made more has one cause for them all."""


def _shortened(problems: list[Problem]) -> Iterator[Problem]:
    """Yield the first problems of each file, and whether there are more."""
    for file, group in groupby(problems, key=lambda problem: problem.file):
        all_of_file = list(group)
        yield from all_of_file[:MOST_PROBLEMS]
        if len(all_of_file) > MOST_PROBLEMS:
            yield Problem(file, 0, "", f"It has more problems than {MOST_PROBLEMS}.", "Correct these first.")


@dataclass
class _Reader:
    folder: str
    files: Mapping[str, bytes]
    problems: list[Problem] = field(default_factory=list[Problem])
    texts: dict[str, Text] = field(default_factory=dict[str, Text])

    def task(self) -> Task | None:
        """Return the task; None where one of its files cannot be read at all."""
        for path in sorted(self.files):
            if not may_stand(path):
                self._add(
                    path,
                    0,
                    "",
                    "A task has no file of this name.",
                    "Remove it; a task holds task.yaml, functions.yaml, views.yaml, prompts/NAME.md, "
                    "skills/NAME/SKILL.md and README.md.",
                )
        head = self._model("task.yaml", TaskFile, required=True)
        functions = self._model("functions.yaml", FunctionsFile, required=True)
        views = self._model("views.yaml", ViewsFile, required=False)
        prompts = [self._prompt(path) for path in sorted(self.files) if PROMPT.fullmatch(path)]
        skills = [self._skill(path) for path in sorted(self.files) if SKILL.fullmatch(path)]
        if functions is None:
            self._rules(self._rules_on_what_is_well_formed())
        if head is None or functions is None:
            return None
        task = Task(
            file=head,
            functions=tuple(
                Offered(head.name, each, each.upstream or head.upstream) for each in functions.functions
            ),
            views=tuple(OfferedView(head.name, each) for each in (views.views if views else ())),
            prompts=tuple(each for each in prompts if each),
            skills=tuple(each for each in skills if each),
            digest=digest_of(self.files),
            files=self.files,
        )
        self._rules(broken_rules(self.folder, task))
        return task

    def _rules_on_what_is_well_formed(self) -> Iterator[Broken]:
        """Yield what is wrong with the functions that can be read, where others cannot."""
        text = self.texts.get("functions.yaml")
        value: Any = text.value if text else None
        items: Any = cast(dict[str, Any], value).get("functions") if isinstance(value, dict) else None
        for index, item in enumerate(cast(list[Any], items) if isinstance(items, list) else []):
            try:
                function = Function.model_validate(item)
            except ValidationError:
                continue  # told already, with the whole file
            yield from broken_alone(("functions", index), function)

    def _model(self, path: str, kind: type[M], *, required: bool) -> M | None:
        if path not in self.files:
            if required:
                self._add(path, 0, "", "The task has no such file.", "Write one; see tasks/_template.")
            return None
        return self._parsed(path, read_yaml(self.files[path]), kind)

    def _parsed(self, path: str, text: Text, kind: type[M]) -> M | None:
        """Return a file as a model; flaws of the text do not hide what is wrong with its fields."""
        self.texts[path] = text
        for flaw in text.flaws:
            self._add(path, flaw.line, "", flaw.rule, flaw.remedy)
        value: object = text.value
        if not isinstance(value, dict) or not value:
            if not text.flaws:
                told = "It is no mapping of fields."
                self._add(path, text.first_line, "", told, "Write its fields; see tasks/_template.")
            return None
        try:
            return kind.model_validate(cast(dict[str, Any], value))
        except ValidationError as error:
            flawed = {flaw.line for flaw in text.flaws}
            for loc, rule, remedy in islice(in_words(error, kind), MOST_PROBLEMS + 1):
                if text.line(loc) not in flawed:
                    self._add(path, text.line(loc), text.path(loc), rule, remedy)
            return None

    def _rules(self, broken: Iterable[Broken]) -> None:
        for each in broken:
            text = self.texts.get(each.file)
            line = text.line(each.loc) if text else 0
            shown = text.path(each.loc) if text else ""
            self._add(each.file, line, shown, each.rule, each.remedy)

    def _prompt(self, path: str) -> Prompt | None:
        head, text = self._page(path, PromptHead, MOST_PROMPT_TEXT)
        stem = cast(re.Match[str], PROMPT.fullmatch(path)).group(1)
        return None if head is None else Prompt(self.folder, stem, head, text)

    def _skill(self, path: str) -> Skill | None:
        head, text = self._page(path, SkillHead, MOST_SKILL_TEXT)
        if head is None:
            return None
        stem = cast(re.Match[str], SKILL.fullmatch(path)).group(1)
        if head.name != stem:
            told = f"The skill's name is {head.name!r}, and its folder is {stem!r}."
            self._add(path, self.texts[path].line(("name",)), "name", told, "Give both the same name.")
        return Skill(self.folder, head, text)

    def _page(self, path: str, kind: type[M], most: int) -> tuple[M | None, str]:
        """Return the head and the text of a Markdown file."""
        try:
            whole = self.files[path].decode("utf-8").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            self._add(path, 0, "", f"It is no UTF-8 (byte {error.start}).", "Save it as UTF-8.")
            return None, ""
        head, mark, text = whole.removeprefix("---\n").partition("\n---\n")
        if not whole.startswith("---\n") or not mark:
            self._add(
                path,
                1,
                "",
                "It does not begin with a head between two lines of ---.",
                "Write one; see tasks/_template.",
            )
            return None, ""
        for flaw in unseen(text, first_line=head.count("\n") + 4):
            self._add(path, flaw.line, "", flaw.rule, flaw.remedy)
        text = text.strip()
        if not text or len(text) > most:
            said = (
                "It has no text." if not text else f"Its text has {len(text)} characters, more than {most}."
            )
            self._add(path, 0, "", said, "Write the text below the head." if not text else "Shorten it.")
        return self._parsed(path, read_yaml(head.encode(), first_line=2), kind), text

    def _add(self, path: str, line: int, shown: str, rule: str, remedy: str) -> None:
        file = f"{self.folder}/{path}".encode("utf-8", "backslashreplace").decode()
        self.problems.append(Problem(file, line, shown, rule, remedy))
