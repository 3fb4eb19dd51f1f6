"""Put the statistics of a home table (a group that plays at home) into words.

Each number links to the games that it counts. A percentage is followed by the number of games or bids that it is based
on.
"""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from scorekeeper.games.logic.statistics.hands import ENOUGH, Rate, rate_text
from scorekeeper.games.logic.statistics.table_games import Companion, Side, TableGame
from scorekeeper.games.logic.statistics.table_statistics import (
    Evening,
    Meeting,
    PersonNumbers,
    Wins,
    evening_of,
)
from scorekeeper.games.pages.our_table import (
    CompanionRow,
    Fact,
    LevelRow,
    LinkedNumber,
    MeetingLine,
    MeetingSide,
    PlayerLine,
)
from scorekeeper.games.pages.start import EveningLine
from scorekeeper.games.presenters.snapshot import bids_text, said_bid
from scorekeeper.i18n.catalog import N_, _, ngettext, spoken
from scorekeeper.i18n.sentences import SideName, isolated, join_names, number, said
from scorekeeper.web.links import PageLink

HISTORY = "games.table_history"


class KnownPlayer(Struct, frozen=True):
    """A person of the home table, with their name and the public id for links."""

    name: str
    public_id: str


class Voice(Struct, frozen=True):
    """Makes the names of people and the links to their games.

    `chosen` are the query fields of the current filter, which the links repeat.
    """

    people: Mapping[int, KnownPlayer]
    chosen: Mapping[str, str | int]

    def name(self, person: int) -> str:
        """Return the name of a person, given by row id."""
        return isolated(self.people[person].name) if person in self.people else _("Someone")

    def side(self, side: Side) -> SideName:
        """Return the name of a side, such as "Ann and Cid"."""
        return SideName(join_names([self.name(person) for person in side]), len(side) > 1)

    def person_page(self, person: int) -> PageLink:
        """Return the link to the page with a person's statistics."""
        return PageLink("games.table_player", {"player_id": self.people[person].public_id, **self.chosen})

    def number(self, text: str, games: Sequence[object], kind: str, *parts: str) -> LinkedNumber:
        """Return a number with the link to the `games` that it counts, or without a link if there are none.

        `kind` says what the number counts, and is one of `logic.statistics.table_filter.KINDS`. `parts` are added to
        the link to say which people (as public ids) and which bid the number is about.
        """
        if not games:
            return LinkedNumber(text)
        return LinkedNumber(text, PageLink(HISTORY, {**self.chosen, "of": ":".join((kind, *parts))}))

    def of_person(self, text: str, games: Sequence[object], kind: str, person: int, *parts: str) -> LinkedNumber:
        """Return a number about a person (row id), with the link to the `games` that it counts.

        `kind` says what the number counts, and is one of `logic.statistics.table_filter.KINDS`. `parts` are added to
        the link to say what else the number is about, such as a bid.
        """
        return self.number(text, games, kind, self.people[person].public_id, *parts)

    def sides_key(self, sides: Sequence[Side]) -> str:
        """Return the sides as a part of an address, made of public ids, such as "a.c-b.d"."""
        return "-".join(".".join(self.people[person].public_id for person in side) for side in sides)


def evening_line(voice: Voice, games: Sequence[TableGame]) -> EveningLine:
    """Return the result of the games of an evening, with a link to the list of these games."""
    first = games[0]
    page = PageLink(HISTORY, {**voice.chosen, "evening": first.id})
    return EveningLine(first.began, evening_text(voice, evening_of(games)), page)


def evening_text(voice: Voice, evening: Evening) -> str:
    """Return the result of an evening, such as "Ann and Cid won 3 games to 1".

    If partners changed during the evening, the text is like "Most wins: Ann, 4 of 6".
    """
    if not evening.meetings:
        return _("No finished games")
    if len(evening.meetings) == 1 and len(evening.meetings[0].wins) > 1:
        return _between(voice, evening.meetings[0])
    most = evening.people[0].won.hits
    if not most:
        return _tied(sum(game.counts for game in evening.games))
    best = [each for each in evening.people if each.won.hits == most]
    names = join_names([voice.name(each.person) for each in best])
    if len({each.won.cases for each in best}) > 1:
        return _("Most wins: %(names)s, %(won)s each", names=names, won=most)
    games = best[0].won.cases
    if len(best) > 1:
        return _("Most wins: %(names)s, %(won)s of %(games)s each", names=names, won=most, games=games)
    return _("Most wins: %(names)s, %(won)s of %(games)s", names=names, won=most, games=games)


