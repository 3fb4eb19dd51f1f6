"""Repeat jobs in background threads: backups, retention, certificate renewal."""

from __future__ import annotations

import threading
import time
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def repeat(job: Callable[[], timedelta], name: str, *, first: timedelta = timedelta(0)) -> None:
    """Run `job` after `first`, then each time after the pause that it returns, in a thread called `name`.

    A job must handle its errors; one that raises isn't repeated.
    """

    def run() -> None:
        pause = first
        while True:
            time.sleep(pause.total_seconds())
            pause = job()

    threading.Thread(target=run, name=name, daemon=True).start()
