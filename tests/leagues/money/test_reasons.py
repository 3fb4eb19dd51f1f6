"""The reason given for each prize: the deciding value or tie-breaker, a bracket, or a substitute."""

from __future__ import annotations

from scorekeeper.games.logic.statistics.hands import Played
from scorekeeper.leagues.money.ranking import Ranking, prize_reasons
from scorekeeper.leagues.money.takings import places_of
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table import rank_night

NAMES = {1: "Ann", 2: "Bob", 3: "Cid", 4: "Dee", 5: "Eve"}
SEASON = StandingSettings(ties=("point_difference", "draw"))


def _reasons(ranking: Ranking, *paid: int) -> list[tuple[int, str, str]]:
    return [
        (each.place, each.who, " ".join(each.why))
        for each in prize_reasons(ranking, paid, lambda person: NAMES[person])
    ]


def _ranked(*games: Played) -> Ranking:
    rows = rank_night(games, SEASON, name="")
    subs = {game.person: game.sub_for for game in games if game.sub_for is not None}
    return Ranking(places_of(rows), SEASON, {row.unit: row for row in rows}, subs)


def test_a_place_without_a_tie_names_its_value_and_a_tie_what_broke_it() -> None:
    """The reason for a prize names the deciding value if nobody is tied, and the tie-breaker if somebody is.

    Bob and Cid are tied in points per game, and Bob has the better point differential. Dee and Eve share a place,
    because the season's random draw doesn't break ties for prizes.
    """
    ranking = _ranked(
        Played(1, 1, 1, 1, 1, points=21, won=True),
        Played(1, 1, 2, 2, 2, points=20, points_against=5, won=True),
        Played(1, 1, 3, 3, 3, points=20, points_against=9, won=True),
        Played(1, 1, 4, 4, 4, points=3),
        Played(1, 1, 5, 5, 5, points=3),
    )
    tie = "Bob and Cid are tied in points per game (20). Tie broken by point differential: Bob +15 and Cid +11."
    first, second, third, fourth = _reasons(ranking, 1, 2, 3, 4)
    assert first == (1, "Ann", "Decided by points per game (21).")
    assert (second, third) == ((2, "Bob", tie), (3, "Cid", tie))
    assert fourth[0] == 4
    assert fourth[2].endswith("are tied in points per game (3) and point differential. They share a rank.")
    assert [place for place, _who, _why in _reasons(ranking, 2)] == [2]


def test_a_substitute_is_named_with_the_regular() -> None:
    ranking = _ranked(Played(1, 1, 1, 1, 5, points=9, won=True, sub_for=1), Played(1, 1, 1, 1, 2, points=4))
    assert _reasons(ranking, 1) == [
        (
            1,
            "Eve",
            "Decided by points per game (9). Eve played for Ann. The prize goes to the player who was there. "
            "In the standings, a substitute's game counts for the regular.",
        )
    ]


def test_a_knockout_says_how_far_each_team_got() -> None:
    bracket = (((1, 2),), ((3, 4),), ((5,),))
    over = Ranking(bracket, SEASON, {}, {})
    assert _reasons(over, 1, 2, 3) == [
        (1, "Ann and Bob", "Won the final."),
        (2, "Cid and Dee", "Lost the final."),
        (3, "Eve", "Lost in the semifinals."),
    ]
    apart = Ranking((((1,),), ((2,),), ((3,),), ((4,),), ((5,),)), SEASON, {}, {}, third=True)
    assert [why for _place, _who, why in _reasons(apart, 2, 3, 4, 5)] == [
        "Lost the final.",
        "Won the game for third place.",
        "Lost the game for third place.",
        "Lost in the quarterfinals.",
    ]
    stopped = Ranking(bracket, SEASON, {}, {}, over=False)
    assert [why for _place, _who, why in _reasons(stopped, 1, 2, 3)] == [
        "Still in when the night was closed.",
        "Lost in round 2.",
        "Lost in round 1.",
    ]
    alone = Ranking(bracket, SEASON, {}, {}, forfeit=True)
    assert [why for _place, _who, why in _reasons(alone, 1, 2, 3)] == [
        "Won because all others still in went home.",
        "Went home while still in.",
        "Lost in round 1.",
    ]


def test_a_place_without_a_prize_has_no_reason() -> None:
    assert prize_reasons(Ranking((), SEASON, {}, {}), (1,), str) == ()


def test_a_place_that_nobody_has_needs_no_reason() -> None:
    """If both finalists went home, nobody is in the first place of a bracket, and the next group shares it."""
    bracket: tuple[tuple[tuple[int, ...], ...], ...] = ((), ((1,), (2,)))
    (shared,) = prize_reasons(Ranking(bracket, SEASON, {}, {}), (1,), lambda person: NAMES[person])
    assert (shared.place, shared.who) == (1, "Ann and Bob")
