"""Limit the processor time and the memory that a calculation may take, so that a page can't be made expensive."""

from __future__ import annotations

from time import thread_time


class TooLongError(Exception):
    """The calculation takes too long, or needs arrays that are too large."""


class Effort:
    """What a calculation may take: `seconds` of processor time of this thread, and `cells` numbers in an array."""

    def __init__(self, seconds: float, cells: int) -> None:
        self._until = thread_time() + seconds
        self._cells = cells

    def check(self, cells: int = 0) -> None:
        """Raise `TooLongError` if the time is over, or if an array of `cells` numbers would be too large."""
        if cells > self._cells or thread_time() > self._until:
            raise TooLongError
