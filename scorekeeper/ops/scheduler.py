"""Repeat jobs in background threads, such as backups and the renewal of certificates."""

from __future__ import annotations

import threading
import time
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def repeat(job: Callable[[], timedelta], name: str, *, first: timedelta = timedelta(0)) -> None:
    """Run `job` again and again in a new thread called `name`. The job returns the pause before its next run.

    The first run is after the pause `first`. A job must handle its own errors. After an error, it isn't run again.
    """

    def run() -> None:
        pause = first
        while True:
            time.sleep(pause.total_seconds())
            pause = job()

    threading.Thread(target=run, name=name, daemon=True).start()
