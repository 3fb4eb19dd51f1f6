"""Statistics compared with calculations by hand: rates, streaks, partners, opponents, and hands in each role."""

from __future__ import annotations

import pytest

from scorekeeper.games.logic.statistics.hands import Played, Points, Rate, hands_of, rate_text
from scorekeeper.games.logic.statistics.table_games import Streaks, games_of
from scorekeeper.rules.presets import preset_named
from scorekeeper.rules.scoring import Hand, Tally, new_tally, score_hand
from scorekeeper.rules.table import set_table
from tests.leagues.statistics.played_games import records_of_game, records_of_hand

ME, BOB, CID, DEE = 1, 2, 3, 4


def won(results: str, *, mate: int = CID, number: int = 0) -> list[Played]:
    """Return the records of a series of games that `ME` plays with the partner `mate`.

    `results` has a letter for each game: "W" for won, "L" for lost, "N" for tied. `number` is the first game's number.
    """
    return [
        Played(
            night=at // 2,
            round=at % 2,
            table=1,
            game=number + at,
            person=ME,
            partners=(mate,),
            opponents=(BOB, DEE),
            points=at,
            won=letter == "W",
            drawn=letter == "N",
        )
        for at, letter in enumerate(results)
    ]


@pytest.mark.parametrize(
    ("rate", "text"),
    [
        (Rate(0, 0), "–"),
        (Rate(4, 3), "3 of 4"),
        (Rate(9, 9), "9 of 9"),
        (Rate(10, 5), "50% of 10"),
        (Rate(34, 21), "62% of 34"),
        (Rate(200, 1), "1% of 200"),
        (Rate(1000, 4), "0% of 1000"),
    ],
)
def test_percentages_start_at_ten_cases(rate: Rate, text: str) -> None:
    """A rate is shown as a percentage only if it is based on at least ten cases.

    For example, 3 of 4 cases are shown as "3 of 4", and 21 of 34 cases as "62% of 34".
    """
    assert rate_text(rate) == text
    assert rate.enough == (rate.cases >= 10)


@pytest.mark.parametrize(
    ("results", "streaks"),
    [
        ("", Streaks(0, 0)),
        ("WWL", Streaks(2, -1)),
        ("LLWWWLWW", Streaks(3, 2)),
        ("WWNWW", Streaks(2, 2)),
        ("WWN", Streaks(2, 0)),
        ("LNLL", Streaks(0, -2)),
    ],
)
def test_streaks(results: str, streaks: Streaks) -> None:
    assert games_of(ME, reversed(won(results))).streaks == streaks


def test_record_and_nights() -> None:
    """A player's statistics count games and nights without byes and without other people's games."""
    bye = Played(5, 0, 0, 99, ME, bye=True, points=8)
    other = Played(5, 0, 1, 98, BOB, points=8, won=True)
    games = games_of(ME, [*won("WLNWW"), bye, other])
    assert (games.games, games.won, games.lost, games.drawn, games.points) == (5, Rate(5, 3), 1, 1, 10)
    assert [(line.night, line.games, line.won, line.points) for line in games.nights] == [
        (0, 2, 1, 1),
        (1, 2, 1, 5),
        (2, 1, 1, 4),
    ]


def test_best_and_worst_need_ten_games() -> None:
    """A player's best or worst partner needs at least ten games with the player.

    Nine games with Eve are too few. Ten games each with Cid and with Fay are enough.
    """
    nine = won("W" * 9, mate=5, number=100)
    assert games_of(ME, nine).partners.too_few
    games = [*nine, *won("WWWWWWLLLL", number=200), *won("WWWLLLLLLL", mate=6, number=300)]
    partners = games_of(ME, games).partners
    assert [mate.person for mate in partners.best] == [CID]
    assert [mate.person for mate in partners.worst] == [6]
    assert [(mate.person, mate.won) for mate in partners.everyone] == [
        (3, Rate(10, 6)),
        (6, Rate(10, 3)),
        (5, Rate(9, 9)),
    ]
    opponents = games_of(ME, games).opponents
    assert ([mate.person for mate in opponents.best], opponents.worst) == ([BOB, DEE], ())


