"""The maker's hub as a source: one file over HTTPS, resumed where it stopped.

Knows:    ranges, and that a hub which does not answer within seconds is to be given up.
Does not: check the hash.   (weights.py)
"""

from collections.abc import Callable
from pathlib import Path

import httpx2

from model.catalogue import Weights
from model.errors import NotFetched

# Where the hub is blocked, the next source should begin within seconds.
LIMITS = httpx2.Timeout(connect=4, read=15, write=10, pool=4)
ATTEMPTS = 3


async def fetch(
    weights: Weights,
    path: Path,
    progress: Callable[[str, int, int], None],
    transport: httpx2.AsyncBaseTransport | None = None,
) -> None:
    """Bring the file to the path; what is there already is not asked for again.

    Raises: NotFetched.
    """
    async with httpx2.AsyncClient(timeout=LIMITS, follow_redirects=True, transport=transport) as client:
        for _ in range(ATTEMPTS):
            before = _there(path)
            if before >= weights.size:
                break
            try:
                await _more(client, weights, path, progress)
            except httpx2.HTTPError as error:
                # Without any progress another attempt would only cost the person time.
                if _there(path) == before:
                    raise NotFetched(
                        f"The maker's hub cannot be reached ({type(error).__name__})."
                    ) from error
    if _there(path) != weights.size:
        raise NotFetched("The maker's hub broke off the download.")


async def _more(
    client: httpx2.AsyncClient,
    weights: Weights,
    path: Path,
    progress: Callable[[str, int, int], None],
) -> None:
    done = _there(path)
    wanted = {"Accept-Encoding": "identity"}
    if done:
        wanted["Range"] = f"bytes={done}-"
    async with client.stream("GET", weights.url, headers=wanted) as answer:
        if done and answer.status_code == 200:
            done = 0
        _expect(answer, weights.size - done)
        with path.open("ab" if done else "wb") as file:
            async for block in answer.aiter_bytes(1 << 20):
                file.write(block)
                done += len(block)
                progress("from the maker's hub", done, weights.size)


def _expect(answer: httpx2.Response, size: int) -> None:
    """Refuse what cannot be the file, such as a sign-in page, before it is written."""
    if not answer.is_success:
        raise NotFetched(f"The maker's hub answered {answer.status_code}.")
    length = answer.headers.get("content-length")
    if length is not None and int(length) != size:
        raise NotFetched(f"The maker's hub offered {length} bytes where {size} were expected.")


def _there(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
