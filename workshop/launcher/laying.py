"""Lay files into a folder.

Knows:    paths that the core has checked, and their texts.
Does not: judge a path: one that leads elsewhere never gets here.   (workshop/sandbox/plans.py)
"""

import os


def lay(folder: str, files: dict[str, str], mode: int = 0o644) -> None:
    """Write each text to its path below the folder."""
    for path, text in files.items():
        target = os.path.join(folder, path)
        os.makedirs(os.path.dirname(target), mode=0o755, exist_ok=True)
        handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with open(handle, "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
            file.write(text)
