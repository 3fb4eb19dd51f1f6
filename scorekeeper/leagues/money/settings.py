"""The fees and prizes of a night, in cents: locked for the season, stored as plain JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from scorekeeper.leagues.core.settings_json import items, number, object_of
from scorekeeper.rules.money import MOST_CENTS
from scorekeeper.rules.phrase import Phrase, RuleViolation

MOST_POTS = 10
MOST_SHARES = 40
NAME_LENGTH = 40
"""Most characters in the name of a pot."""


class Pot(Struct, frozen=True):
    """A side pot: its name, and the price to enter it for one night, in cents."""

    name: str
    entry: int


class Share(Struct, frozen=True):
    """The prize of one place: either a percentage, or a `fixed` amount in cents. The unused field is 0."""

    percent: int = 0
    fixed: int = 0


class MoneySettings(Struct, frozen=True, kw_only=True):
    """The fees and prizes of a night.

    Everyone who is checked in pays `entry_fee` into the prize fund. Each set (failed bid) costs `per_set`, which goes
    into the kitty. `payout` has the share of each place, first place first (see `payout.pay_out`). `pots` are the side
    pots (see `pots.settle_pot`).
    """

    entry_fee: int = 0
    per_set: int = 0
    pots: tuple[Pot, ...] = ()
    payout: tuple[Share, ...] = ()

    @classmethod
    def from_json(cls, data: object) -> MoneySettings:
        """Parse the settings from a decoded JSON object. A missing setting means that nothing is charged or paid.

        Raises `RuleViolation` for an unknown or invalid setting; the error's field is that setting.
        """
        stored = object_of(data, cls.__struct_fields__)
        return cls(
            entry_fee=number(stored, "entry_fee", MOST_CENTS),
            per_set=number(stored, "per_set", MOST_CENTS),
            pots=_pots(stored),
            payout=_payout(stored),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the settings as a JSON object that `from_json` reads back."""
        return {
            "entry_fee": self.entry_fee,
            "per_set": self.per_set,
            "pots": [{"name": pot.name, "entry": pot.entry} for pot in self.pots],
            "payout": [{"percent": s.percent} if s.percent else {"fixed": s.fixed} for s in self.payout],
        }


def _pots(stored: Mapping[str, Any]) -> tuple[Pot, ...]:
    pots: dict[str, Pot] = {}
    for raw in items(stored, "pots", MOST_POTS):
        pot = object_of(raw, ("name", "entry"))
        name = pot.get("name")
        if not isinstance(name, str) or not 0 < len(name.strip()) <= NAME_LENGTH:
            message = Phrase("Give each pot a name of at most %(most)s characters.", most=NAME_LENGTH)
            raise RuleViolation("pot_name", message, field="pots")
        name = name.strip()
        if name.casefold() in pots:
            raise RuleViolation(
                "pot_name", Phrase("Two pots are named “%(name)s”. Give each its own name.", name=name), field="pots"
            )
        pots[name.casefold()] = Pot(name, number(pot, "entry", MOST_CENTS))
    return tuple(pots.values())


def _payout(stored: Mapping[str, Any]) -> tuple[Share, ...]:
    shares = []
    for raw in items(stored, "payout", MOST_SHARES):
        share = object_of(raw, ("percent", "fixed"))
        if len(share) != 1:
            raise RuleViolation("payout_share", "Each prize is either a percentage or a fixed amount.", field="payout")
        shares.append(Share(number(share, "percent", 100), number(share, "fixed", MOST_CENTS)))
    if sum(share.percent for share in shares) > 100:
        raise RuleViolation("payout_share", "The prizes add up to more than 100 percent.", field="payout")
    return tuple(shares)
