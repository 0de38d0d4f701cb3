"""Which calls to the kernel a run may not make: a seccomp filter, for the two machines that we know.

Knows:    the calls by number, and the filter's program.
Does not: install it.   (kernel.py)
Refused:  what makes namespaces (a run could become root in one of its own, and try the kernel's doors from
          there), mounts, other processes' memory, keys, modules, memory that no limit counts (memfd, System
          V), and every kind of socket but unix and internet: AF_VSOCK reaches a virtual machine's host
          through an empty network namespace.
Source:   seccomp(2); asm/unistd_64.h and asm-generic/unistd.h of Linux 6
"""

import errno
import struct

_REFUSED = {  # name: (x86_64, aarch64)
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "semget": (64, 190),
    "setns": (308, 268),
    "shmget": (29, 194),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
_CLONE, _CLONE3, _SOCKET = (56, 220), (435, 435), (41, 198)
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32 = 0x40000000
_NEW_NAMESPACES = 0x7E020080  # every CLONE_NEW… flag of clone(2)
_UNIX, _INTERNET, _INTERNET_6 = 1, 2, 10

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data, little-endian


def _line(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("HBBI", code, then, otherwise, value)


def _refuse(error: int) -> bytes:
    return _line(_RETURN, _ERROR | error)


def known(machine: str) -> bool:
    """Say whether there is a filter for this kind of machine."""
    return machine in _MACHINES


def program(machine: str) -> bytes:
    """Return the filter for a machine that is known."""
    column, architecture = _MACHINES[machine]
    lines = [_line(_LOAD, _ARCHITECTURE), _line(_EQUAL, architecture, 1, 0), _line(_RETURN, _KILL)]
    lines.append(_line(_LOAD, _NUMBER))
    lines += [_line(_AT_LEAST, _X32, 0, 1), _refuse(errno.ENOSYS)]
    for numbers in _REFUSED.values():
        lines += [_line(_EQUAL, numbers[column], 0, 1), _refuse(errno.EPERM)]
    # clone3 hides its flags in memory; without it the C library takes clone.
    lines += [_line(_EQUAL, _CLONE3[column], 0, 1), _refuse(errno.ENOSYS)]
    lines += [_line(_EQUAL, _CLONE[column], 0, 4), _line(_LOAD, _FIRST_ARGUMENT)]
    lines += [_line(_ANY_BIT, _NEW_NAMESPACES, 0, 1), _refuse(errno.EPERM), _line(_RETURN, _ALLOW)]
    lines += [_line(_EQUAL, _SOCKET[column], 0, 5), _line(_LOAD, _FIRST_ARGUMENT)]
    lines += [_line(_EQUAL, _UNIX, 3, 0), _line(_EQUAL, _INTERNET, 2, 0), _line(_EQUAL, _INTERNET_6, 1, 0)]
    lines += [_refuse(errno.EAFNOSUPPORT), _line(_RETURN, _ALLOW)]
    return b"".join(lines)
