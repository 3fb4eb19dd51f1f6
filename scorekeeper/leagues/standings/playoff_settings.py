"""The settings of a season's playoffs and of team matches. They are locked for the season and stored as JSON.

As in `settings`, each setting is one entry: its form field, its checks and its sentence are made from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from scorekeeper.i18n.catalog import N_, _, ngettext, spoken
from scorekeeper.leagues.core.settings_json import object_of
from scorekeeper.leagues.standings.settings import NO_CHOICES, SeasonSetting
from scorekeeper.rules.phrase import Phrase, RuleViolation

MOST_QUALIFY = 32
MOST_NIGHTS = 100
MOST_POINTS = 100
SCOPES: Mapping[str, Phrase] = {
    "season": Phrase("The top players or teams in the whole season qualify."),
    "division": Phrase("The top players or teams in each division qualify."),
}
ABSENT: Mapping[str, Phrase] = {
    "next": Phrase("If a qualifier can't play, the next in the standings takes the last seed."),
    "nobody": Phrase("If a qualifier can't play, nobody takes their place."),
}
MATCHES: Mapping[str, Phrase] = {
    "tables": Phrase("The team that wins more tables wins the match."),
    "points": Phrase("The team with more points at all its tables wins the match."),
}
PLAYOFFS, TEAMS = N_("Playoffs"), N_("Team matches")


def _setting(
    usual: Any,
    label: str,
    says: Any,
    *,
    group: str = PLAYOFFS,
    help: str = "",  # noqa: A002
    choices: Mapping[Any, Phrase] = NO_CHOICES,
    most: int = 0,
) -> Any:
    return field(
        default=usual, metadata={"setting": SeasonSetting(usual, group, label, help, choices, most, says, usual)}
    )


def _qualify_words(settings: PlayoffSettings) -> str:
    each = ngettext(
        "The best from each division qualifies.", "The best %(num)s from each division qualify.", settings.qualify
    )
    return each if settings.scope == "division" else _("The best %(count)s qualify.", count=settings.qualify)


def _nights_words(settings: PlayoffSettings) -> str:
    return ngettext(
        "Playoffs start after %(num)s night. Playoff games don't count in the standings.",
        "Playoffs start after %(num)s nights. Playoff games don't count in the standings.",
        settings.nights,
    )


def _forfeit_words(settings: PlayoffSettings) -> str:
    return ngettext(
        "If a team forfeits, the other team wins every table, with %(num)s point each.",
        "If a team forfeits, the other team wins every table, with %(num)s points each.",
        settings.forfeit,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayoffSettings:
    """The settings of the playoffs and of team matches.

    `nights` is how many nights the season has before the playoffs. `qualify` is how many players or teams qualify, or 0
    if there are no playoffs. `scope` says whether that is the number for the whole season or for each division. The
    qualifiers play a knockout, in which the first seed meets the last. With `reseed`, the best remaining seed plays the
    lowest remaining seed in every round. With `third`, the losers of the semifinals play for third place. `match` says
    what decides who wins a team match. `forfeit` is how many points each table of a forfeited match is worth.
    """

    nights: int = _setting(
        0,
        N_("Nights before the playoffs"),
        _nights_words,
        help=N_("Also used to show who has qualified, who is out, and what the others need."),
        most=MOST_NIGHTS,
    )
    qualify: int = _setting(
        0, N_("How many qualify"), _qualify_words, help=N_("0 means no playoffs."), most=MOST_QUALIFY
    )
    scope: str = _setting("season", N_("Who qualifies"), lambda _settings: "", choices=SCOPES)
    reseed: bool = _setting(
        False,  # noqa: FBT003
        N_("Reseed after each round?"),
        lambda settings: (
            _("In every round, the best seed left plays the lowest.")
            if settings.reseed
            else _(
                "The first seed plays the last, the second plays the next to last, and so on; top seeds get the byes."
            )
        ),
        choices={False: Phrase("no"), True: Phrase("yes")},
    )
    third: bool = _setting(
        False,  # noqa: FBT003
        N_("Third-place game?"),
        lambda settings: _("There is a game for third place.") if settings.third else "",
        choices={False: Phrase("no"), True: Phrase("yes")},
    )
    absent: str = _setting(
        "next",
        N_("If a qualifier can't play"),
        lambda settings: spoken(ABSENT[settings.absent]),
        help=N_("For players and pairs. If a team can't play, a director chooses the team that takes its place."),
        choices=ABSENT,
    )
    match: str = _setting(
        "tables",
        N_("Who wins a match"),
        lambda settings: spoken(MATCHES[settings.match]),
        group=TEAMS,
        choices=MATCHES,
    )
    forfeit: int = _setting(
        0,
        N_("Points at each table of a forfeit"),
        _forfeit_words,
        help=N_("For the team that came. It wins every table in any case."),
        group=TEAMS,
        most=MOST_POINTS,
    )

    @classmethod
    def from_json(cls, data: object) -> PlayoffSettings:
        """Return the settings in a decoded JSON object. A missing setting gets its default.

        Raises `RuleViolation` for an unknown or invalid setting. The `field` of that error is the key of the setting.
        """
        stored = object_of(data, PLAYOFF_SETTINGS)
        return cls(**{key: each.read(stored, key) for key, each in PLAYOFF_SETTINGS.items()})

    def to_json(self) -> dict[str, Any]:
        """Return the settings as a JSON object that `from_json` reads back."""
        return asdict(self)

    def check(self) -> PlayoffSettings:
        """Return the settings if they fit together.

        Raises `RuleViolation` if there are playoffs but `nights` is 0, or if only one player or team
        in the whole season can qualify. Use this method only for new seasons. `from_json` still reads older settings
        that this check would reject.
        """
        if self.qualify and not self.nights:
            raise RuleViolation(
                "nights_missing", "Enter how many nights there are before the playoffs.", field="nights"
            )
        if self.qualify == 1 and self.scope == "season":
            raise RuleViolation("qualify", "At least 2 must qualify.", field="qualify")
        return self

    @property
    def held(self) -> bool:
        """Return whether the season has playoffs."""
        return self.qualify > 0 and self.nights > 0

    def in_words(self, *, teams: bool) -> tuple[str, ...]:
        """Return the rules of the playoffs as sentences, or () if there are no playoffs.

        `teams` is true for a season of fixed teams, which have a different rule for absent qualifiers.
        """
        if not self.held:
            return ()
        # A team plays with substitutes before anybody takes its place.
        unsaid = {"match", "forfeit", *(("absent",) if teams else ())}
        told = [each.says(self) for key, each in PLAYOFF_SETTINGS.items() if key not in unsaid]
        if teams:
            told.append(
                _(
                    "If a team can't play, a director chooses the team that takes its place, usually the next in the "
                    "standings."
                )
            )
        return tuple(filter(None, told))


PLAYOFF_SETTINGS: Mapping[str, SeasonSetting] = {
    each.name: each.metadata["setting"] for each in fields(PlayoffSettings)
}
"""All settings by key, in the order of their sentences."""
