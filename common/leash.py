"""A child process that cannot outlive its parent, even when the parent is killed.

Knows:    Linux's parent-death signal. Elsewhere the command is left as it is.
Does not: start anything.
Source:   prctl(2), PR_SET_PDEATHSIG; it survives execve of an ordinary program.
"""

import os
import sys

# -S -E and two imports: about 15 ms on top of the command's own start.
_SHIM = (
    "import ctypes,os,sys;"
    "ctypes.CDLL(None).prctl(1,9);"
    "os.getppid()==int(sys.argv[1]) or os._exit(1);"
    "os.execvp(sys.argv[2],sys.argv[2:])"
)


def leashed(command: list[str]) -> list[str]:
    """Return a command line that runs this one and is killed with the calling process."""
    if sys.platform != "linux":
        return command
    return [sys.executable, "-S", "-E", "-c", _SHIM, str(os.getpid()), *command]
