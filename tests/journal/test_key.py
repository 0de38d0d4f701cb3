"""The key of the trail: set, or made once in a file that is its owner's alone."""

import multiprocessing
import stat
from pathlib import Path

import pytest
from pydantic import SecretStr

from common.settings import BadSettings, load, server_environment, state_folder
from journal import JournalUnusable
from journal.key import FILE_NAME, key_of, read_key
from journal.settings import JournalSettings

UNSET = JournalSettings(journal_key=SecretStr(""))


def test_a_key_that_is_set_is_used_and_no_file_is_made(tmp_path: Path):
    set_key = JournalSettings(journal_key=SecretStr("k" * 32))
    assert key_of(set_key, tmp_path) == key_of(set_key, tmp_path / "elsewhere")
    assert list(tmp_path.iterdir()) == []


def test_without_one_a_file_is_made_once_for_its_owner_alone(tmp_path: Path):
    folder = tmp_path / "state"
    made = key_of(UNSET, folder)
    assert key_of(UNSET, folder) == made
    assert [path.name for path in folder.iterdir()] == [FILE_NAME]
    assert stat.S_IMODE((folder / FILE_NAME).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert key_of(UNSET, tmp_path / "another") != made


def test_processes_that_start_at_the_same_time_have_the_same_key(tmp_path: Path):
    context = multiprocessing.get_context("forkserver")
    with context.Pool(6) as pool:
        keys = pool.starmap_async(key_of, [(UNSET, tmp_path)] * 24).get(60)
    assert len(set(keys)) == 1
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


def test_the_file_stands_in_the_users_state_folder_and_the_server_finds_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    key_of(UNSET)
    assert (state_folder() / FILE_NAME).exists()
    assert server_environment()["XDG_STATE_HOME"] == str(tmp_path)
    monkeypatch.setenv("JOURNAL_KEY", "k" * 32)
    assert server_environment()["JOURNAL_KEY"] == "k" * 32


def test_a_file_that_others_can_read_is_refused(tmp_path: Path):
    key_of(UNSET, tmp_path)
    (tmp_path / FILE_NAME).chmod(0o640)
    with pytest.raises(JournalUnusable, match=r"can be read by others\. Run: chmod 600"):
        key_of(UNSET, tmp_path)


@pytest.mark.parametrize("text", ["", "short", "g" * 64, "é" * 64, "a" * 65])
def test_a_file_that_holds_no_key_is_refused_and_not_told(tmp_path: Path, text: str):
    path = tmp_path / FILE_NAME
    path.write_text(text, "utf-8")
    path.chmod(0o600)
    with pytest.raises(JournalUnusable, match="64 hexadecimal digits were expected") as caught:
        read_key(path)
    assert not text or text not in str(caught.value)


def test_a_folder_that_cannot_be_written_is_named_with_what_to_do(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(JournalUnusable, match="set JOURNAL_KEY"):
        key_of(UNSET, tmp_path / "file")


def test_a_key_that_could_be_guessed_is_refused_and_not_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("JOURNAL_KEY", "swordfish")
    with pytest.raises(BadSettings, match=r"JOURNAL_KEY: .*32 characters or more") as caught:
        load(JournalSettings)
    assert "swordfish" not in str(caught.value)


def test_a_key_does_not_show_itself():
    key = key_of(JournalSettings(journal_key=SecretStr("do-not-show-this-key-to-anybody!!")))
    assert "do-not-show" not in repr(key) + str(key) + f"{[key]}"