def _between(voice: Voice, meeting: Meeting) -> str:
    ahead, *others = meeting.wins
    won, next_best = len(ahead.games), len(others[0].games)
    if won == next_best:
        return _evenly(voice, meeting, won)
    side = voice.side(ahead.side)
    if len(meeting.games) == 1:
        return said(N_("{side} {side:won|won}"), side=side)
    if len(others) > 1:
        return said(N_("{side} {side:won|won} {won} of {games} games"), side=side, won=won, games=len(meeting.games))
    template = (
        N_("{side} {side:won|won} 1 game to {lost}") if won == 1 else N_("{side} {side:won|won} {won} games to {lost}")
    )
    return said(template, side=side, won=won, lost=next_best)


def _evenly(voice: Voice, meeting: Meeting, won: int) -> str:
    if not won:
        return _tied(len(meeting.games))
    level = [each for each in meeting.wins if len(each.games) == won]
    names = ", ".join(voice.side(each.side).name for each in level)
    return ngettext("Tied at %(num)s game each: %(names)s", "Tied at %(num)s games each: %(names)s", won, names=names)


def _tied(games: int) -> str:
    return ngettext("Tied game", "%(num)s tied games", games)


def meeting_line(voice: Voice, meeting: Meeting) -> MeetingLine:
    """Return the line with the head-to-head record of two or more sides."""
    won = ", ".join(f"{voice.side(each.side).name} {number(each.series)}" for each in meeting.wins)
    return MeetingLine(
        sides=tuple(_meeting_side(voice, meeting, each) for each in meeting.wins),
        games=voice.number(_games(len(meeting.games)), meeting.games, "met", voice.sides_key(meeting.sides)),
        tied=voice.number(
            _("%(number)s tied", number=len(meeting.tied)), meeting.tied, "tied", voice.sides_key(meeting.sides)
        )
        if meeting.tied
        else None,
        series=_("Series of rematches won: %(won)s", won=won) if meeting.series else "",
    )


def _meeting_side(voice: Voice, meeting: Meeting, own: Wins) -> MeetingSide:
    key = voice.sides_key([own.side, *(side for side in meeting.sides if side != own.side)])
    return MeetingSide(voice.side(own.side).name, voice.number(str(len(own.games)), own.games, "beat", key), own.series)


def _games(count: int) -> str:
    return ngettext("%(num)s game", "%(num)s games", count)


def person_line(voice: Voice, own: PersonNumbers) -> PlayerLine:
    """Return a person's line in the list of people."""
    me = own.person
    return PlayerLine(
        name=voice.name(me),
        page=voice.person_page(me),
        games=voice.of_person(str(own.games.games), own.games.all_games, "games", me),
        won=voice.of_person(_rate(own.games.won), own.games.won_games, "won", me),
        bids=voice.of_person(_rate(own.bids), own.bid_games, "bids", me),
    )


def records(voice: Voice, people: Sequence[PersonNumbers]) -> tuple[Fact, ...]:
    """Return the records of a home table: longest streak, biggest comeback, and best partners.

    A record that nobody holds yet is left out.
    """
    facts: list[Fact] = []
    streak = max((own.games.streaks.longest for own in people), default=0)
    if streak > 1:
        facts += [
            Fact(_("Longest winning streak"), _streak(voice, own), voice.name(own.person))
            for own in people
            if own.games.streaks.longest == streak
        ]
    behind = max((own.comeback.behind for own in people if own.comeback), default=0)
    best = [own for own in people if own.comeback and own.comeback.behind == behind]
    for game in dict.fromkeys(own.comeback.game for own in best if own.comeback):
        side = [own for own in best if own.comeback and own.comeback.game == game]
        names = join_names([voice.name(own.person) for own in side])
        facts.append(Fact(_("Biggest comeback"), _comeback(voice, side[0]), names))
    return (*facts, *_best_pairs(voice, people))


def _best_pairs(voice: Voice, people: Sequence[PersonNumbers]) -> list[Fact]:
    pairs = {
        tuple(sorted((own.person, mate.person))): (own.person, mate) for own in people for mate in own.best_partners
    }
    top = max((mate.won.share for _me, mate in pairs.values()), default=None)
    return [
        Fact(_("Best partners"), _with(voice, me, mate, "with"), voice.side((me, mate.person)).name)
        for me, mate in pairs.values()
        if mate.won.share == top
    ]


def person_facts(voice: Voice, own: PersonNumbers) -> tuple[Fact, ...]:
    """Return a person's statistics, as numbers with labels."""
    me, games = own.person, own.games
    facts = [
        Fact(_("Games"), voice.of_person(str(games.games), games.all_games, "games", me)),
        Fact(_("Games won"), voice.of_person(_rate(games.won), games.won_games, "won", me)),
        *([Fact(_("Ties"), voice.of_person(str(games.drawn), games.drawn_games, "drawn", me))] if games.drawn else []),
        Fact(_("Longest winning streak"), _streak(voice, own)),
        Fact(_("Bids made"), voice.of_person(_rate(own.bids), own.bid_games, "bids", me)),
        Fact(_("Sets"), voice.of_person(str(own.bids.cases - own.bids.hits), own.set_games, "sets", me)),
    ]
    if own.comeback is not None:
        facts.append(Fact(_("Biggest comeback"), _comeback(voice, own)))
    facts += [
        Fact(_("Best partner"), _with(voice, me, mate, "with"), voice.name(mate.person)) for mate in own.best_partners
    ]
    return tuple(facts)


