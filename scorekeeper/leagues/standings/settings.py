"""The settings for how standings work in a season. They are locked for the season and stored as JSON.

Each setting is one entry: a field of `StandingSettings` with its allowed values and its texts. The form of a new
season, the checks, and the sentences on the season page are built from these entries.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from msgspec import Struct

from scorekeeper.i18n.catalog import N_, _, ngettext, spoken
from scorekeeper.leagues.core.settings_json import choice, flag, items, number, object_of
from scorekeeper.leagues.standings.ties import TIE_BREAKS
from scorekeeper.leagues.standings.wording import ORDERS, listed
from scorekeeper.rules.phrase import Phrase, RuleViolation

BYES: Mapping[str, Phrase] = {
    "nothing": Phrase("A bye isn't a game: it scores nothing and is neither a win nor a loss."),
    "points": Phrase("A bye counts as a game with fixed points."),
    "average": Phrase(
        "A bye counts as a game with the player's own average of the season so far, but is neither a win nor a loss."
    ),
}
SUBS: Mapping[str, Phrase] = {
    "regular": Phrase("In the standings, a substitute's game counts for the regular."),
    "sub": Phrase("In the standings, a substitute's game counts for the substitute."),
    "both": Phrase("In the standings, a substitute's game counts for both."),
}
HANDICAPS: Mapping[str, Phrase] = {
    "none": Phrase("No handicap."),
    "share": Phrase(
        "A percentage of the gap to the league's best average, rounded down and added to each game. Averages are those "
        "of the season's earlier nights, without handicaps and byes; the best is that of someone who came to at least "
        "half of those nights."
    ),
}
PLACES = (N_("First"), N_("Second"), N_("Third"), N_("Fourth"), N_("Fifth"))
"""Labels of the form's fields for the tie-breakers, in the order in which these are applied."""
ORDER, TIES, BYE, HANDICAP = N_("Ranking"), N_("Tie-breakers"), N_("Byes"), N_("Handicap")
MOST_POINTS = 1_000
"""Most points that a season may give for a bye, or as a handicap in one game."""


class SeasonSetting(Struct, frozen=True):
    """A setting with its wording for pages and its allowed values.

    A value is one of `choices`, or a number from 0 to `most`.
    """

    usual: Any
    """The default, also for seasons that are older than the setting. Its type is the type of the setting."""
    group: str
    label: str
    help: str
    choices: Mapping[Any, Phrase]
    most: int
    says: Callable[[Any], str]
    """Function that returns the sentence for the season page from the settings, or an empty string."""
    new: Any
    """The default of a new season; for most settings, the same as `usual`."""

    def read(self, data: Mapping[str, Any], key: str) -> Any:
        """Return the value of `key` in a decoded JSON object, or the default if it is missing.

        Raises `RuleViolation` for an invalid value.
        """
        match self.usual:
            case tuple():
                return _chain(items(data, key, len(PLACES), self.usual), key, self.choices)
            case bool():
                return flag(data, key)
            case str():
                return choice(data, key, self.choices, self.usual)
            case _:
                return number(data, key, self.most, self.usual)


def _chain(rules: list[Any], key: str, choices: Mapping[str, Phrase]) -> tuple[str, ...]:
    for index, rule in enumerate(rules):
        choice({key: rule}, key, choices, "")
        if rule in rules[:index]:
            raise RuleViolation(
                "setting_value", "The same tie-breaker is chosen twice. Choose each one only once.", field=key
            )
    return tuple(rules)


NO_CHOICES: Mapping[Any, Phrase] = {}


def _setting(
    usual: Any,
    label: str,
    *,
    group: str,
    help: str = "",  # noqa: A002
    choices: Mapping[Any, Phrase] = NO_CHOICES,
    most: int = 0,
    says: Callable[[StandingSettings], str] = lambda _settings: "",
    new: Any = None,
) -> Any:
    setting = SeasonSetting(usual, group, label, help, choices, most, says, usual if new is None else new)
    return field(default=usual, metadata={"setting": setting})


