"""A SQLite file holds personal data: it is made for its owner alone, whichever command makes it."""

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from common.database import DatabaseUnusable, open_engine
from store.backup import back_up, restore
from store.database import Store
from store.migrate import migrate
from tests.store.shop import MIRA, fill

pytestmark = pytest.mark.skipif(os.name != "posix", reason="file modes are of POSIX")


@pytest.fixture(autouse=True)
def _open_to_all() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path, pattern: str = "shop.db*") -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.glob(pattern)}


@pytest.mark.parametrize("form", ["sqlite:///{}", "sqlite:///file:{}?uri=true"])
def test_the_file_and_those_beside_it_are_their_owners_alone(tmp_path: Path, form: str):
    url = form.format(tmp_path / "shop.db")
    migrate(url)
    store = Store(open_engine(url))
    fill(store, MIRA)
    assert modes(tmp_path) == {"shop.db": 0o600, "shop.db-wal": 0o600, "shop.db-shm": 0o600}
    store.engine.dispose()


def test_a_backup_and_what_is_restored_from_it_are_their_owners_alone(sqlite_url: str, tmp_path: Path):
    source, target = open_engine(sqlite_url), open_engine(f"sqlite:///{tmp_path / 'new.db'}")
    back_up(source, tmp_path / "copy.db")
    restore(target, tmp_path / "copy.db")
    source.dispose()
    target.dispose()
    assert modes(tmp_path, "copy.db") | modes(tmp_path, "new.db") == {"copy.db": 0o600, "new.db": 0o600}


def test_a_damaged_file_is_replaced_by_one_of_its_owners_alone(sqlite_url: str, tmp_path: Path):
    engine = open_engine(sqlite_url)
    back_up(engine, tmp_path / "copy.db")
    engine.dispose()
    (tmp_path / "shop.db").write_bytes(b"damaged" * 1000)
    (tmp_path / "shop.db").chmod(0o644)
    engine = open_engine(sqlite_url)
    restore(engine, tmp_path / "copy.db")
    engine.dispose()
    assert modes(tmp_path)["shop.db"] == 0o600


def test_a_file_that_others_may_read_is_told_once(
    sqlite_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    (tmp_path / "shop.db").chmod(0o640)
    for _ in range(2):
        engine = open_engine(sqlite_url)
        engine.connect().close()
        engine.dispose()
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert caplog.records[0].getMessage() == (
        f"others may read the personal data in {tmp_path / 'shop.db'} (mode 0640). "
        f"Run: chmod 600 {tmp_path / 'shop.db'}*"
    )


def test_a_file_that_cannot_be_made_is_told_by_sqlite(tmp_path: Path):
    with pytest.raises(DatabaseUnusable, match="unable to open database file"):
        migrate(f"sqlite:///{tmp_path / 'none' / 'shop.db'}")
