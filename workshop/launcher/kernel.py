"""The calls to the Linux kernel that Python 3.11 has no name for.

Knows:    their numbers, flags and structures, and how each one's error reads.
Does not: decide which are made.   (main.py, mounts.py)
Source:   the man pages of unshare(2), mount(2), mount_setattr(2), pivot_root(2), capabilities(7), prctl(2)
"""

import ctypes
import errno
import fcntl
import os
import platform
import struct
import sys

CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_NOSUID, MS_NODEV = 2, 4
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MNT_DETACH = 2

ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV, ATTR_NOEXEC = 1, 2, 4, 8
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_CAPBSET_DROP = 1, 4, 22, 24
_PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS, _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL = 36, 38, 47, 4

_MOUNT_SETATTR = 442
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_CAPABILITY_VERSION_3 = 0x20080522

LINUX = sys.platform == "linux"
MACHINE = platform.machine()
_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result


def unshare(flags: int) -> None:
    """Leave the namespaces of the flags for new ones."""
    try:
        _checked(_libc.unshare(flags), "unshare")
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise OSError(
                "user namespaces are switched off here, by /proc/sys/user/max_user_namespaces"
            ) from None
        raise


def attach(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """Mount what source names at target, as mount(2) has it."""
    arguments = [os.fsencode(text) if text else None for text in (source, target, kind)]
    _checked(_libc.mount(*arguments, ctypes.c_ulong(flags), options.encode() or None), f"mount {target}")


def set_attributes(target: str, attributes: int, *, below: bool = False) -> None:
    """Add attributes to a mount, below: and to every mount under it. Linux 5.12 and later."""
    wanted = struct.pack("QQQQ", attributes, 0, 0, 0)
    flags = _AT_RECURSIVE if below else 0
    arguments = (ctypes.c_long(_MOUNT_SETATTR), _AT_FDCWD, os.fsencode(target), flags, wanted)
    _checked(_libc.syscall(*arguments, ctypes.c_size_t(len(wanted))), f"mount_setattr {target}")


def move_root(to: str) -> None:
    """Make a mount the root of everything, and let go of the old root."""
    os.chdir(to)
    _checked(_libc.syscall(ctypes.c_long(_PIVOT_ROOT[MACHINE]), b".", b"."), "pivot_root")
    _checked(_libc.umount2(b".", MNT_DETACH), "umount2")
    os.chdir("/")


def swap_root(to: str, old: str) -> None:
    """Make a mount the root, and leave the old root at the folder `old` in it."""
    os.chdir(to)
    arguments = (ctypes.c_long(_PIVOT_ROOT[MACHINE]), b".", os.fsencode(old))
    _checked(_libc.syscall(*arguments), "pivot_root")
    os.chdir("/")


def _prctl(option: int, *values: int) -> None:
    padded = [*values, 0, 0, 0, 0][:4]
    _checked(_libc.prctl(option, *(ctypes.c_ulong(value) for value in padded)), f"prctl {option}")


def die_with_parent(signal_number: int) -> None:
    """Get the signal when the thread that started us ends."""
    _prctl(_PR_SET_PDEATHSIG, signal_number)


def hide_from_trace() -> None:
    """Let nobody without rights over us read our memory, our files or our environment."""
    _prctl(_PR_SET_DUMPABLE, 0)


def adopt_orphans() -> None:
    """Become the parent of every process below us whose own parent ends."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def forbid_new_rights() -> None:
    """Let no program that is started from here gain rights by being started."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def empty_bounding_set() -> None:
    """Take every capability from what a program could ever gain; needs CAP_SETPCAP."""
    capability = 0
    while True:
        try:
            _prctl(_PR_CAPBSET_DROP, capability)
        except OSError:
            if capability == 0:
                raise
            return  # one past the last that this kernel knows
        capability += 1


def drop_capabilities() -> None:
    """Give up every capability that we hold."""
    _prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    header = struct.pack("Ii", _CAPABILITY_VERSION_3, 0)
    _checked(_libc.capset(header, bytes(24)), "capset")


def filter_calls(program: bytes) -> None:
    """Hold this process and all it starts to a seccomp filter, without a way back."""
    code = ctypes.create_string_buffer(program, len(program))
    filter_program = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    held = ctypes.create_string_buffer(filter_program, len(filter_program))
    arguments = (
        ctypes.c_ulong(2),
        ctypes.c_ulong(ctypes.addressof(held)),
        ctypes.c_ulong(0),
        ctypes.c_ulong(0),
    )
    _checked(_libc.prctl(_PR_SET_SECCOMP, *arguments), "seccomp")


def raise_loopback() -> None:
    """Switch on the loopback of this network namespace, so that a program can reach itself."""
    handle = _checked(_libc.socket(2, 2, 0), "socket")
    try:
        # struct ifreq: a name, then the flags IFF_UP and IFF_RUNNING; SIOCSIFFLAGS is 0x8914.
        fcntl.ioctl(handle, 0x8914, struct.pack("16sH22x", b"lo", 0x1 | 0x40))
    finally:
        os.close(handle)
