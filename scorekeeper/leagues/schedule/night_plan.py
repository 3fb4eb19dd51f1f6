"""The plan of a night: format, number of rounds, partners and table sizes. Stored as plain JSON."""

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
MOST_TABLES = 99
NO_KEPT_TABLES = Phrase(
    "Nobody can keep a table in this format. Choose full games, a fixed number of hands or timed rounds."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NightPlan:
    """The plan of a night.

    `format` is a key of `FORMATS` and `options` are its settings (`read_options`). `rounds` is the number of rounds.
    `together` and `sizes` are as in `Rotation`. `tables` has the number of the table that someone keeps for the night,
    by public id.
    """

    format: str = "to_target"
    options: Mapping[str, int] = field(default_factory=dict)
    rounds: int = 4
    together: Together = "rotate"
    sizes: tuple[int, ...] = (4,)
    tables: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: object) -> NightPlan:
        """Return the plan from a decoded JSON object; missing settings get their defaults.

        Raises `RuleViolation` (field = the setting) for an unknown setting or an invalid value.
        """
        values = object_of(data, cls.__dataclass_fields__)
        key = choice(values, "format", FORMATS, "to_target")
        together: Any = choice(values, "together", TOGETHER, "rotate")
        rounds = number(values, "rounds", MOST_ROUNDS, 4)
        if rounds < 1:
            raise RuleViolation("rounds", "A night needs at least one round.", field="rounds")
        form = FORMATS[key]
        options = object_of(values.get("options", {}), form.options)
        sizes = tuple(number({"sizes": size}, "sizes", 8) for size in items(values, "sizes", 4, (4,)))
        Rotation(together, sizes)
        kept = object_of(values.get("tables", {}), values.get("tables", {}))
        return cls(
            format=key,
            options=read_options(form, options),
            rounds=rounds,
            together=together,
            sizes=sizes,
            tables={key: number(kept, key, MOST_TABLES) for key in kept},
        )

    @property
    def partners_stay(self) -> bool:
        """Return whether partners stay together, so that they are ranked too."""
        return self.together == "fixed" or (FORMATS[self.format].teams and self.together != "alone")

    def check(self) -> NightPlan:
        """Return the plan if its format supports its partners and sizes. Raises `RuleViolation` (field "together").

        Only for new plans: `from_json` still reads older ones that would fail.
        """
        form = FORMATS[self.format]
        if form.new_partners and (self.together, self.sizes) != ("rotate", (4,)):
            message = Phrase("%(name)s needs four players per table and new partners every round.", name=form.name)
            raise RuleViolation("together", message, field="together")
        if self.tables and not form.keeps_tables:
            raise RuleViolation("table_kept", NO_KEPT_TABLES, field="format")
        return self

    def to_json(self) -> dict[str, Any]:
        """Return the plan as a JSON object that `from_json` reads back."""
        plain = asdict(self) | {"sizes": list(self.sizes)}
        if not self.tables:
            del plain["tables"]
        return plain
