"""Whatever is done in whatever order: the questions in memory and those in SQL give the same answers."""

import asyncio
import shutil
import tempfile
from pathlib import Path
from typing import Any, cast, get_args

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from common.approval import ApprovalRequest, Verdict
from common.database import open_engine
from common.pending import ApprovalsInMemory, Pending
from guards.approval import sealed
from journal import Trail
from journal.approvals import ApprovalsInSql
from journal.served import Served
from store.migrate import migrate
from tests.journal.writers import KEY

NAMES = [f"q{number}" for number in range(4)]
VERDICTS = cast("tuple[Verdict, ...]", get_args(Verdict))


def question(name: str) -> Pending:
    """Return the one question of a name; they expire one after the other."""
    request = ApprovalRequest(
        id=name,
        tool="refund",
        title="Refund",
        arguments={"name": name},
        effect="Refunds.",
        reversible=False,
        digest="",
        expires_at=float(NAMES.index(name) + 2),
    )
    return Pending(sealed(request), "hash")


class Both(RuleBasedStateMachine):
    """Does the same to both, as time goes on."""

    template: Path

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.engine = open_engine(f"sqlite:///{shutil.copy(self.template, self.folder / 'shop.db')}")
        served = Served("s", "customer", "C-1", server="x")
        self.memory = ApprovalsInMemory()
        self.sql = ApprovalsInSql(Trail(self.engine, KEY), served)
        self.loop = asyncio.Runner()
        self.now = 0
        self.redeemed: set[str] = set()

    def teardown(self) -> None:
        self.loop.close()
        self.engine.dispose()
        shutil.rmtree(self.folder)

    def same(self, act: Any) -> Any:
        async def both() -> tuple[Any, Any]:
            return await act(self.memory), await act(self.sql)

        in_memory, in_sql = self.loop.run(both())
        assert in_memory == in_sql
        return in_memory

    @rule(name=st.sampled_from(NAMES))
    def ask(self, name: str) -> None:
        self.same(lambda approvals: approvals.ask(question(name)))

    @rule(name=st.sampled_from(NAMES))
    def redeem(self, name: str) -> None:
        digest = question(name).request.digest
        if self.same(lambda approvals: approvals.redeem(digest, self.now)):
            assert digest not in self.redeemed, "a yes was used twice"
            assert self.now < question(name).request.expires_at, "a yes was used too late"
            self.redeemed.add(digest)

    @rule(name=st.sampled_from(NAMES), outcome=st.sampled_from(VERDICTS))
    def settle(self, name: str, outcome: Verdict) -> None:
        digest = question(name).request.digest
        if self.same(lambda approvals: approvals.settle(digest, outcome)):
            assert digest not in self.redeemed, "what was used was closed as if it had not been"

    @rule(name=st.sampled_from(NAMES), outcome=st.sampled_from(VERDICTS))
    def finish(self, name: str, outcome: Verdict) -> None:
        digest = question(name).request.digest
        if self.same(lambda approvals: approvals.finish(digest, outcome)):
            assert digest in self.redeemed

    @rule()
    def lapsed(self) -> None:
        self.same(lambda approvals: approvals.lapsed(self.now))

    @rule()
    def wait(self) -> None:
        self.now += 1

    @invariant()
    def same_questions(self) -> None:
        self.same(lambda approvals: approvals.open(self.now))
        self.same(lambda approvals: approvals.count(self.now))


def test_memory_and_sql_give_the_same_answers_whatever_is_done(tmp_path: Path):
    file = tmp_path / "shop.db"
    migrate(f"sqlite:///{file}")

    class Here(Both):
        template = file

    run_state_machine_as_test(Here, settings=settings(max_examples=25, stateful_step_count=15, deadline=None))
