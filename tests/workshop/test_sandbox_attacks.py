"""What generated code may try, against each sandbox that this system has: it is stopped, and so is the run.

Each program says what it managed, one word a line after "got"; what it was refused, it prints for the reader.
"""

import os
import signal
import socket
import textwrap
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from tests.workshop.sandboxes import sandbox_or_skip
from workshop.sandbox import Limits, Ran, Sandbox

pytestmark = pytest.mark.anyio

SMALL = Limits(wall_s=5, cpu_s=3, memory_mb=200, processes=16, output_bytes=20_000, disk_mb=8)

TRY = """\
import ctypes, os, signal, socket, sys, time
libc = ctypes.CDLL(None, use_errno=True)

def attempt(name, act):
    try:
        result = act()
    except BaseException as error:
        print("refused", name, type(error).__name__, error, flush=True)
    else:
        if result == -1:
            print("refused", name, os.strerror(ctypes.get_errno()), flush=True)
        else:
            print("got", name, repr(result)[:200], flush=True)
"""


@pytest.fixture(params=["bubblewrap", "namespaces"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    return sandbox_or_skip(request.param)


async def tried(sandbox: Sandbox, program: str, limits: Limits = SMALL) -> Ran:
    with anyio.fail_after(10):
        text = TRY + textwrap.dedent(program)
        return await sandbox.run({"main.py": text}, ["{python}", "main.py"], limits)


def got(ran: Ran) -> list[str]:
    assert "refused" in ran.output or "got" in ran.output, ran
    return [line.split()[1] for line in ran.output.splitlines() if line.startswith("got ")]


async def test_what_a_program_should_be_able_to_do_it_can(sandbox: Sandbox):
    ran = await tried(
        sandbox,
        """
        import pathlib, subprocess, tempfile, threading, multiprocessing
        def run(command, **options):
            return subprocess.run(command, capture_output=True, check=True, **options)
        pathlib.Path("deep/er").mkdir(parents=True)
        attempt("write", lambda: pathlib.Path("deep/er/x").write_text("1"))
        attempt("temporary", lambda: tempfile.TemporaryFile().write(b"x"))
        attempt("program", lambda: run([sys.executable, "-c", "print(1)"]))
        attempt("shell", lambda: run("echo hi | cat", shell=True))
        attempt("thread", lambda: threading.Thread(target=print).start())
        attempt("process", lambda: multiprocessing.Pool(2).map(abs, [1, -2]))
        attempt("null", lambda: open("/dev/null", "w").write("x"))
        attempt("random", lambda: os.urandom(3))
        attempt("proc", lambda: open("/proc/self/status").read())
        def talk():
            server = socket.create_server(("127.0.0.1", 0))
            client = socket.create_connection(server.getsockname())
            client.sendall(b"x")
            return server.accept()[0].recv(1)
        attempt("itself", talk)
        import getpass, pwd
        attempt("identity", lambda: (pwd.getpwuid(os.getuid()), getpass.getuser()))
        """,
    )
    wanted = "write temporary program shell thread process null random proc itself identity"
    assert got(ran) == wanted.split(), ran


async def test_files_of_this_machine_are_not_there(sandbox: Sandbox, tmp_path: Path):
    secret = tmp_path / ".env.local"
    secret.write_text("API_KEY=canary-1")
    names = [secret, Path.home() / ".ssh", Path.home() / ".bash_history", Path(__file__)]
    ran = await tried(
        sandbox,
        f"""
        for path in {[str(name) for name in names]}:
            attempt("read:" + path, lambda: os.stat(path))
        for path in "/etc/shadow /etc/ssh /home /var /run /sys /boot /mnt".split():
            attempt("read:" + path, lambda: os.stat(path))
        for path in ("/proc/kcore", "/proc/1/mem", "/proc/kmsg"):
            attempt("read:" + path, lambda: open(path, "rb").read(1))
        """,
    )
    assert got(ran) == [], ran.output
    assert "canary" not in ran.output


async def test_the_environment_of_the_core_is_nowhere_to_be_read(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SHOPKART_CANARY", "canary-2")
    ran = await tried(
        sandbox,
        """
        print(dict(os.environ))
        for pid in filter(str.isdigit, os.listdir("/proc")):
            for name in ("environ", "cmdline", "mem", "maps"):
                attempt(f"{pid}/{name}", lambda: open(f"/proc/{pid}/{name}", "rb").read(100_000))
        """,
    )
    assert "canary-2" not in ran.output
    assert "SHOPKART" not in ran.output


async def test_nothing_outside_the_folder_can_be_written(sandbox: Sandbox, tmp_path: Path):
    ran = await tried(
        sandbox,
        f"""
        for path in "/x /usr/x /etc/x /bin/x /dev/x /proc/x /lib/x".split():
            attempt("write:" + path, lambda: open(path, "w"))
        attempt("write:python", lambda: open(os.path.realpath(sys.executable), "r+b"))
        attempt("write:site", lambda: open(os.path.join(os.path.dirname(os.__file__), "site.py"), "a"))
        attempt("write:prefix", lambda: open(os.path.join(sys.prefix, "x"), "w"))
        os.makedirs({str(tmp_path / "new")!r}, exist_ok=True)  # in a /tmp of its own
        attempt("remove", lambda: os.remove(os.__file__))
        attempt("times", lambda: os.utime(os.__file__))
        attempt("mode", lambda: os.chmod(os.__file__, 0o777))
        """,
    )
    assert got(ran) == [], ran.output
    assert not (tmp_path / "new").exists()


@pytest.fixture
def listeners(tmp_path: Path) -> Iterator[dict[str, socket.socket]]:
    tcp = socket.create_server(("127.0.0.1", 0))
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("127.0.0.1", 0))
    abstract = socket.socket(socket.AF_UNIX)
    abstract.bind(f"\0workshop-{os.getpid()}")
    abstract.listen()
    named = socket.socket(socket.AF_UNIX)
    named.bind(str(tmp_path / "s"))
    named.listen()
    made = {"tcp": tcp, "udp": udp, "abstract": abstract, "named": named}
    for one in made.values():
        one.setblocking(False)
    yield made
    for one in made.values():
        one.close()


async def test_the_network_and_sockets_of_this_machine_are_out_of_reach(
    sandbox: Sandbox, listeners: dict[str, socket.socket]
):
    where = {name: one.getsockname() for name, one in listeners.items()}
    ran = await tried(
        sandbox,
        f"""
        where = {where!r}
        def to(kind, address):
            one = socket.socket(kind)
            one.settimeout(1)
            one.connect(address)
        attempt("tcp", lambda: to(socket.AF_INET, where["tcp"]))
        attempt("abstract", lambda: to(socket.AF_UNIX, where["abstract"]))
        attempt("named", lambda: to(socket.AF_UNIX, where["named"]))
        attempt("far", lambda: to(socket.AF_INET, ("192.0.2.1", 80)))
        attempt("metadata", lambda: to(socket.AF_INET, ("169.254.169.254", 80)))
        attempt("six", lambda: to(socket.AF_INET6, ("2001:db8::1", 80)))
        attempt("name", lambda: socket.getaddrinfo("example.org", 80))
        attempt("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP))
        attempt("packet", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
        attempt("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
        attempt("vsock", lambda: socket.socket(socket.AF_VSOCK))
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", where["udp"])
        """,
    )
    assert got(ran) == [], ran.output
    for one in (listeners["tcp"], listeners["abstract"], listeners["named"]):
        with pytest.raises(BlockingIOError):
            one.accept()
    with pytest.raises(BlockingIOError):
        listeners["udp"].recv(1)


async def test_rights_cannot_be_gained(sandbox: Sandbox):
    ran = await tried(
        sandbox,
        """
        if os.getuid():
            attempt("root", lambda: os.setuid(0))
        attempt("groups", lambda: os.setgroups([0]))
        for flag in (0x10000000, 0x20000, 0x20000000, 0x40000000, 0x8000000, 0x4000000, 0x2000000):
            attempt(f"unshare:{flag:x}", lambda: libc.unshare(flag))
        clone = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
        attempt("clone", lambda: libc.syscall(clone, 0x10000000 | 17, 0, 0, 0, 0))
        attempt("mount", lambda: libc.mount(b"none", b"/tmp", b"tmpfs", 0, None))
        attempt("remount", lambda: libc.mount(None, b"/usr", None, 0x1020, None))
        attempt("remount-root", lambda: libc.mount(None, b"/", None, 0x20, None))
        attempt("umount", lambda: libc.umount2(b"/proc", 2))
        attempt("chroot", lambda: os.chroot("/tmp"))
        attempt("mknod", lambda: os.mknod("disk", 0o60600, os.makedev(254, 0)))
        attempt("setns", lambda: libc.setns(os.open("/proc/1/ns/net", os.O_RDONLY), 0))
        attempt("ptrace", lambda: libc.ptrace(16, os.getppid(), 0, 0))
        attempt("traceme", lambda: libc.ptrace(0, 0, 0, 0))
        attempt("hostname", lambda: socket.sethostname("x"))
        attempt("clock", lambda: time.clock_settime(time.CLOCK_REALTIME, 0))
        attempt("nice", lambda: os.nice(-5))
        attempt("memfd", lambda: os.memfd_create("x"))
        attempt("sysv", lambda: libc.shmget(0, 1 << 20, 0o1600))
        attempt("limit", lambda: __import__("resource").setrlimit(7, (4096, 4096)))
        attempt("sys", lambda: open("/proc/sys/kernel/hostname", "w"))
        attempt("sysrq", lambda: open("/proc/sysrq-trigger", "w"))
        for name in ("mem", "kmsg", "vda", "sda", "kvm", "fuse", "tty", "ptmx", "net/tun"):
            attempt("device:" + name, lambda: os.open("/dev/" + name, os.O_RDWR))
        import subprocess
        attempt("suid", lambda: subprocess.run(["su", "-c", "id"], check=True, capture_output=True))
        for line in open("/proc/self/status"):
            if line.startswith(("CapEff", "CapPrm", "CapBnd", "CapInh", "CapAmb", "NoNewPrivs", "Seccomp:")):
                print(line.strip())
        """,
    )
    assert got(ran) == [], ran.output
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert f"{name}:\t{0:016x}" in ran.output
    assert "NoNewPrivs:\t1" in ran.output
    assert "Seccomp:\t2" in ran.output


async def test_a_program_gets_its_four_handles_and_no_other(sandbox: Sandbox):
    with open(os.devnull, encoding="utf-8") as file:
        os.set_inheritable(file.fileno(), True)
        ran = await tried(
            sandbox,
            """
            for fd in range(4, 300):
                try:
                    print("got", fd, os.fstat(fd))
                except OSError:
                    continue
            print("refused the rest", [os.fstat(fd) for fd in range(4)])
            """,
        )
    assert got(ran) == [], ran.output


async def test_the_way_out_of_a_chroot_is_closed(sandbox: Sandbox):
    ran = await tried(
        sandbox,
        """
        os.chdir("/")
        for _ in range(50):
            os.chdir("..")
        attempt("outside", lambda: os.stat("home"))
        print(os.listdir("/"))
        """,
    )
    assert got(ran) == [], ran.output


async def test_nothing_outside_can_be_signalled(sandbox: Sandbox):
    received: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, _: received.append(number))
    try:
        ran = await tried(
            sandbox,
            f"""
            attempt("core", lambda: os.kill({os.getpid()}, signal.SIGUSR1))
            """,
        )
    finally:
        signal.signal(signal.SIGUSR1, before)
    # In its own process namespace the same number may be a process of the run, or none; never ours.
    assert received == []
    assert ran.code is not None


@pytest.mark.parametrize("whom", ["os.getppid()", "1", "-1", "0"])
async def test_killing_the_parent_ends_the_run_alone(sandbox: Sandbox, whom: str):
    ran = await tried(sandbox, f"os.kill({whom}, signal.SIGKILL)\nprint('got on')\ntime.sleep(0.1)")
    assert ran.ended in {"exited", "killed"}
    again = await tried(sandbox, "print('got well')")
    assert got(again) == ["well"]


async def test_a_fork_bomb_is_held_to_its_processes_and_ends_with_the_run(sandbox: Sandbox):
    ran = await tried(
        sandbox,
        """
        made = 0
        try:
            while True:
                if os.fork() == 0:
                    time.sleep(60)
                    os._exit(0)
                made += 1
        except OSError as error:
            print("refused", error)
        print("made", made, "got" if made > 16 else "")
        """,
    )
    assert "refused" in ran.output, ran
    assert "got" not in ran.output, ran
    assert ran.seconds < 4


async def test_a_fork_bomb_that_never_stops_ends_in_time(sandbox: Sandbox):
    program = """
    while True:
        try:
            os.fork()
        except OSError:
            pass
    """
    ran = await tried(sandbox, program, Limits(wall_s=1, processes=16, memory_mb=400))
    assert ran.ended in {"timed_out", "killed"}
    assert got(await tried(sandbox, "print('got well')")) == ["well"]


async def test_one_process_is_held_to_its_memory(sandbox: Sandbox):
    ran = await tried(sandbox, 'attempt("memory", lambda: bytearray(400 << 20))')
    assert got(ran) == []
    assert "MemoryError" in ran.output


async def test_many_processes_are_held_to_the_memory_of_one(sandbox: Sandbox):
    program = """
    for _ in range(8):
        if os.fork() == 0:
            held = bytearray(os.urandom(1) * (100 << 20))
            time.sleep(60)
    time.sleep(60)
    """
    ran = await tried(sandbox, program)
    assert (ran.ended, ran.why) == ("killed", "it used more than 200 MB of memory")


async def test_the_disk_fills_and_no_more(sandbox: Sandbox):
    ran = await tried(
        sandbox,
        """
        written = 0
        for folder in (".", "/tmp", "/dev/shm"):
            for number in range(50):
                try:
                    with open(f"{folder}/f{number}", "wb", buffering=0) as file:
                        written += file.write(b"x" * (1 << 20))
                except OSError as error:
                    print("refused", error)
                    break
        print("megabytes", written >> 20, "got" if written > (8 << 20) else "")
        """,
    )
    assert "No space left" in ran.output, ran
    assert "got" not in ran.output, ran


async def test_output_without_end_is_cut_and_the_run_ended(sandbox: Sandbox):
    ran = await tried(sandbox, "while True: print('x' * 1000)")
    assert ran.ended == "too_much_output"
    assert len(ran.output) == 20_000


@pytest.mark.parametrize(
    "program",
    [
        "while True: pass",
        "for n in (1, 2, 3, 10, 12, 14, 15): signal.signal(n, signal.SIG_IGN)\nwhile True: time.sleep(60)",
        "os.close(1); os.close(2); time.sleep(60)",
        "os.kill(os.getpid(), signal.SIGSTOP)",
    ],
    ids=["busy", "deaf", "silent", "stopped"],
)
async def test_a_run_without_end_is_ended(sandbox: Sandbox, program: str):
    ran = await tried(sandbox, program, Limits(wall_s=0.4))
    assert ran.ended == "timed_out"
    assert ran.code is None
    assert "0.4 s" in ran.why


async def test_processor_time_runs_out_before_the_clock_does(sandbox: Sandbox):
    ran = await tried(sandbox, "while True: pass", Limits(wall_s=9, cpu_s=1))
    assert (ran.ended, ran.why) == ("timed_out", "it used more than 1 s of processor time")


DAEMON = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)
        while True:
            time.sleep(0.01)
    os._exit(0)
