"""Who may use a folder now: locks that end with the process that holds them."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def held(path: Path, *, wait: bool = True, shared: bool = False) -> Iterator[None]:
    """Hold the lock file at `path`, made if missing, also in the processes forked meanwhile, until the last is done.

    Many may hold it `shared` while nobody holds it alone; Windows knows no such lock and gives none. While another
    process is in the way: wait, or without `wait` raise `BlockingIOError`. Raises `OSError` where there can be no file.
    """
    with path.open("a+") as file:
        if sys.platform != "win32":
            import fcntl

            # Never unlocked, only closed: unlocking would take it from the forked processes too.
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
        elif not shared:
            _lock_on_windows(file.fileno(), wait=wait)
        yield


def _lock_on_windows(file: int, *, wait: bool) -> None:
    if sys.platform == "win32":
        import msvcrt

        while True:
            try:
                msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            except OSError as error:
                if not wait:
                    raise BlockingIOError from error
                time.sleep(0.2)
            else:
                return
