"""Lock a folder by locking a file in it. When a process ends, its locks end, too."""

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
    """Hold a lock on the file at `path` inside the `with` block. A missing file is created.

    Processes that are forked inside the block also hold the lock until they end. Several processes can hold a `shared`
    lock at the same time, but not while another process holds an exclusive one. On Windows, `shared` takes no lock.

    If another process holds the lock, wait for it. With `wait=False`, raise `BlockingIOError` instead. Raises `OSError`
    if the file cannot be created.
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
