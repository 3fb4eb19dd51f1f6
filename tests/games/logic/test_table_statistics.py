"""The statistics of "Our table" are compared with simple counts of the same games."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from scorekeeper.games.logic.statistics.table_games import BidMade, TableGame, facts_of
from scorekeeper.games.logic.statistics.table_statistics import evening_of, evenings_of, meetings_of, people_of
from scorekeeper.rules import events as ev
from scorekeeper.rules.parts import Seating
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import replay
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.table import table_at

START = datetime(2026, 11, 19, 19, tzinfo=UTC)
ANN, BOB, CID, DEE = 1, 2, 3, 4
PAIRS = ((ANN, CID), (BOB, DEE))
LOST = BidMade(3, BOB, "pitch", made=False, points=-4)


def game(
    number: int,
    winner: int | None = 0,
    *,
    sides: tuple[tuple[int | None, ...], ...] = PAIRS,
    hours: float | None = None,
    series: str = "",
    bids: tuple[BidMade, ...] = (),
) -> TableGame:
    """Return a finished game whose id is "g" followed by `number`.

    The game began `hours` hours after `START`. If `hours` is None, it began `number` hours after `START`. `winner` is
    an index in `sides`, or None if nobody won. Each side is a tuple of people's ids, with None in place of a player who
    isn't one of the home table's people. `series` is the id of a series, or "" for a series of this game alone.
    """
    return TableGame(
        id=f"g{number}",
        began=START + timedelta(hours=number if hours is None else hours),
        series=series or f"g{number}",
        preset="setback-21",
        rules="{}",
        sides=sides,
        totals=(21, *[10] * (len(sides) - 1)),
        hands=8,
        over=True,
        winner=winner,
        ended_by="bid_out",
        bids=bids,
    )


def test_games_hours_apart_are_other_evenings() -> None:
    games = [game(0), game(1, hours=5.9), game(2, hours=12), game(3, hours=150), game(4, hours=151)]
    assert [[each.id for each in evening] for evening in evenings_of(games)] == [["g3", "g4"], ["g2"], ["g0", "g1"]]


def test_sides_are_the_same_in_any_seats() -> None:
    turned = game(1, 1, sides=((DEE, BOB), (CID, ANN)))
    (meeting,) = meetings_of([game(0), turned, game(2, 1), game(3, None)])
    assert [(each.side, each.games) for each in meeting.wins] == [((ANN, CID), ("g0", "g1")), ((BOB, DEE), ("g2",))]
    assert (meeting.games, meeting.tied) == (("g0", "g1", "g2", "g3"), ("g3",))


def test_a_series_is_won_by_more_games_of_it() -> None:
    games = [game(0, 0, series="a"), game(1, 1, series="a"), game(2, 1, series="a"), game(3, 0), game(4, 0)]
    (meeting,) = meetings_of(games)
    assert meeting.series == 1
    assert {each.side: each.series for each in meeting.wins} == {(ANN, CID): 0, (BOB, DEE): 1}


def test_hidden_stopped_and_unclear_games_count_for_nobody() -> None:
    twice = game(1, sides=((ANN, BOB), (ANN, DEE)))
    stranger = game(2, sides=((ANN, None), (BOB, DEE)))
    stopped = structs.replace(game(3, None), ended_by="abandoned")
    running = structs.replace(game(4, None), over=False, ended_by=None)
    games = [structs.replace(game(0), hidden=True), twice, stranger, stopped, running]
    assert people_of(games) == ()
    assert meetings_of(games) == ()
    assert evening_of(games).unfinished == ("g0", "g1", "g2", "g3", "g4")


def test_bids_of_a_stopped_game_count() -> None:
    bids = (BidMade(1, ANN, 3, made=True, points=4), BidMade(2, ANN, 3, made=False, points=-3), LOST)
    ann, bob = people_of([structs.replace(game(0, None, bids=bids), ended_by="abandoned")])
    assert (ann.person, ann.games.games, ann.bids, ann.set_games) == (ANN, 0, (2, 1), ("g0",))
    assert [(line.bid, line.made, line.points) for line in ann.levels] == [(3, (2, 1), 1)]
    assert (bob.person, bob.bids) == (BOB, (1, 0))


def test_the_biggest_comeback_is_the_first_of_its_size() -> None:
    games = [
        structs.replace(game(0), behind=9),
        structs.replace(game(1), behind=9),
        structs.replace(game(2, 1), behind=20),
    ]
    comebacks = {each.person: each.comeback for each in people_of(games)}
    ann, dee = comebacks[ANN], comebacks[DEE]
    assert ann is not None
    assert (ann.game, ann.behind) == ("g0", 9)
    assert dee is not None
    assert dee.game == "g2"


def test_a_bid_counts_for_the_player_who_made_it() -> None:
    """A bid counts for the player who made it, even if another player takes the seat after that hand."""
    rules = PRESETS["setback-21"]
    table = table_at(rules, Seating(4, "partners"))
    first = Hand(dealer=3, bidder=0, bid=3, taken=(4, 0))
    second = Hand(dealer=0, bidder=0, bid=4, taken=(1, 3))
    played = replay(
        (
            ev.GameStarted(rules, (0, 1, 2, 3), table.sides, 3),
            ev.HandScored(first),
            ev.PlayerReplaced(0, 4),
            ev.PlayerRenamed(0, 5),
            ev.HandScored(second),
        )
    )
    assert facts_of(played)["bids"] == [[1, 0, "3", 1, 4], [2, 5, "4", 0, -4]]


seatings = st.sampled_from([(2, 2), (2, 2, 2), (3, 3), (1, 1, 1, 1, 1), (4, 4), (2, 2, 2, 2)])
"""Number of people on each side of a game: two to four teams, or five people who play with a called partner."""


@st.composite
def played(draw: st.DrawFn) -> tuple[tuple[tuple[int, ...], ...], tuple[BidMade, ...], int | None]:
    """Draw (people's ids by side, bids, winner) for a random game.

    The winner is the index of a side, or None if nobody won.
    """
    sizes = draw(seatings)
    people = draw(st.permutations(range(1, sum(sizes) + 1)))
    sides = tuple(tuple(people[sum(sizes[:each]) : sum(sizes[: each + 1])]) for each in range(len(sizes)))
    made = st.builds(BidMade, st.integers(1, 9), st.sampled_from(people), st.integers(2, 4), st.booleans(), st.just(0))
    bids = tuple(draw(st.lists(made, max_size=4)))
    return sides, bids, draw(st.sampled_from([*range(len(sides)), None]))


@st.composite
def evenings(draw: st.DrawFn) -> list[TableGame]:
    """Draw a list of up to 14 games. Their sides, bids, winners, series and start times are random."""
    games = []
    for number, (sides, bids, winner) in enumerate(draw(st.lists(played(), max_size=14))):
        hours = number * draw(st.sampled_from([0.5, 9]))
        series = draw(st.sampled_from(["a", "b", ""]))
        games.append(game(number, winner, sides=sides, hours=hours, series=series, bids=bids))
    return games


@given(evenings())
def test_every_number_names_exactly_its_games(games: list[TableGame]) -> None:
    for person in people_of(games):
        me = person.person
        own, won = (
            person.games,
            {each.id for each in games if each.winner is not None and me in each.parties[each.winner]},
        )
        assert set(own.all_games) == {each.id for each in games if any(me in side for side in each.sides)}
        assert (len(own.all_games), set(own.won_games)) == (own.games, won)
        assert len(own.streaks.games) == own.streaks.longest
        assert set(own.streaks.games) <= won
        bids = [(each.id, bid) for each in games for bid in each.bids if bid.person == me]
        assert person.bids == (len(bids), sum(bid.made for _, bid in bids))
        assert set(person.bid_games) == {each for each, _ in bids}
        assert sum(line.made.cases for line in person.levels) == len(bids)
        for line in person.levels:
            assert set(line.games) == {each for each, bid in bids if bid.bid == line.bid}
        for mate in own.partners.everyone:
            assert (len(mate.games), len(won & set(mate.games))) == mate.won


@given(evenings())
def test_every_game_is_in_one_meeting_and_one_evening(games: list[TableGame]) -> None:
    ids = [each.id for each in games]
    assert sorted(each for meeting in meetings_of(games) for each in meeting.games) == sorted(ids)
    for meeting in meetings_of(games):
        assert len(meeting.games) == sum(len(each.games) for each in meeting.wins) + len(meeting.tied)
        assert sum(each.series for each in meeting.wins) <= meeting.series
    assert [each.id for evening in reversed(evenings_of(games)) for each in evening] == ids
