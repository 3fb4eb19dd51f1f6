"""The server collects garbage between the saves of hands."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING

import pytest

from scorekeeper.ops.metrics import Loads
from scorekeeper.server.worker import ALL_AFTER, LITTLE_GARBAGE, collect_when_idle
from tests.support.server import changed_by, command, start

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Cycle:
    """An object that refers to itself, so that only the collector frees it."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture(autouse=True)
def by_hand() -> Iterator[None]:
    """Let Python collect nothing by itself."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def dropped() -> weakref.ref[Cycle]:
    """Return a weak reference to an object that is garbage."""
    return weakref.ref(Cycle())


def test_nothing_is_collected_while_a_hand_is_saved() -> None:
    loads, garbage = Loads(), dropped()
    _new: list[list[object]] = [[] for _ in range(LITTLE_GARBAGE)]
    ticket = loads.write.arrive()
    loads.write.begin(ticket)
    collect_when_idle(loads)
    assert garbage() is not None
    loads.write.leave(ticket)
    collect_when_idle(loads)
    assert garbage() is None


def test_a_collection_of_little_garbage_waits() -> None:
    garbage = dropped()
    collect_when_idle(Loads())
    assert garbage() is not None


def test_old_garbage_is_collected_in_the_end() -> None:
    """An object that survived a collection and then became garbage is collected, though not by the next collection."""
    loads, old = Loads(), Cycle()
    garbage = weakref.ref(old)
    gc.collect()
    del old
    times = 0
    new: list[list[object]] = []
    while garbage() is not None:
        new.append([[] for _ in range(LITTLE_GARBAGE)])
        collect_when_idle(loads)
        times += 1
        assert times <= ALL_AFTER + 1
    assert times > 1


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_server_collects_garbage_once_it_has_started(tmp_path: Path, workers: str) -> None:
    """Nothing is collected during the start."""
    told = tmp_path / "told"
    script = f"import atexit, gc; atexit.register(lambda: open({str(told)!r}, 'a').write(f'{{gc.isenabled()}} '))"
    instance = tmp_path / "instance"
    start(command(instance, "--workers", workers), changed_by(script, instance)).stop()
    ended = told.read_text().split()
    assert len(ended) >= int(workers)
    assert set(ended) == {"True"}
