"""What is served now: the catalog, what each profile sees of it, and how a change comes in meanwhile.

Knows:    where the contracts come from, the profiles, and when to read again.
Does not: check a file (registry.py), answer a call (engine.py), or tell a client (surface.py).
Rule:     a change that cannot be read changes nothing: what was served before goes on, and the log says why.
          What the source refuses by name, such as a file that was edited, is not served any more.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import anyio

from contracts.catalog import Catalog
from contracts.problems import ContractsError, Problem
from contracts.profiles import DEFAULT, Profile, UnknownProfile
from contracts.search import Index

log = logging.getLogger(__name__)


class Read(Protocol):
    """What a source holds now. problems: what it refuses, each by name."""

    @property
    def catalog(self) -> Catalog:
        """Return what may be served."""
        ...

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return what is refused."""
        ...


class Source(Protocol):
    """A registry, or a folder that nobody approved."""

    def load(self) -> Read:
        """Read what is there.  Raises: ContractsError."""
        ...

    def changed(self) -> bool:
        """Say, cheaply, whether something is there that was not read yet."""
        ...


@dataclass(frozen=True, eq=False)
class View:
    """What one profile sees. before: the view that it took the place of, whose index is built on."""

    name: str
    profile: Profile
    catalog: Catalog
    before: Index | None = None

    @cached_property
    def index(self) -> Index:
        """Return the index of what it sees, made when somebody searches."""
        return Index.of(self.catalog, before=self.before)

    @property
    def known_index(self) -> Index | None:
        """Return the index if it was made already, else the one before it."""
        return self.__dict__.get("index", self.before)


class Live:
    """The catalog that is served, and its views."""

    def __init__(self, source: Source, profiles: Mapping[str, Profile] | None = None) -> None:
        """Read the source.  Raises: ContractsError where it cannot be read at all."""
        self._source = source
        self._profiles = profiles or {DEFAULT: Profile(exposure="tools", tasks="all")}
        self._views: dict[str, View] = {}
        self._told = ""
        self._changed = anyio.Event()
        self.version = 0
        read = source.load()
        self.catalog, self.problems = read.catalog, read.problems
        self._tell("\n".join(map(str, read.problems)))

    @property
    def profiles(self) -> Mapping[str, Profile]:
        """Return the profiles by name."""
        return self._profiles

    def missing(self) -> list[str]:
        """Return, as `PROFILE: TASK`, what profiles name and nothing serves: such a name may be a slip."""
        served = {task.name for task in self.catalog.tasks}
        return [
            f"{name}: {task}"
            for name, profile in self._profiles.items()
            if profile.tasks != "all"
            for task in profile.tasks
            if task not in served
        ]

    def view(self, profile: str, principal: str) -> View:
        """Return what the principal sees under a profile.

        Raises: UnknownProfile, also for one that is not for this principal.
        """
        found = self._profiles.get(profile)
        if found is None or not found.admits(principal):
            raise UnknownProfile
        view = self._views.get(profile)
        if view is None:
            seen = self.catalog if found.tasks == "all" else self.catalog.only(found.tasks)
            view = self._views[profile] = View(profile, found, seen)
        return view

    def refresh(self) -> bool:
        """Read the source again if it has changed; return whether something else is served now."""
        try:
            return self._source.changed() and self.reload()
        except OSError as error:
            return self._failed(str(error))

    def reload(self) -> bool:
        """Read the source again; return whether something else is served now."""
        try:
            read = self._source.load()
        except (ContractsError, OSError) as error:
            return self._failed(str(error))
        except Exception as error:  # noqa: BLE001  the boundary: files somebody wrote must not end what is served
            return self._failed(
                f"Reading them failed ({type(error).__name__}), which is a fault of this program."
            )
        self.problems = read.problems
        self._tell("\n".join(map(str, read.problems)))
        if (read.catalog.digest, read.catalog.approved) == (self.catalog.digest, self.catalog.approved):
            return False
        self.catalog = read.catalog
        self._views = {name: self._anew(view) for name, view in self._views.items()}
        self.version += 1
        self._changed.set()
        self._changed = anyio.Event()
        return True

    async def next_change(self, seen: int, poll_s: float) -> int:
        """Wait until something else is served than in version `seen`, looking at the source meanwhile."""
        while self.version == seen:
            with anyio.move_on_after(poll_s):
                await self._changed.wait()
            self.refresh()
        return self.version

    def _anew(self, view: View) -> View:
        tasks = view.profile.tasks
        seen = self.catalog if tasks == "all" else self.catalog.only(tasks)
        return View(view.name, view.profile, seen, view.known_index)

    def _failed(self, why: str) -> bool:
        self._tell(f"The contracts cannot be read anew; what was served before is served on. {why}")
        return False

    def _tell(self, text: str) -> None:
        """Log what is wrong once: a source is looked at with every request."""
        if text and text != self._told:
            log.warning("%s", text)
        self._told = text