def _ties_words(settings: StandingSettings) -> str:
    chain = [TIE_BREAKS[word].label for word in settings.ties if word != settings.order]
    return _("Tie-breakers, in order: %(rules)s.", rules=spoken(listed(chain))) if chain else ""


def _met_words(settings: StandingSettings) -> str:
    if "head_to_head" not in settings.ties:
        return ""
    if settings.met_all and settings.reapply:
        return _(
            "If two of the tied players never met, head to head only ranks players who would be ahead no matter who "
            "won the missing games."
        )
    if settings.met_all:
        return _("If two of the tied players never met, head to head is skipped.")
    return _("Head to head is used even if two of the tied players never met.")


def _reapply_words(settings: StandingSettings) -> str:
    if "head_to_head" not in settings.ties or not settings.reapply:
        return ""
    return _("Players still tied after head to head are compared again, by their games against each other.")


def _bye_words(settings: StandingSettings) -> str:
    if settings.bye != "points":
        return ""
    if settings.bye_wins:
        return ngettext(
            "A bye is worth %(num)s point and counts as a win.",
            "A bye is worth %(num)s points and counts as a win.",
            settings.bye_points,
        )
    return ngettext(
        "A bye is worth %(num)s point and is neither a win nor a loss.",
        "A bye is worth %(num)s points and is neither a win nor a loss.",
        settings.bye_points,
    )


