"""The file system that a run sees: what it needs to start, read-only, and two small folders to write in.

Knows:    how to build it out of a plan, in a mount namespace of its own.
Does not: decide what is shown (workshop/sandbox/shown.py), or lay files in (laying.py).
Shape:    a tmpfs takes the root's place at once, so that a thing shown may lie anywhere, below /tmp too, and
          everything not named is gone. What can be written is one more tmpfs, whose size is the disk limit.
"""

import os
from typing import Any

from workshop.launcher import kernel

_STAGE = "/tmp"
_OLD, _NEW, _ROOM = "/old", "/new", "/room"
FIXED = "/fixed"
"""Where the files that do not change are laid, between build and enter."""
_DEVICES = ("null", "zero", "full", "random", "urandom")
_INODES = 20_000
"""Files and folders in all that a run may have: each costs the kernel a kilobyte that no size counts."""

_FILES = {
    "passwd": "nobody:x:{uid}:{gid}:nobody:{folder}:/usr/sbin/nologin\n",
    "group": "nogroup:x:{gid}:\n",
    "hosts": "127.0.0.1 localhost\n::1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}


def build(plan: dict[str, Any], uid: int, gid: int) -> None:
    """Build the root, without yet making it the root: work is still done from outside the run's rights."""
    kernel.attach("none", "/", flags=kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.attach("tmpfs", _STAGE, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "mode=0755,size=16m")
    for folder in (_OLD, _NEW, _ROOM, FIXED):
        os.mkdir(_STAGE + folder, 0o755)
    kernel.swap_root(_STAGE, _OLD.lstrip("/"))
    kernel.attach("tmpfs", _NEW, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "mode=0755,size=4m")
    size = f"mode=0755,size={plan['limits']['disk_mb']}m,nr_inodes={_INODES}"
    kernel.attach("tmpfs", _ROOM, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, size)
    for path, text in plan["links"]:
        os.makedirs(os.path.dirname(_NEW + path), exist_ok=True)
        os.symlink(text, _NEW + path)
    _devices()
    for place, target in (("/own", plan["folder"]), ("/tmp", "/tmp"), ("/shm", "/dev/shm")):
        _writable(_ROOM + place, _NEW + target, uid, gid)
    for source, target in plan["shown"]:
        _show(_OLD + source, _NEW + target, kernel.ATTR_RDONLY | kernel.ATTR_NOSUID | kernel.ATTR_NODEV)
    _etc(plan["folder"], uid, gid)
    os.mkdir(_NEW + "/proc")
    # subset=pid leaves out /proc/sys, kcore, sysrq-trigger and all else that is no process.
    kernel.attach("proc", _NEW + "/proc", "proc", kernel.MS_NOSUID | kernel.MS_NODEV, "subset=pid")


def enter(plan: dict[str, Any]) -> None:
    """Show the fixed files, make the root read-only and go in; what was outside is out of reach after."""
    for name in sorted(os.listdir(FIXED)):
        attributes = kernel.ATTR_RDONLY | kernel.ATTR_NOSUID | kernel.ATTR_NODEV
        _show(f"{FIXED}/{name}", f"{_NEW}{plan['folder']}/{name}", attributes)
    kernel.set_attributes(_NEW, kernel.ATTR_RDONLY)
    kernel.move_root(_NEW)


def _show(source: str, target: str, attributes: int) -> None:
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    kernel.attach(source, target, flags=kernel.MS_BIND | kernel.MS_REC)
    kernel.set_attributes(target, attributes, below=True)


def _devices() -> None:
    os.mkdir(_NEW + "/dev")
    for name in _DEVICES:
        _show(f"{_OLD}/dev/{name}", f"{_NEW}/dev/{name}", kernel.ATTR_NOSUID | kernel.ATTR_NOEXEC)
    for name, number in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        os.symlink("/proc/self/fd" + number, f"{_NEW}/dev/{name}")


def _etc(folder: str, uid: int, gid: int) -> None:
    os.makedirs(_NEW + "/etc", exist_ok=True)
    for name, text in _FILES.items():
        with open(f"{_NEW}/etc/{name}", "w", encoding="utf-8") as file:
            file.write(text.format(uid=uid, gid=gid, folder=folder))


def _writable(place: str, target: str, uid: int, gid: int) -> None:
    os.mkdir(place, 0o700)
    os.chown(place, uid, gid)
    os.makedirs(target, exist_ok=True)
    kernel.attach(place, target, flags=kernel.MS_BIND)
