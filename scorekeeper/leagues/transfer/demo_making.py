"""The parts of the demo league while it is made."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from random import Random

from scorekeeper.db.tokens import ALPHABET, ID_LENGTH
from scorekeeper.leagues.transfer.making import Making

DEVICE = "nobody: the demo has no director yet"
"""Placeholder for the hash of a device. No device has it."""


@dataclass(kw_only=True)
class DemoMaking(Making):
    """The parts of the demo's archive while it is made."""

    device: str = DEVICE
    random: Random
    words: Random
    now: datetime
    sets: Counter[int] = field(default_factory=Counter)
    """How often each person bid and was set on the night that is being made."""

    def word(self) -> str:
        """Return a new public id."""
        return "".join(self.words.choice(ALPHABET) for _ in range(ID_LENGTH))