def _share_words(settings: StandingSettings) -> str:
    if settings.handicap == "none":
        return ""
    return ngettext(
        "Handicap: %(share)s of the gap, at most %(num)s point per game.",
        "Handicap: %(share)s of the gap, at most %(num)s points per game.",
        settings.handicap_cap,
        share=f"{settings.handicap_percent}%",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingSettings:
    """The settings of the standings.

    A unit is one player or a set of partners. To be ranked, a unit must have played at least one game and at least
    `min_games` games. Games on dropped nights count toward this minimum. The lowest `drop_nights` nights are dropped
    (`nights.score_nights`).

    `bye` says how byes count. If it is "points", a bye scores `bye_points`, and it counts as a win if `bye_wins` is
    true. `subs` says for whom a substitute's game counts (`credit.credited`).

    If `handicap` is "share", a unit gets `handicap_percent` percent of the gap to the best average. The most it can get
    is `handicap_cap` points per game (`handicap.handicaps`).

    `ties` are the tie-breakers in order (`ties.rank`). With `met_all`, head to head counts only if all the tied units
    have played each other. With `reapply`, it is applied again to the smaller ties that it leaves.
    """

    order: str = _setting(
        "per_game",
        N_("Rank by"),
        group=ORDER,
        help=N_("Points per game: a player's points divided by the games they played."),
        choices=ORDERS,
        says=lambda settings: _("Ranked by %(order)s.", order=spoken(ORDERS[settings.order])),
    )
    ties: tuple[str, ...] = _setting(
        ("wins", "head_to_head", "point_difference", "fewest_sets", "draw"),
        TIES,
        group=TIES,
        choices={key: rule.label for key, rule in TIE_BREAKS.items()},
        says=_ties_words,
    )
    met_all: bool = _setting(
        False,  # noqa: FBT003
        N_("Use head to head only if all the tied players have played each other?"),
        group=TIES,
        help=N_("If no, it's used even when some of them haven't."),
        choices={False: Phrase("no"), True: Phrase("yes")},
        says=_met_words,
        new=True,
    )
    reapply: bool = _setting(
        False,  # noqa: FBT003
        N_("Use head to head again for players who are still tied?"),
        group=TIES,
        help=N_("If yes, a player who beat all the others also comes first when some of those never met."),
        choices={False: Phrase("no"), True: Phrase("yes")},
        says=_reapply_words,
        new=True,
    )
    min_games: int = _setting(
        0,
        N_("Minimum games to be ranked"),
        group=ORDER,
        help=N_("Players with fewer games are listed below the others, unranked."),
        most=1_000,
        says=lambda settings: (
            ngettext(
                "Players need %(num)s game to be ranked.",
                "Players need %(num)s games to be ranked.",
                settings.min_games,
            )
            if settings.min_games
            else ""
        ),
    )
    drop_nights: int = _setting(
        0,
        N_("Lowest nights to drop"),
        group=ORDER,
        help=N_("Missed nights are dropped first."),
        most=100,
        says=lambda settings: (
            ngettext(
                "Each player's lowest night is dropped.",
                "Each player's lowest %(num)s nights are dropped.",
                settings.drop_nights,
            )
            + " "
            + _(
                "Nights are compared by %(order)s. If two are equal, the one with fewer points is dropped; if those "
                "are equal too, the earlier one.",
                order=spoken(ORDERS[settings.order]),
            )
            + " "
            + ngettext(
                "A missed night counts as the lowest, so a player who missed one doesn't lose another.",
                "Missed nights count as the lowest, so they are dropped first.",
                settings.drop_nights,
            )
            if settings.drop_nights
            else ""
        ),
    )
    bye: str = _setting(
        "nothing", N_("How byes count"), group=BYE, choices=BYES, says=lambda settings: spoken(BYES[settings.bye])
    )
    subs: str = _setting(
        "regular",
        N_("Who gets credit"),
        group=N_("Substitutes"),
        choices=SUBS,
        says=lambda settings: spoken(SUBS[settings.subs]),
    )
    bye_points: int = _setting(
        0,
        N_("Points for a bye"),
        group=BYE,
        help=N_("Only for byes with fixed points."),
        most=MOST_POINTS,
        says=_bye_words,
    )
    bye_wins: bool = _setting(
        False,  # noqa: FBT003
        N_("Does a bye count as a win?"),
        group=BYE,
        help=N_("Only for byes with fixed points."),
        choices={False: Phrase("no"), True: Phrase("yes")},
    )
    handicap: str = _setting(
        "none",
        HANDICAP,
        group=HANDICAP,
        choices=HANDICAPS,
        says=lambda settings: spoken(HANDICAPS[settings.handicap]) if settings.handicap != "none" else "",
    )
    handicap_percent: int = _setting(0, N_("Handicap: percent of the gap"), group=HANDICAP, most=100, says=_share_words)
    handicap_cap: int = _setting(0, N_("Most handicap points per game"), group=HANDICAP, most=MOST_POINTS)

    @classmethod
    def from_json(cls, data: object) -> StandingSettings:
        """Return the settings in a decoded JSON object. A missing setting gets its default.

        Raises `RuleViolation` for an unknown or invalid setting. The `field` of that error is the key of the setting.
        """
        stored = object_of(data, SETTINGS)
        return cls(**{key: each.read(stored, key) for key, each in SETTINGS.items()})

    @classmethod
    def for_new(cls, before: Mapping[str, Any]) -> StandingSettings:
        """Return the settings to offer for a new season.

        `before` has the stored settings of the previous season, or is empty. A setting that isn't in `before` gets its
        default for new seasons. Raises `RuleViolation` like `from_json`.
        """
        return cls.from_json({key: each.new for key, each in SETTINGS.items() if each.new != each.usual} | dict(before))

    def to_json(self) -> dict[str, Any]:
        """Return the settings as a JSON object that `from_json` reads back."""
        return asdict(self) | {"ties": list(self.ties)}

    def in_words(self) -> tuple[str, ...]:
        """Return sentences that explain how the standings work."""
        return tuple(filter(None, (each.says(self) for each in SETTINGS.values())))


SETTINGS: Mapping[str, SeasonSetting] = {each.name: each.metadata["setting"] for each in fields(StandingSettings)}
"""All settings by key, in the order of their sentences on the page."""
