"""Build the demo league's archive, part by part."""

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
    """The demo's archive while it is being built."""

    device: str = DEVICE
    random: Random
    words: Random
    now: datetime
    sets: Counter[int] = field(default_factory=Counter)
    """Maps the number of each person to how many of their bids failed (sets) on the night that is being made."""

    def word(self) -> str:
        """Return a new public id."""
        return "".join(self.words.choice(ALPHABET) for _ in range(ID_LENGTH))
