"""A run: what it is given, what it gives back, and what is left of it, in each sandbox and without one."""

import contextlib
import os
import stat
import subprocess
import sys
import venv
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workshop.sandboxes import sandbox_or_skip
from workshop.errors import SandboxMissing
from workshop.launcher import calls
from workshop.sandbox import Limits, Sandbox, bubblewrap, find, finding
from workshop.sandbox.bare import Bare
from workshop.sandbox.launching import ROOT, Pipes, launch, launcher, own_python
from workshop.sandbox.plans import FOLDER, Job, as_json, plan
from workshop.sandbox.shown import shown

pytestmark = pytest.mark.anyio

SMALL = Limits(wall_s=5, memory_mb=200, processes=16, output_bytes=20_000, disk_mb=8)


@pytest.fixture(params=["bubblewrap", "namespaces", "bare"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    return Bare("for a test") if request.param == "bare" else sandbox_or_skip(request.param)


async def test_a_run_gets_its_files_and_gives_back_what_it_printed_and_how_it_ended(sandbox: Sandbox):
    program = """
import os, sys
print(open("in/data.txt", encoding="utf-8").read(), sys.stdin.read(), sorted(os.listdir(".")))
print("on stderr", file=sys.stderr)
os.write(3, b"told")
sys.exit(7)
"""
    files = {"main.py": program, "in/data.txt": "ж\r\n"}
    with anyio.fail_after(5):
        ran = await sandbox.run(files, ["{python}", "-u", "main.py"], SMALL, stdin=b"given")
    assert (ran.code, ran.ended, ran.why, ran.report) == (7, "exited", "", b"told")
    assert ran.output == "ж\n given ['in', 'main.py']\non stderr\n"
    assert ran.seconds > 0


async def test_a_second_run_finds_nothing_of_the_first(sandbox: Sandbox):
    with anyio.fail_after(5):
        first = await sandbox.run({}, ["/bin/sh", "-c", "echo 1 > left; echo 1 > $TMPDIR/left; ls"], SMALL)
        second = await sandbox.run({}, ["/bin/sh", "-c", "ls . $TMPDIR"], SMALL)
    assert first.output == "left\n"
    assert "left" not in second.output


async def test_a_run_finds_nothing_of_our_environment(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("API_KEY", "canary-3")
    with anyio.fail_after(5):
        ran = await sandbox.run({}, ["/bin/sh", "-c", "export"], SMALL)
    names = {line.split()[1].partition("=")[0] for line in ran.output.splitlines()}
    assert "API_KEY" not in names
    assert {"PATH", "HOME", "LANG"} <= names
    assert "canary" not in ran.output


@pytest.mark.parametrize(
    ("command", "ended", "why"),
    [
        ("while :; do :; done", "timed_out", "it had not ended after 0.3 s"),
        ("kill -SEGV $$", "killed", "it was ended by the signal 11"),
        ("yes", "too_much_output", "it printed or reported more than 20000 bytes"),
        ("yes >&3", "too_much_output", "it printed or reported more than 20000 bytes"),
    ],
)
async def test_what_did_not_end_by_itself_says_why(sandbox: Sandbox, command: str, ended: str, why: str):
    limits = Limits(wall_s=0.3 if ended == "timed_out" else 9, output_bytes=20_000)
    with anyio.fail_after(10):
        ran = await sandbox.run({}, ["/bin/sh", "-c", command], limits)
    assert (ran.ended, ran.why) == (ended, why)


async def test_many_runs_at_once_do_not_disturb_each_other(sandbox: Sandbox):
    outputs: dict[int, str] = {}

    async def one(number: int) -> None:
        command = ["/bin/sh", "-c", f"echo {number} > x; (sleep 0.01; cat x) & wait"]
        outputs[number] = (await sandbox.run({}, command, SMALL)).output

    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            for number in range(6):
                tasks.start_soon(one, number)
    assert outputs == {number: f"{number}\n" for number in range(6)}


async def test_no_handle_of_ours_is_left_open(sandbox: Sandbox):
    with anyio.fail_after(5):
        await sandbox.run({}, ["/bin/true"], SMALL)
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(3):
            await sandbox.run({}, ["/bin/true"], SMALL)
    assert len(os.listdir("/proc/self/fd")) == before


async def test_a_program_that_is_not_there_is_told(sandbox: Sandbox):
    with anyio.fail_after(5), pytest.raises(SandboxMissing, match="No such file"):
        await sandbox.run({}, ["/nowhere/at-all"], SMALL)


CORE = """
import anyio
from workshop.sandbox import Limits, bubblewrap, namespaces
program = "import os, sys, time\\nif os.fork() == 0: os.setsid()\\nprint(flush=True)\\ntime.sleep(60)"
command = ["{python}", "-c", program, "%s"]
sandboxes = {"namespaces": namespaces.Namespaces, "bubblewrap": lambda: bubblewrap.found()[0]}
anyio.run(lambda: sandboxes["%s"]().run({}, command, Limits()))
"""


def running(mark: str) -> list[int]:
    found: list[int] = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "cmdline").read_bytes().split(b"\0")[1:]:
                found.append(int(folder.name))
        except OSError:
            continue
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent has ended")
async def test_a_run_dies_with_the_core_even_when_that_is_killed(sandbox: Sandbox):
    if not sandbox.isolated:
        pytest.skip("without namespaces a process that left its session outlives a core that is killed")
    mark = f"mark-{os.getpid()}-{sandbox.name}"
    core = subprocess.Popen(
        [sys.executable, "-c", CORE % (mark, sandbox.name)], cwd=Path(__file__).parents[2]
    )
    try:
        with anyio.fail_after(10):
            while len(pids := running(mark)) < 2:
                await anyio.to_thread.run_sync(os.sched_yield)
            handles = [os.pidfd_open(pid) for pid in pids]
            core.kill()
            for handle in handles:
                await anyio.wait_readable(handle)
                os.close(handle)
    finally:
        core.kill()
        core.wait()
    assert running(mark) == []


async def test_a_core_that_is_stopped_does_not_keep_a_run_alive():
    sandbox_or_skip("namespaces")
    # The launcher's own clock goes off ten seconds after the core's should have: here, after one.
    made = plan(Job({}, ["/bin/sleep", "60"], Limits(wall_s=-9)), "namespaces", FOLDER)
    with contextlib.closing(Pipes()) as pipes, anyio.fail_after(5):
        command = launcher(own_python(), str(ROOT), *pipes.theirs)
        ran = await launch(command, as_json(made), Limits(wall_s=9), pipes)
    assert (ran.ended, ran.why) == ("killed", "something ended it from outside")


# Without a sandbox


async def test_without_a_sandbox_a_run_of_too_many_processes_is_ended():
    command = ["/bin/sh", "-c", "for n in 1 2 3 4 5 6 7 8; do sleep 60 & done; wait"]
    with anyio.fail_after(5):
        ran = await Bare("for a test").run({}, command, Limits(processes=4))
    assert (ran.ended, ran.why) == ("killed", "it had more than 4 processes")


async def test_without_a_sandbox_a_daemon_ends_with_the_run_too():
    program = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(60)\nprint('away')\n"
    with anyio.fail_after(5):
        ran = await Bare("for a test").run({}, ["{python}", "-c", program, "bare-daemon"], SMALL)
    assert (ran.output, ran.ended) == ("away\n", "exited")
    assert running("bare-daemon") == []


async def test_without_a_sandbox_the_folder_is_gone_whatever_its_rights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    command = ["/bin/sh", "-c", "mkdir -p a/b; touch a/b/c; chmod 000 a/b; chmod 500 a"]
    with anyio.fail_after(5):
        await Bare("for a test").run({"x/y": ""}, command, SMALL)
    assert list(tmp_path.iterdir()) == []


# Finding one


def test_the_reason_for_none_is_a_sentence_that_says_what_to_do(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(finding, "found_bubblewrap", lambda: (None, "bubblewrap is not installed"))
    monkeypatch.setattr(finding, "refused_namespaces", lambda: "PermissionError: [Errno 1] unshare")
    found = finding.find.__wrapped__()
    assert (found.name, found.isolated) == ("bare", False)
    assert found.why_not_isolated == (
        "bubblewrap is not installed; namespaces are refused: PermissionError: [Errno 1] unshare. Generated "
        "code would run as you: it could read and change your files and use the network; only its time, "
        "memory and output are limited. On Debian or Ubuntu, `sudo apt install bubblewrap` makes a sandbox "
        "possible."
    )


def test_a_bubblewrap_that_does_not_work_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr("shutil.which", lambda _: str(program))
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    found, why = bubblewrap.found()
    assert found is None
    assert why == "bubblewrap refuses: bwrap: setting up uid map: Permission denied"


def test_windows_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.platform", "win32")
    with pytest.raises(SandboxMissing, match="WSL"):
        finding.find.__wrapped__()


def test_another_system_has_none(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.platform", "darwin")
    assert "this is darwin" in finding.find.__wrapped__().why_not_isolated


def test_what_is_found_is_found_once():
    assert find() is find()


# What is shown, and what can be laid in


@pytest.mark.parametrize("where", ["here", "behind a link"])
async def test_a_projects_own_environment_is_used_wherever_it_lies(
    sandbox: Sandbox, tmp_path: Path, where: str
):
    folder = tmp_path / "deep" / "env"
    venv.create(folder, symlinks=True)
    if where != "here":
        (tmp_path / "link").symlink_to(tmp_path / "deep")
        folder = tmp_path / "link" / "env"
    program = "import sys, json; print(sys.prefix, sys.prefix != sys.base_prefix)"
    with anyio.fail_after(5):
        ran = await sandbox.run({}, ["{python}", "-c", program], SMALL, venv=folder)
    assert ran.output == f"{folder} True\n"


def test_an_environment_cannot_show_a_folder_that_is_no_python(tmp_path: Path):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").write_text("")
    bin_folder = tmp_path / "env" / "bin"
    bin_folder.mkdir(parents=True)
    (tmp_path / "env" / "pyvenv.cfg").write_text(f"home = {tmp_path / 'secret'}\n")
    (bin_folder / "python").symlink_to(tmp_path / "secret" / "key")
    with pytest.raises(ValueError, match="no Python installation"):
        shown(tmp_path / "env")
    with pytest.raises(ValueError, match="no virtual environment"):
        shown(tmp_path / "secret")


def test_nothing_of_a_home_is_shown_but_the_interpreter():
    seen = shown(None)
    allowed = [sys.prefix, sys.base_prefix, os.path.realpath(sys.base_prefix)]
    system = ("/usr", "/lib", "/bin", "/sbin", "/etc")
    outside = [source for source, _ in seen.folders if not source.startswith(system)]
    assert set(outside) <= {*allowed, "/nix/store", "/gnu/store"}


@pytest.mark.parametrize(
    ("files", "fixed"),
    [
        ({"a": "", "a/b": ""}, {}),
        ({"tests/mine.py": ""}, {"tests/test_a.py": ""}),
        ({"a": "x" * (9 << 20)}, {}),
        ({"../a": ""}, {}),
        ({"a/./b": ""}, {}),
        ({"\ud800": ""}, {}),
        ({"x" * 256: ""}, {}),
        ({}, {"/etc/passwd": ""}),
    ],
)
def test_files_that_cannot_be_laid_in_are_refused_before_anything_runs(
    files: dict[str, str], fixed: dict[str, str]
):
    with pytest.raises(ValueError):
        Job(files, [], SMALL, fixed=fixed)


@given(st.text(max_size=20))
def test_a_path_that_is_taken_stays_inside(path: str):
    try:
        Job({path: ""}, [], SMALL)
    except ValueError:
        return
    assert os.path.normpath(os.path.join("/project", path)).startswith("/project/")


def test_every_jump_of_the_filter_lands_inside_it():
    for machine in ("x86_64", "aarch64"):
        program = calls.program(machine)
        lines = [program[at : at + 8] for at in range(0, len(program), 8)]
        for at, line in enumerate(lines):
            if line[0] & 0x07 == 0x05:
                assert at + 1 + max(line[2], line[3]) < len(lines)
        assert lines[-1] == bytes([6, 0, 0, 0]) + (0x7FFF0000).to_bytes(4, "little")
    assert not calls.known("riscv64")