os.wait()
print("got away")
"""


async def test_a_daemon_does_not_outlive_the_run_nor_hold_it_open(sandbox: Sandbox):
    ran = await tried(sandbox, DAEMON)
    assert got(ran) == ["away"]
    assert ran.ended == "exited"
    assert ran.seconds < 4
    assert processes_that_run("main.py") == []


async def test_a_cancelled_run_leaves_no_process_and_no_mount(sandbox: Sandbox):
    mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8")
    with anyio.move_on_after(0.3) as scope:
        await tried(sandbox, DAEMON + "time.sleep(60)")
    assert scope.cancelled_caught
    assert processes_that_run("main.py") == []
    assert Path("/proc/self/mountinfo").read_text(encoding="utf-8") == mounts


def processes_that_run(word: str) -> list[str]:
    """Return what runs from one of our runs: its command has both the word and our interpreter."""
    found: list[str] = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parts = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if len(parts) >= 2 and parts[1] == word.encode() and b"python" in parts[0]:
            found.append(folder.name)
    return found


async def test_garbage_on_the_report_pipe_is_bounded(sandbox: Sandbox):
    ran = await tried(sandbox, "while True: os.write(3, b'x' * 65536)")
    assert ran.ended == "too_much_output"
    assert len(ran.report) <= 4 * 1024 * 1024


async def test_fixed_files_cannot_be_changed_replaced_or_moved(sandbox: Sandbox):
    program = TRY + textwrap.dedent(
        """
        import shutil
        attempt("write", lambda: open("kept/a/b.txt", "w"))
        attempt("add", lambda: open("kept/new", "w"))
        attempt("remove", lambda: os.remove("kept/a/b.txt"))
        attempt("move", lambda: os.rename("kept", "gone"))
        attempt("replace", lambda: os.rename("main.py", "kept/a/b.txt"))
        attempt("tree", lambda: shutil.rmtree("kept"))
        attempt("single", lambda: os.remove("one.txt"))
        attempt("over", lambda: os.rename("main.py", "one.txt"))
        print(open("kept/a/b.txt").read(), open("one.txt").read())
        """
    )
    fixed = {"kept/a/b.txt": "as it was", "one.txt": "too"}
    ran = await sandbox.run({"main.py": program}, ["{python}", "main.py"], SMALL, fixed=fixed)
    assert got(ran) == [], ran.output
    assert "as it was too" in ran.output
