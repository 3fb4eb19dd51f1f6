"""What is played on a night: the format, how many rounds, who is with whom. Plain JSON where it is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from scorekeeper.leagues.core.settings_json import choice, items, number, object_of
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.formats.night import read_options
from scorekeeper.leagues.schedule.rotation import Rotation, Together
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

TOGETHER: Mapping[Together, Phrase] = {
    "rotate": Phrase("Partners change every round."),
    "fixed": Phrase("Partners stay together for the night."),
    "alone": Phrase("Singles: everyone plays alone."),
}
MOST_ROUNDS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class NightPlan:
    """A night before anybody came.

    `format` is a key of `FORMATS`, `options` are its options (`read_options`); `rounds` is how many are drawn.
    `together` and `sizes` are those of a `Rotation`.
    """

    format: str = "to_target"
    options: Mapping[str, int] = field(default_factory=dict)
    rounds: int = 4
    together: Together = "rotate"
    sizes: tuple[int, ...] = (4,)

    @classmethod
    def from_json(cls, data: object) -> NightPlan:
        """Return the night of a decoded JSON object; what it leaves out is as usual.

        Raises `RuleViolation` (field = the setting) for one that is unknown or cannot be.
        """
        told = object_of(data, cls.__dataclass_fields__)
        key = choice(told, "format", FORMATS, "to_target")
        together: Any = choice(told, "together", TOGETHER, "rotate")
        rounds = number(told, "rounds", MOST_ROUNDS, 4)
        if rounds < 1:
            raise RuleViolation("rounds", "A night needs at least one round.", field="rounds")
        form = FORMATS[key]
        options = object_of(told.get("options", {}), form.options)
        sizes = tuple(number({"sizes": size}, "sizes", 8) for size in items(told, "sizes", 4, (4,)))
        Rotation(together, sizes)
        return cls(
            format=key,
            options=read_options(form, options),
            rounds=rounds,
            together=together,
            sizes=sizes,
        )

    def check(self) -> NightPlan:
        """Return the night, where its format does what else it says; raises `RuleViolation` (field = "together").

        For nights to come: one that was planned before this was asked is still read.
        """
        form = FORMATS[self.format]
        if form.new_partners and (self.together, self.sizes) != ("rotate", (4,)):
            message = Phrase("%(name)s needs four players per table and new partners every round.", name=form.name)
            raise RuleViolation("together", message, field="together")
        return self

    def to_json(self) -> dict[str, Any]:
        """Return the night as a JSON object; `from_json` reads the same one."""
        return asdict(self) | {"sizes": list(self.sizes)}
