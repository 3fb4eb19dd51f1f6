"""What a night costs and what it pays: frozen with the season, and plain JSON where it is stored. Amounts are cents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scorekeeper.leagues.core.settings_json import items, number, object_of
from scorekeeper.rules.money import MOST_CENTS
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

MOST_POTS = 10
MOST_SHARES = 40
NAME_LENGTH = 40
"""Characters of the longest name of a pot."""


@dataclass(frozen=True, slots=True)
class Pot:
    """A side pot: its name, and what it costs to be in it for a night."""

    name: str
    entry: int


@dataclass(frozen=True, slots=True)
class Share:
    """What one place is paid: so many percent, or an amount that is `fixed`; the other one is 0."""

    percent: int = 0
    fixed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneySettings:
    """What a night costs and pays.

    `entry_fee` is paid by everybody and makes the prize fund; `per_set` goes into the kitty for every set. `payout`
    holds the share of each place, the first one first (`payout.pay_out`); `pots` are `pots.settle_pot`'s.
    """

    entry_fee: int = 0
    per_set: int = 0
    pots: tuple[Pot, ...] = ()
    payout: tuple[Share, ...] = ()

    @classmethod
    def from_json(cls, data: object) -> MoneySettings:
        """Return the settings of a decoded JSON object; what it leaves out costs and pays nothing.

        Raises `RuleViolation` (field = the setting) for one that is unknown or cannot be.
        """
        told = object_of(data, cls.__dataclass_fields__)
        return cls(
            entry_fee=number(told, "entry_fee", MOST_CENTS),
            per_set=number(told, "per_set", MOST_CENTS),
            pots=_pots(told),
            payout=_payout(told),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the settings as a JSON object; `from_json` reads the same settings."""
        return {
            "entry_fee": self.entry_fee,
            "per_set": self.per_set,
            "pots": [{"name": pot.name, "entry": pot.entry} for pot in self.pots],
            "payout": [{"percent": s.percent} if s.percent else {"fixed": s.fixed} for s in self.payout],
        }


def _pots(told: Mapping[str, Any]) -> tuple[Pot, ...]:
    pots: dict[str, Pot] = {}
    for raw in items(told, "pots", MOST_POTS):
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


def _payout(told: Mapping[str, Any]) -> tuple[Share, ...]:
    shares = []
    for raw in items(told, "payout", MOST_SHARES):
        share = object_of(raw, ("percent", "fixed"))
        if len(share) != 1:
            raise RuleViolation("payout_share", "Each prize is either a percentage or a fixed amount.", field="payout")
        shares.append(Share(number(share, "percent", 100), number(share, "fixed", MOST_CENTS)))
    if sum(share.percent for share in shares) > 100:
        raise RuleViolation("payout_share", "The prizes add up to more than 100 percent.", field="payout")
    return tuple(shares)
