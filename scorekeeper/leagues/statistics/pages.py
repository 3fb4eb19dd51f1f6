"""View models of a player's page, with their games and statistics in one season, and of a season with other rules.

Describe a player's statistics in words. Each rate comes with its number of games or hands.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct

from scorekeeper.games.logic.statistics.hands import ENOUGH, Hands, Points, rate_text
from scorekeeper.games.logic.statistics.table_games import Companion, Games
from scorekeeper.games.presenters.snapshot import bids_text
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.i18n.sentences import number
from scorekeeper.leagues.core.access import LeagueHead
from scorekeeper.leagues.standings.pages import NamedLink
from scorekeeper.web.links import PageLink


class GameLine(Struct, frozen=True):
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


class NightGames(Struct, frozen=True):
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
    is_total: bool
    """True if the night was imported without the winners of its games."""
    handicap: int
    dropped: bool
    lines: tuple[GameLine, ...]


class RateLine(Struct, frozen=True):
    """A row of a player's statistics.

    `name` is the label of the row. `cells` has its numbers and percentages as text.
    """

    name: str
    cells: tuple[str, ...]


class CompanionLine(Struct, frozen=True):
    """A partner or an opponent, and how often the player won with or against them."""

    who: NamedLink
    rate: str


class Statistics(Struct, frozen=True):
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


class PersonPage(Struct, frozen=True):
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


class SeasonByRule(Struct, frozen=True):
    """How the games of a season end with one rule."""

    rule: str
    """The rule as a sentence, such as "Win by 2."; in the first line all rules: "As played: To 21, win by 2"."""
    effect: str
    """How many games would have had a different winner, or none, or would not be over, in words."""
    hands: str
    """Average hands of a game, such as "13.9", or "14.2+" if some games would have needed more hands."""
    longest: str
    """Hands of the longest game, such as "22", or "31+"."""
    dealer: str
    """How many games the side of the first dealer would have won, such as "52%", or "–" if that isn't known."""


class SeasonByTime(Struct, frozen=True):
    """How the games of a season end if a clock stops each after so many hands."""

    hands: int
    stopped: int
    effect: str
    """How many games would have had a different winner, or none, in words."""


LISTED = 20
"""How many partners, and how many opponents, are listed. Those with the most games are listed first."""

Link = Callable[[int], NamedLink]
"""Function that returns the name of a person (id) with the link to their page."""

SEATS = (N_("Dealer"), N_("Left of dealer"))
"""Names of the first two seats, counted clockwise from the dealer. The other seats are named by their number."""


def statistics_view(games: Games, hands: Hands, link: Link) -> Statistics:
    """Return the statistics for a player's page. `link` returns a person's name with a link, from the person's id."""
    return Statistics(
        facts=_facts(games, hands),
        levels=tuple(
            RateLine(bids_text(line.bid), (spoken(rate_text(line.made)), str(line.set), number(line.points)))
            for line in hands.levels
        ),
        seats=tuple(
            RateLine(_place(line.seat), (spoken(rate_text(line.took)), spoken(rate_text(line.made))))
            for line in hands.seats
        ),
        points=(
            _points(_("As bidder"), hands.as_bidder),
            _points(_("As the bidder's partner"), hands.as_partner),
            _points(_("As defender"), hands.as_defender),
        )
        if hands.seats
        else (),
        extremes=tuple(
            (title, _companions(companions, link))
            for title, companions in (
                (_("Best partners"), games.partners.best),
                (_("Worst partners"), games.partners.worst),
                (_("Easiest opponents"), games.opponents.best),
                (_("Hardest opponents"), games.opponents.worst),
            )
            if companions
        ),
        partners=_companions(games.partners.everyone[:LISTED], link),
        opponents=_companions(games.opponents.everyone[:LISTED], link),
        too_few=_(
            "Best and worst partners and opponents are shown only after %(enough)s games with or against the same "
            "person.",
            enough=ENOUGH,
        ),
        percentages=_("Percentages are shown only after %(enough)s games or hands.", enough=ENOUGH),
    )


def _facts(games: Games, hands: Hands) -> tuple[tuple[str, str], ...]:
    record = (games.won.hits, games.lost, games.drawn) if games.drawn else (games.won.hits, games.lost)
    facts = [
        (_("Games"), str(games.games)),
        (_("Record"), "–".join(map(str, record))),
        (_("Games won"), spoken(rate_text(games.won))),
        (_("Points scored"), number(games.points)),
        (_("Longest winning streak"), str(games.streaks.longest)),
        (_("Current streak"), _streak(games.streaks.current)),
        (_("Hands recorded"), str(hands.hands)),
    ]
    if hands.seats:
        facts += [
            (_("Bids made"), spoken(rate_text(hands.made))),
            (_("Own sets"), str(hands.sets)),
            (_("Partner's sets"), str(hands.partner_sets)),
        ]
    return tuple(facts)


def _streak(current: int) -> str:
    if current > 0:
        return _("won %(number)s", number=current)
    if current < 0:
        return _("lost %(number)s", number=-current)
    return _("no streak")


def _place(seat: int) -> str:
    if seat < len(SEATS):
        return _(SEATS[seat])
    return _("%(number)s seats left of dealer", number=seat)


def _points(name: str, points: Points) -> RateLine:
    return RateLine(name, (str(points.hands), number(points.points)))


def _companions(companions: Sequence[Companion], link: Link) -> tuple[CompanionLine, ...]:
    return tuple(CompanionLine(link(each.person), spoken(rate_text(each.won))) for each in companions)
