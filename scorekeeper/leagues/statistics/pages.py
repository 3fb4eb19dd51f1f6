"""View models of a player's page, with their games and statistics in one season, and of a season with other rules."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.leagues.core.header import LeagueHead
from scorekeeper.leagues.standings.pages import NamedLink
from scorekeeper.web.links import PageLink


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game or a bye on a player's page."""

    round: int
    table: int
    partners: tuple[NamedLink, ...]
    opponents: tuple[NamedLink, ...]
    score: str
    """Score of the game, the player's own side first: "21–13"; empty for a bye."""
    result: str
    """"won", "lost", "tie" or "bye", in the reader's language."""
    won: bool
    sets: int
    page: PageLink | None
    """Link to the game with its hands; None for a bye, or if no game was started at the table."""
    sub_for: str = ""
    """The regular they played for; empty if they played for themselves."""
    sub: str = ""
    """The substitute who played for them; empty if they played themselves."""
    counts: bool = True
    """False if a substitute played and the season doesn't count the game for the player whose page this is."""


@dataclass(frozen=True, slots=True)
class NightGames:
    """A night with the player's games.

    The numbers, such as `points` and `wins`, are those that count in the season's standings.
    """

    number: int
    day: str
    page: PageLink
    """Link to the night if its games are listed here; otherwise, link to this page with the night's games listed."""
    points: str
    per_game: str
    wins: int
    games: int
    handicap: int
    dropped: bool
    lines: tuple[GameLine, ...]


@dataclass(frozen=True, slots=True)
class RateLine:
    """A row of a player's statistics.

    `name` is the label of the row. `cells` has its numbers and percentages as text.
    """

    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CompanionLine:
    """A partner or an opponent, and how often the player won with or against them."""

    who: NamedLink
    rate: str


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of the games and hands that a person actually played."""

    facts: tuple[tuple[str, str], ...]
    """Pairs of name and value, such as "Games" and "12"."""
    levels: tuple[RateLine, ...]
    """A row for each bid, such as "Bids of 3": how many percent were made, how many failed, and the points scored."""
    seats: tuple[RateLine, ...]
    """A row for each seat, counted clockwise from the dealer: how often the player won the bid there, and made it."""
    points: tuple[RateLine, ...]
    """Rows for the hands as bidder, as the bidder's partner and as defender, with the number of hands and points."""
    extremes: tuple[tuple[str, tuple[CompanionLine, ...]], ...]
    """Pairs of a title, such as "Best partners", and the people to list under it. Empty lists are left out."""
    partners: tuple[CompanionLine, ...]
    opponents: tuple[CompanionLine, ...]
    """The opponents with the most games against the player, most games first. `partners` is sorted in the same way."""
    too_few: str
    """The sentence that says after how many games with or against a person they can be listed as best or worst."""
    percentages: str
    """The sentence that says after how many games or hands a percentage is shown."""


@dataclass(frozen=True, slots=True)
class PersonPage:
    league: LeagueHead
    id: str
    name: str
    nickname: str
    guest: bool
    retired: bool
    was: tuple[str, ...]
    """Names of the people who were merged into this person, if they differ from the person's name."""
    notes: str
    """Notes on the person; empty unless an owner of the league views the page."""
    seasons: tuple[NamedLink, ...]
    """Links to this page for the other seasons in which the person played."""
    season: str = ""
    """Name of the season shown; empty if the person played in no season."""
    season_id: str = ""
    standing: tuple[tuple[str, str], ...] = ()
    """The person's row in the standings, as pairs of a column's heading and its value."""
    nights: tuple[NightGames, ...] = ()
    """The nights of the season, newest first."""
    all_page: PageLink | None = None
    """Link to the page with the games of all nights; None if this page already shows them."""
    statistics: Statistics | None = None


@dataclass(frozen=True, slots=True)
class SeasonByRule:
    """How the games of a season end with one rule."""

    rule: str
    """The rule as a sentence, such as "Win by 2."; in the first line all rules: "As played: To 21, win by 2"."""
    effect: str
    """How many games would have had a different winner, or none, or would not be over, in words."""
    hands: str
    """Average hands of a game, such as "13.9", or "14.2+" if some games would have needed more hands."""
    dealer: str
    """How many games the side of the first dealer would have won, such as "52%", or "–" if that isn't known."""


@dataclass(frozen=True, slots=True)
class OtherRulesPage:
    """The games of a season, or of one of its nights, scored again with one rule changed at a time."""

    league: LeagueHead
    season_id: str
    season: str
    games: int
    """Number of games that are compared."""
    total: int
    """Number of games of closed nights with recorded hands."""
    enough: int
    """Minimum number of games for a percentage."""
    lines: tuple[SeasonByRule, ...]
    """The games as they were played, then with each of the other rules; empty if there is nothing to compare."""
    night: str
    """The night whose games are compared, such as "Night 3"; empty for all nights of the season."""
    nights: tuple[tuple[str, str], ...]
    """The closed nights of the season, as pairs (public id, such as "Night 3")."""
