"""How a season is counted: frozen with the season, and plain JSON where it is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from scorekeeper.leagues.core.settings_json import choice, flag, items, number, object_of
from scorekeeper.leagues.standings.ties import TIE_BREAKS
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

ORDERS: Mapping[str, Phrase] = {
    "per_game": Phrase("points per game"),
    "points": Phrase("total points"),
    "wins": Phrase("wins"),
}
BYES: Mapping[str, Phrase] = {
    "nothing": Phrase("A bye is not a game and scores nothing."),
    "points": Phrase("A bye counts as a game with fixed points."),
    "average": Phrase("A bye counts as a game with the average of one's own games."),
}
SUBS: Mapping[str, Phrase] = {
    "regular": Phrase("A substitute's game counts for the regular."),
    "sub": Phrase("A substitute's game counts for the substitute."),
    "both": Phrase("A substitute's game counts for both."),
}
HANDICAPS: Mapping[str, Phrase] = {
    "none": Phrase("There is no handicap."),
    "share": Phrase("A share of what one's average is below the best of the league, in every game."),
}

MOST_GAMES = 1_000
MOST_NIGHTS = 100
MOST_POINTS = 1_000
"""Of a bye, or of a handicap in one game."""

MOST_TIES = 5
"""Rules in the chain of tie-breaks."""
_USUAL_TIES = ("wins", "head_to_head", "point_difference", "fewest_sets", "draw")


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingSettings:
    """How a season is counted.

    `order` is a word of `ORDERS`. A unit has no place below `min_games` games really played, on whatever night, and
    never without one. The lowest `drop_nights` nights do not count (`nights.drop`). `bye` says what a bye scores:
    `bye_points` where it is "points", and it is won where `bye_wins` (`nights.score_nights`). `subs` says for whom a
    substitute plays (`credit.credited`). With `handicap` "share", `handicap_percent` of the difference to the best
    average are given, at most `handicap_cap` points a game (`handicap.handicaps`). `ties` is the chain of tie-breaks
    (`ties.rank`).
    """

    order: str = "per_game"
    min_games: int = 0
    drop_nights: int = 0
    bye: str = "nothing"
    bye_points: int = 0
    bye_wins: bool = False
    subs: str = "regular"
    handicap: str = "none"
    handicap_percent: int = 0
    handicap_cap: int = 0
    ties: tuple[str, ...] = _USUAL_TIES

    @classmethod
    def from_json(cls, data: object) -> StandingSettings:
        """Return the settings of a decoded JSON object; what it leaves out is as usual.

        Raises `RuleViolation` (field = the setting) for one that is unknown or cannot be.
        """
        told = object_of(data, cls.__dataclass_fields__)
        return cls(
            order=choice(told, "order", ORDERS, "per_game"),
            min_games=number(told, "min_games", MOST_GAMES),
            drop_nights=number(told, "drop_nights", MOST_NIGHTS),
            bye=choice(told, "bye", BYES, "nothing"),
            bye_points=number(told, "bye_points", MOST_POINTS),
            bye_wins=flag(told, "bye_wins"),
            subs=choice(told, "subs", SUBS, "regular"),
            handicap=choice(told, "handicap", HANDICAPS, "none"),
            handicap_percent=number(told, "handicap_percent", 100),
            handicap_cap=number(told, "handicap_cap", MOST_POINTS),
            ties=_ties(told),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the settings as a JSON object; `from_json` reads the same settings."""
        return asdict(self) | {"ties": list(self.ties)}


def _ties(told: Mapping[str, Any]) -> tuple[str, ...]:
    chain = items(told, "ties", MOST_TIES, _USUAL_TIES)
    for index, word in enumerate(chain):
        choice({"ties": word}, "ties", TIE_BREAKS, "")
        if word in chain[:index]:
            raise RuleViolation("setting_value", "A tie-break can stand only once in the chain.", field="ties")
    return tuple(chain)
