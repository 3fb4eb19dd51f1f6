"""The plan of a night: format, number of rounds, partners and table sizes. Stored as plain JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field, structs

from scorekeeper.leagues.core.settings_json import choice, flag, items, number, object_of
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.formats.knockout import KNOCKOUT
from scorekeeper.leagues.schedule.formats.night import read_options
from scorekeeper.leagues.schedule.plan import SOLO, Rotation, TableKind, Together, seating_of
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.ruleset import Ruleset

TOGETHER: Mapping[Together, Phrase] = {
    "rotate": Phrase("Partners change every round."),
    "fixed": Phrase("Partners stay together for the night."),
    "alone": Phrase("Singles: everyone plays alone."),
    "called": Phrase("The bidder calls a partner in each hand. Everyone has a score of their own."),
}
PAIRS: Mapping[bool, Phrase] = {False: Phrase("Two teams (3 or 4 on a side)"), True: Phrase("Pairs (teams of two)")}
"""The ways to form teams at tables of six and eight, as labels by the value of `NightPlan.pairs`."""
_OF_TWO = Phrase(
    "%(game)s can't be played by %(players)s in teams of two. Change the partners, the tables or the game."
)
_NOT_PLAYED: Mapping[TableKind, Phrase] = {
    "partners": Phrase(
        "%(game)s can't be played by %(players)s in two teams. Change the partners, the tables or the game."
    ),
    "partners3": _OF_TWO,
    "partners4": _OF_TWO,
    "alone": Phrase("%(game)s can't be played by %(players)s solo. Change the partners, the tables or the game."),
    "called": Phrase(
        "%(game)s can't be played by %(players)s with a called partner. Change the partners, the tables or the game."
    ),
}
MOST_OF_TWO_PAIRS = 4
"""Most players at a table where `pairs` makes no difference: two teams of two."""
MOST_ROUNDS = 20
MOST_TABLES = 99
NO_KEPT_TABLES = Phrase(
    "Nobody can keep a table in this format. Choose full games, a fixed number of hands or timed rounds."
)


class NightPlan(Struct, frozen=True, kw_only=True):
    """The plan of a night.

    `format` is a key of `FORMATS`, and `options` are its settings (`read_options`). `rounds` is the number of rounds.
    `together` and `sizes` are as in `Rotation`. `tables` has the number of the table that a person keeps for the night,
    by the person's public id. With `pairs`, tables of six and eight have teams of two, instead of two large teams.
    """

    format: str = "to_target"
    options: Mapping[str, int] = field(default_factory=dict)
    rounds: int = 4
    together: Together = "rotate"
    sizes: tuple[int, ...] = (4,)
    tables: Mapping[str, int] = field(default_factory=dict)
    pairs: bool = False

    @classmethod
    def from_json(cls, data: object) -> NightPlan:
        """Parse the plan from a decoded JSON object. Missing settings get their defaults.

        Raises `RuleViolation` for an unknown setting or an invalid value; the error's field is that setting.
        """
        values = object_of(data, cls.__struct_fields__)
        key = choice(values, "format", FORMATS, "to_target")
        together: Any = choice(values, "together", TOGETHER, "rotate")
        rounds = number(values, "rounds", MOST_ROUNDS, 4)
        if rounds < 1:
            raise RuleViolation("rounds", "A night needs at least one round.", field="rounds")
        form = FORMATS[key]
        options = object_of(values.get("options", {}), form.options)
        sizes = tuple(number({"sizes": size}, "sizes", 8) for size in items(values, "sizes", 4, (4,)))
        pairs = flag(values, "pairs")
        Rotation(together, sizes, pairs=pairs)
        kept = object_of(values.get("tables", {}), values.get("tables", {}))
        return cls(
            format=key,
            options=read_options(form, options),
            rounds=rounds,
            together=together,
            sizes=sizes,
            tables={key: number(kept, key, MOST_TABLES) for key in kept},
            pairs=pairs,
        )

    def ending(self, table: int = 1) -> dict[str, Any]:
        """Return the rules that this format sets for the games at table number `table`, in place of the season's.

        If the format sets a number of hands, a game ends after that many; on a progressive night, only a game at the
        head table, table 1. The number 0 stands for any other table.
        """
        hands = self.options.get("hands")  # 0 on a progressive night means a full game
        counted = hands and (table == 1 or FORMATS[self.format].counts_hands)
        return {"finish": "fixed_hands", "hands_limit": hands} if hands and counted else {}

    @property
    def rotation(self) -> Rotation:
        """Return the rules for partners and table sizes, without any people filled in."""
        return Rotation(self.together, self.sizes, pairs=self.pairs)

    @property
    def partners(self) -> int:
        """Return the number of people on a team of fixed partners, at least two."""
        return max(2, self.rotation.team_size)

    @property
    def solo(self) -> bool:
        """Return whether each person has a separate score."""
        return self.together in SOLO

    @property
    def partners_stay(self) -> bool:
        """Return whether partners stay together all night, so that there is also a ranking of partners."""
        return self.together == "fixed" or (FORMATS[self.format].teams and not self.solo)

    def check(self) -> NightPlan:
        """Return this plan if its format allows its partners, `sizes` and `tables`; otherwise, raise `RuleViolation`.

        Call it only for new plans. `from_json` must still read older plans that would fail.
        """
        form = FORMATS[self.format]
        if form.new_partners and (self.together, self.sizes) != ("rotate", (4,)):
            message = Phrase("%(name)s needs four players per table and new partners every round.", name=form.name)
            raise RuleViolation("together", message, field="together")
        if form.teams and (self.together == "called" or (self.pairs and self.sizes[0] > MOST_OF_TWO_PAIRS)):
            message = Phrase(
                "%(name)s needs two teams at each table. Choose two teams, or a format without fixed teams.",
                name=form.name,
            )
            raise RuleViolation("together", message, field="together")
        if self.tables and not form.keeps_tables:
            raise RuleViolation("table_kept", NO_KEPT_TABLES, field="format")
        return self

    def check_game(self, rules: Ruleset) -> None:
        """Raise `RuleViolation` if a game by `rules` can't be played in this format or at the tables of this plan."""
        form = FORMATS[self.format]
        if self.options.get("hands") and not rules.has_bids:
            message = Phrase(
                "%(game)s is always played to its end, not for a number of hands. Choose another format.",
                game=rules.name,
            )
            raise RuleViolation("format", message, field="format")
        tables = [(size, self.rotation.kind_at(size)) for size in self.sizes]
        if form.teams and self.solo:
            # These formats are played by the teams that are made at the desk; only a knockout can have teams of one.
            tables = [(2, "alone")] if form is KNOCKOUT else [(4, "partners")]
        for size, kind in tables:
            if seating_of(size, kind) not in rules.seatings:
                raise RuleViolation(
                    "seating", Phrase(_NOT_PLAYED[kind].template, game=rules.name, players=size), field="sizes"
                )

    def to_json(self) -> dict[str, Any]:
        """Return the plan as a JSON object that `from_json` reads back."""
        plain = structs.asdict(self) | {"sizes": list(self.sizes)}
        for key in ("tables", "pairs"):
            if not plain[key]:
                del plain[key]
        return plain