def test_hands_in_each_role() -> None:
    """Hands are counted separately as bidder, as the bidder's partner and as defender.

    `ME` is in the third of four seats. In the five hands, `ME` bids 3 and makes it, the partner is set, the opponents
    bid 2 and make it, `ME` is set, and everyone passes.
    """
    table = set_table(preset_named("setback-21"), 4)
    hands = (
        Hand(1, bidder=2, bid=3, taken=(3, 1)),
        Hand(2, bidder=0, bid=2, taken=(1, 2)),
        Hand(3, bidder=1, bid=2, taken=(1, 2)),
        Hand(0, bidder=2, bid=4, taken=(3, 1)),
        Hand(1),
    )
    records = [
        records_of_hand(table, (7, 8, ME, 9), hand, score_hand(table, new_tally(table), hand), (1, 1, number))[2]
        for number, hand in enumerate(hands, start=1)
    ]
    found = hands_of(records)
    assert (found.hands, found.passed, found.sets, found.partner_sets) == (5, 1, 1, 1)
    assert [(line.bid, line.made, line.set, line.points) for line in found.levels] == [
        (3, Rate(1, 1), 0, 3),
        (4, Rate(1, 0), 1, -4),
    ]
    assert [(line.seat, line.took, line.made) for line in found.seats] == [
        (0, Rate(1, 0), Rate(0, 0)),
        (1, Rate(2, 1), Rate(1, 1)),
        (2, Rate(1, 1), Rate(1, 0)),
        (3, Rate(1, 0), Rate(0, 0)),
    ]
    assert (found.as_bidder, found.as_partner, found.as_defender) == (Points(2, -1), Points(1, -2), Points(1, 1))


def test_a_called_partner_is_a_partner_for_the_hand() -> None:
    """With five players, the bidder and the called partner are partners for the hand. The other three are opponents."""
    table = set_table(preset_named("somerset-66"), 5)
    hand = Hand(0, bidder=1, bid=12, taken=(14, 8), partner=3)
    records = records_of_hand(table, (11, 12, 13, 14, 15), hand, score_hand(table, new_tally(table), hand), (1, 1, 1))
    assert (records[1].partners, records[1].opponents) == ((14,), (11, 13, 15))
    assert (records[0].partners, records[0].opponents) == ((13, 15), (12, 14))
    assert hands_of([records[3]]).as_partner == Points(1, 14)
    assert hands_of([records[4]]).as_defender == Points(1, 8)
    alone = hand._replace(partner=None)
    records = records_of_hand(table, (11, 12, 13, 14, 15), alone, score_hand(table, new_tally(table), alone), (1, 1, 1))
    assert (records[1].partners, records[0].partners) == ((), (13, 14, 15))
    passed = records_of_hand(
        table, (11, 12, 13, 14, 15), Hand(0), score_hand(table, new_tally(table), Hand(0)), (1, 1, 1)
    )
    assert (passed[0].partners, passed[0].opponents) == ((), (12, 13, 14, 15))


def test_records_of_a_game_of_three() -> None:
    """In a game of three, "points against" is the higher score of the other two players."""
    table = set_table(preset_named("setback-7"), 3)
    records = records_of_game(table, (11, 12, 13), Tally((7, 2, 5), (0, 1, 2), 9), 0, (4, 2, 1, "abc"))
    assert [(game.person, game.points, game.points_against, game.won, game.sets) for game in records] == [
        (11, 7, 5, True, 0),
        (12, 2, 7, False, 1),
        (13, 5, 7, False, 2),
    ]
    assert records[0].opponents == (12, 13)
    assert {(game.night, game.round, game.table, game.game, game.hands, game.drawn) for game in records} == {
        (4, 2, 1, "abc", 9, False)
    }
