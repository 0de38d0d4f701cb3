"""`python recorded.py FILE COMMAND...`: run an MCP server over stdio and write down what passes.

Knows:    lines of JSON: those to the server, and those from it; each is written before it is passed on, so
          whoever has read an answer finds it in the file.
Does not: read them.   (transcripts.py)
Why so:   what a framework says that it called is its word; what reached the server is not.
"""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO


class Recorder:
    """One file for both directions, written by two threads."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8")
        self._lock = threading.Lock()

    def copy(self, source: IO[bytes], target: IO[bytes], direction: str) -> None:
        """Pass every line on until the source ends, then close the target."""
        for line in iter(source.readline, b""):
            self._write(direction, line)
            try:
                target.write(line)
                target.flush()
            except BrokenPipeError:
                return  # the reader has gone: what it would have said is over as well
        target.close()

    def _write(self, direction: str, line: bytes) -> None:
        with self._lock:
            entry = {"to": direction, "line": line.decode("utf-8", "replace").rstrip("\n")}
            self._file.write(json.dumps(entry, ensure_ascii=False) + "\n")
            self._file.flush()


def main(arguments: list[str]) -> None:
    """Run the command and end with its exit code."""
    recorder = Recorder(Path(arguments[0]))
    child = subprocess.Popen(arguments[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin is not None and child.stdout is not None  # both are pipes
    up = threading.Thread(target=recorder.copy, args=(sys.stdin.buffer, child.stdin, "server"), daemon=True)
    up.start()
    recorder.copy(child.stdout, sys.stdout.buffer, "client")
    # The other thread may be reading stdin, which an ordinary exit would wait for.
    os._exit(child.wait())


if __name__ == "__main__":
    main(sys.argv[1:])