def level_rows(voice: Voice, own: PersonNumbers) -> tuple[LevelRow, ...]:
    """Return a row for each amount that a person bid."""
    return tuple(
        LevelRow(
            bids_text(line.bid),
            voice.of_person(_rate(line.made), line.games, "bid", own.person, str(line.bid)),
            voice.of_person(str(line.set), line.set_games, "set", own.person, str(line.bid)),
        )
        for line in own.levels
    )


def companion_rows(voice: Voice, me: int, kind: str, companions: Sequence[Companion]) -> tuple[CompanionRow, ...]:
    """Return a row for each partner or each opponent of the person `me` (row id).

    `kind` is "with" for partners, and "against" for opponents.
    """
    return tuple(
        CompanionRow(voice.name(each.person), voice.person_page(each.person), _with(voice, me, each, kind))
        for each in companions
    )


def counting_note() -> str:
    """Return sentences that say which bids count, and after how many games or bids a percentage is shown."""
    return " ".join(
        (
            _("Bids include those of games that aren't finished."),
            _("Percentages are shown only after %(enough)s games or bids.", enough=ENOUGH),
        )
    )


def _with(voice: Voice, me: int, mate: Companion, kind: str) -> LinkedNumber:
    won = ngettext("won %(rate)s game", "won %(rate)s games", mate.won.cases, rate=_rate(mate.won))
    return voice.of_person(won, mate.games, kind, me, voice.people[mate.person].public_id)


def _streak(voice: Voice, own: PersonNumbers) -> LinkedNumber:
    streak = own.games.streaks
    return voice.of_person(_games(streak.longest), streak.games, "streak", own.person)


def _comeback(voice: Voice, own: PersonNumbers) -> LinkedNumber:
    assert own.comeback is not None
    text = ngettext("from %(num)s point down", "from %(num)s points down", own.comeback.behind)
    return voice.of_person(text, (own.comeback.game,), "comeback", own.person)


def _rate(rate: Rate) -> str:
    return spoken(rate_text(rate))


Heading = Callable[[Voice, Sequence[Side], str], str]
HEADINGS: Mapping[str, Heading] = {
    "games": lambda voice, sides, _bid: _("%(name)s's games", name=voice.side(sides[0]).name),
    "won": lambda voice, sides, _bid: _("Games won by %(name)s", name=voice.side(sides[0]).name),
    "drawn": lambda voice, sides, _bid: _("%(name)s's ties", name=voice.side(sides[0]).name),
    "streak": lambda voice, sides, _bid: _("%(name)s's longest winning streak", name=voice.side(sides[0]).name),
    "comeback": lambda voice, sides, _bid: _("%(name)s's biggest comeback", name=voice.side(sides[0]).name),
    "bids": lambda voice, sides, _bid: _("Games in which %(name)s won the bid", name=voice.side(sides[0]).name),
    "sets": lambda voice, sides, _bid: _("Games in which %(name)s was set", name=voice.side(sides[0]).name),
    "bid": lambda voice, sides, bid: _(
        "Games in which %(name)s bid %(bid)s", name=voice.side(sides[0]).name, bid=said_bid(bid)
    ),
    "set": lambda voice, sides, bid: _(
        "Games in which %(name)s bid %(bid)s and was set", name=voice.side(sides[0]).name, bid=said_bid(bid)
    ),
    "with": lambda voice, sides, _bid: _(
        "%(name)s and %(partner)s as partners", name=voice.side(sides[0]).name, partner=voice.side(sides[1]).name
    ),
    "against": lambda voice, sides, _bid: _against(voice, sides),
    "met": lambda voice, sides, _bid: _against(voice, sides),
    "tied": lambda voice, sides, _bid: _("Ties: %(sides)s", sides=_against(voice, sides)),
    "beat": lambda voice, sides, _bid: _(
        "Games %(winner)s won against %(others)s",
        winner=voice.side(sides[0]).name,
        others=join_names([voice.side(side).name for side in sides[1:]]),
    ),
}
"""Functions that return the heading above the list of games that a number in the statistics counts.

The keys are the kinds of such numbers. The last argument of each function is a bid, which most kinds ignore.
"""


def _against(voice: Voice, sides: Sequence[Side]) -> str:
    names = [voice.side(side).name for side in sides]
    if len(names) == 2:
        return _("%(name)s against %(opponent)s", name=names[0], opponent=names[1])
    return ", ".join(names)
