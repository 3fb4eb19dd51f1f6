"""What a process does again and again beside answering: backups, tidying up, looking after its certificate."""

from __future__ import annotations

import threading
import time
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def repeat(job: Callable[[], timedelta], name: str, *, first: timedelta = timedelta(0)) -> None:
    """Do `job` after `first`, and again after the time that it returns, in a thread of that name until we end.

    A job says itself what went wrong; one that raises is not done again.
    """

    def run() -> None:
        pause = first
        while True:
            time.sleep(pause.total_seconds())
            pause = job()

    threading.Thread(target=run, name=name, daemon=True).start()
