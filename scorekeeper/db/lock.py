"""Lock a folder by a file in it, until the process that holds the lock ends."""

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
    """Hold a lock on the file at `path`, which is created if missing.

    Forked processes hold it too until they end. Several processes can hold it `shared` while none holds it alone;
    Windows has no shared locks, and none is taken there. If another process holds it, wait, or raise `BlockingIOError`
    if not `wait`. Raises `OSError` if the file cannot be created.
    """
    with path.open("a+") as file:
        if sys.platform != "win32":
            import fcntl

            # Closed and never unlocked, because unlocking would also release it in forked processes.
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
