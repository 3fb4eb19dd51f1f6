"""The playoffs of a season, and how matches of teams count: stated beforehand, stored as plain JSON.

As in `settings`, each setting is one entry: its form field, its checks and its sentence are made from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from scorekeeper.i18n.catalog import N_, _, ngettext, spoken
from scorekeeper.leagues.core.settings_json import object_of
from scorekeeper.leagues.standings.settings import NO_CHOICES, SeasonSetting
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

MOST_QUALIFY = 32
MOST_NIGHTS = 100
SCOPES: Mapping[str, Phrase] = {
    "season": Phrase("The best of the whole season qualify."),
    "division": Phrase("The best of each division qualify."),
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
        "Playoffs after %(num)s night; their games don't count in the standings.",
        "Playoffs after %(num)s nights; their games don't count in the standings.",
        settings.nights,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayoffSettings:
    """The settings of the playoffs and of team matches.

    `nights` are the nights planned for the season, before the playoffs. The best `qualify` of the season or of each
    division play a knockout, seeded 1 v last; 0 for no playoffs. With `reseed`, the best seed left plays the lowest in
    every round. With `third`, the losers of the semifinals play for third place. `match` says who wins a team match.
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
            else _("Seeded 1 against the last; top seeds get the byes.")
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

    @classmethod
    def from_json(cls, data: object) -> PlayoffSettings:
        """Return the settings in a decoded JSON object; a missing one has its default.

        Raises `RuleViolation` with the setting as its field if one is unknown or invalid.
        """
        stored = object_of(data, PLAYOFF_SETTINGS)
        return cls(**{key: each.read(stored, key) for key, each in PLAYOFF_SETTINGS.items()})

    def to_json(self) -> dict[str, Any]:
        """Return the settings as a JSON object that `from_json` reads back."""
        return asdict(self)

    def check(self) -> PlayoffSettings:
        """Return the settings if they fit together; raises `RuleViolation` for playoffs without a last night.

        Only for new seasons: `from_json` still reads others.
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
        """Return the rule of the playoffs of players, pairs, or `teams`, in sentences; () without playoffs."""
        if not self.held:
            return ()
        # A team plays with substitutes before anybody takes its place.
        unsaid = {"match", "absent"} if teams else {"match"}
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
