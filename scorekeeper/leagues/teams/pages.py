"""View models of the teams of a season, its play-offs, and the matches at the desk."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from scorekeeper.leagues.core.header import LeagueHead


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A team in the standings of its division."""

    place: str
    name: str
    cells: tuple[str, ...]
    """Points, matches, won–lost–tied, and the difference of points at the tables."""


@dataclass(frozen=True, slots=True)
class Division:
    name: str
    """Empty if the season has only one."""
    lines: tuple[TeamLine, ...]
    race: tuple[str, ...]
    """A sentence for each team that is through or out, or that needs something."""
    ties: tuple[str, ...]
    """A sentence for each tie: which rule broke it."""


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match; `night` is the public id of the night on which it is or was played, or empty."""

    id: str
    home: str
    away: str
    score: str
    """Tables and points, empty before the night is closed."""
    night: str
    tonight: bool = False
    """At the desk: it is played that night."""


@dataclass(frozen=True, slots=True)
class MatchDay:
    title: str
    matches: tuple[MatchLine, ...]


@dataclass(frozen=True, slots=True)
class SquadCard:
    """A team with its players, captain first."""

    id: str
    name: str
    division: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TeamsPage:
    league: LeagueHead
    season_id: str
    season: str
    closed: bool
    rule: tuple[str, ...]
    """How matches and standings count, sentence by sentence."""
    divisions: tuple[Division, ...]
    days: tuple[MatchDay, ...]
    squads: tuple[SquadCard, ...]
    has_playoffs: bool
    client_id: str
    error: str = ""
    part: str = ""
    """The form at which `error` is shown: the id of a team, "new" or "matches"."""

    @property
    def may_edit(self) -> bool:
        """Return whether the reader may change teams."""
        return self.league.owns and not self.closed


@dataclass(frozen=True, slots=True)
class Seed:
    """A qualifier: the seed and the name."""

    number: int
    name: str
    person: str
    """Public id of one of its people if it can still be replaced, else empty."""


@dataclass(frozen=True, slots=True)
class PlayoffsPage:
    league: LeagueHead
    season_id: str
    season: str
    rule: tuple[str, ...]
    seeds: tuple[Seed, ...]
    provisional: bool
    """The seeds are those of the standings so far."""
    left: str
    """What is left of the season, or an empty string."""
    days: tuple[MatchDay, ...]
    """The rounds of teams."""
    night: str
    """Public id of the last night of the play-offs, or empty."""
    champion: str
    """The winner in a sentence, as in "Champions: Ann and Bob"; empty until there is one."""
    start: str
    """Label of the button, empty if nothing can be started."""
    needs_reason: bool
    waits: str
    """Why nothing can be started yet, or empty."""
    today: date
    error: str = ""


@dataclass(frozen=True, slots=True)
class LineupChoice:
    """A person who can play: their public id and name; `other` for a substitute."""

    id: str
    name: str
    other: bool


@dataclass(frozen=True, slots=True)
class LineupChoices:
    """The lineup of one side of a match: the chosen players by public id, and who can be chosen."""

    match: str
    side: int
    team: str
    size: int
    chosen: tuple[str, ...]
    choices: tuple[LineupChoice, ...]

    @property
    def missing(self) -> int:
        """Return how many players are missing."""
        return self.size - len(self.chosen)


@dataclass(frozen=True, slots=True)
class DeskMatches:
    """The part of the desk about matches: tonight's, those that could be played, and the lineups."""

    matches: tuple[MatchLine, ...]
    lineups: tuple[LineupChoices, ...]
    may_choose: bool
    playing: tuple[tuple[str, str], ...] = ()
    """Id and name of the teams of tonight's matches, while they can be replaced in the play-offs."""
    waiting: tuple[tuple[str, str], ...] = ()
    """Id and name of the teams that can take their place, in the order of the standings."""


@dataclass(frozen=True, slots=True)
class DeskSeeds:
    """The part of the desk about the seeds of play-offs."""

    seeds: tuple[Seed, ...]
    season_id: str
    replaced: str
    """What happens to the place of a qualifier who can't play."""
