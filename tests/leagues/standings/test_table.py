"""Standings calculated by hand: rankings, tie-breakers, dropped nights, byes, substitutes and the handicap."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from scorekeeper.games.logic.statistics.hands import Played
from scorekeeper.leagues.standings.columns import columns_of
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table import standings, team_standings, tie_marks, ties_of
from scorekeeper.leagues.standings.wording import ORDERS, chat_lines, tie_line
from tests.leagues.standings.games import ANN, BOB, CID, DEE, EVE, FAY, GUS, NAMES, bye, game


def table(played: list[Played], **settings: Any) -> tuple[StandingRow, ...]:
    return standings(played, StandingSettings(**settings), season="worked by hand")


def places(rows: tuple[StandingRow, ...]) -> list[tuple[int | None, str]]:
    return [(row.place, NAMES[row.unit]) for row in rows]


def sentences(rows: tuple[StandingRow, ...]) -> list[str]:
    return [tie_line(tie, NAMES) for tie in ties_of(rows)]


TWO_GAMES = [
    *game(1, 1, (ANN, CID), (BOB, DEE), (21, 14)),
    *game(1, 2, (ANN, BOB), (CID, DEE), (20, 22)),
    *game(1, 3, (EVE,), (FAY,), (21, 20)),
]
# Ann 41 in 2, Bob 34 in 2, Cid 43 in 2, Dee 36 in 2, Eve 21 in 1, Fay 20 in 1.


def test_ranking_by_points_per_game() -> None:
    """Players can be ranked by points per game.

    The averages are 43/2 for Cid, 21 for Eve, 41/2 for Ann, 20 for Fay, 36/2 for Dee and 34/2 for Bob.
    """
    rows = table(TWO_GAMES, order="per_game")
    assert places(rows) == [(1, "Cid"), (2, "Eve"), (3, "Ann"), (4, "Fay"), (5, "Dee"), (6, "Bob")]
    assert rows[2].per_game == Fraction(41, 2)
    assert (rows[2].wins, rows[2].losses, rows[2].draws, rows[2].difference) == (1, 1, 0, 5)


def test_players_below_the_minimum_are_unranked() -> None:
    """Players with fewer games than the minimum are unranked and listed below the others, best first."""
    rows = table(TWO_GAMES, order="per_game", min_games=2)
    assert places(rows) == [(1, "Cid"), (2, "Ann"), (3, "Dee"), (4, "Bob"), (None, "Eve"), (None, "Fay")]


def test_ranking_by_total_points() -> None:
    rows = table(TWO_GAMES, order="points")
    assert [(NAMES[row.unit], int(row.points)) for row in rows] == [
        ("Cid", 43),
        ("Ann", 41),
        ("Dee", 36),
        ("Bob", 34),
        ("Eve", 21),
        ("Fay", 20),
    ]


def test_ranking_by_wins_then_point_difference() -> None:
    """Players can be ranked by wins. Players with equal wins are ranked by point differential.

    Cid won twice. Ann, Dee and Eve won once, with differentials of 5, −5 and 1. Bob and Fay never won, with −9 and −1.
    """
    rows = table(TWO_GAMES, order="wins", ties=("wins", "point_difference"))
    assert places(rows) == [(1, "Cid"), (2, "Ann"), (3, "Eve"), (4, "Dee"), (5, "Fay"), (6, "Bob")]
    assert sentences(rows) == [
        "Ann, Eve and Dee are tied in wins (1). Tie broken by point differential: Ann +5, Eve +1 and Dee −5.",
        "Fay and Bob are tied in wins (0). Tie broken by point differential: Fay −1 and Bob −9.",
    ]


TIED_ON_POINTS = [
    *game(1, 1, (ANN,), (CID,), (21, 3)),
    *game(1, 2, (BOB,), (DEE,), (15, 7)),
    *game(1, 3, (BOB,), (DEE,), (6, 2)),
]


def test_tie_broken_by_wins() -> None:
    """Bob and Ann both have 21 points. Bob is ranked above Ann, because Bob has two wins and Ann has one."""
    rows = table(TIED_ON_POINTS, order="points", ties=("wins",))
    assert places(rows) == [(1, "Bob"), (2, "Ann"), (3, "Dee"), (4, "Cid")]
    assert sentences(rows) == ["Bob and Ann are tied in total points (21). Tie broken by wins: Bob 2 and Ann 1."]


THREE_TIED = [
    # Each scored 30 and won once; Ann and Bob beat Cid, Cid beat Dee only, and Bob beat Ann.
    *game(1, 1, (ANN,), (CID,), (20, 10)),
    *game(1, 2, (BOB,), (ANN,), (12, 10)),
    *game(1, 3, (BOB,), (DEE,), (18, 19)),
    *game(1, 4, (CID,), (DEE,), (20, 0)),
]


def test_tie_broken_by_head_to_head() -> None:
    """Head to head counts only games between the tied players.

    Of the three tied players, Bob won one game, Ann won one and lost one, and Cid lost one. Games against Dee, who
    isn't tied, don't count.
    """
    rows = table(THREE_TIED, order="points", ties=("head_to_head",))
    assert places(rows) == [(1, "Bob"), (2, "Ann"), (3, "Cid"), (4, "Dee")]
    assert sentences(rows) == [
        "Bob, Ann and Cid are tied in total points (30). "
        "Tie broken by head to head (wins minus losses): Bob +1, Ann 0 and Cid −1."
    ]


def test_head_to_head_counts_only_if_all_have_met() -> None:
    """If two of the tied players never met, head to head is skipped, and the explanation of the tie says so.

    Bob beat Ann, but neither of them played Cid.
    """
    played = [
        *game(1, 1, (BOB,), (ANN,), (12, 10)),
        *game(1, 2, (ANN,), (DEE,), (20, 3)),
        *game(1, 3, (BOB,), (DEE,), (18, 3)),
        *game(1, 4, (CID,), (EVE,), (30, 2)),
    ]
    rows = table(played, order="points", ties=("head_to_head", "point_difference"), met_all=True)
    assert places(rows)[:3] == [(1, "Cid"), (2, "Bob"), (3, "Ann")]
    assert sentences(rows)[0] == (
        "Cid, Bob and Ann are tied in total points (30). Tie broken by point differential: Cid +28, Bob +17 and "
        "Ann +15. Head to head doesn't count, because they haven't all played each other."
    )
    before = table(played, order="points", ties=("head_to_head", "point_difference"))
    assert places(before)[:3] == [(1, "Bob"), (2, "Cid"), (3, "Ann")]
    assert ties_of(before)[0].skipped == ()


def test_head_to_head_counts_if_all_have_met() -> None:
    """If all tied players have met, head to head decides. Here Bob won the only game between Ann and Bob."""
    played = [*game(1, 1, (BOB,), (ANN,), (12, 10)), *game(1, 2, (ANN,), (DEE,), (2, 3))]
    rows = table(played, order="points", ties=("head_to_head",), met_all=True)
    assert places(rows) == [(1, "Bob"), (2, "Ann"), (3, "Dee")]


SHRINKING = [
    # Each of the four won twice. Among them: Ann beat Bob and Cid, Bob beat Cid and Dee, Cid beat Dee, Dee beat Ann.
    *game(1, 1, (ANN,), (BOB,), (9, 3)),
    *game(1, 2, (ANN,), (CID,), (9, 3)),
    *game(1, 3, (BOB,), (CID,), (9, 3)),
    *game(1, 4, (BOB,), (DEE,), (9, 3)),
    *game(1, 5, (CID,), (DEE,), (9, 3)),
    *game(1, 6, (DEE,), (ANN,), (9, 3)),
    *game(1, 7, (CID,), (EVE,), (9, 3)),
    *game(1, 8, (DEE,), (EVE,), (9, 3)),
]


def test_head_to_head_counts_again_for_the_smaller_tie_that_is_left() -> None:
    """Ann and Bob are still tied after head to head among four, and so are Cid and Dee. Ann beat Bob, and Cid beat Dee.

    In seasons from before this setting, no tie-breaker ever looks at these games alone, so the ranks stay shared.
    """
    rows = table(SHRINKING, order="wins", ties=("head_to_head",), met_all=True, reapply=True)
    assert places(rows) == [(1, "Ann"), (2, "Bob"), (3, "Cid"), (4, "Dee"), (5, "Eve")]
    four, first, last = sentences(rows)
    assert four.endswith("Tie broken by head to head (wins minus losses): " + four.rpartition("losses): ")[2])
    assert first == (
        "Ann and Bob are tied in wins (2) and head to head. "
        "Tie broken by head to head among them alone (wins minus losses): Ann +1 and Bob −1."
    )
    assert last == (
        "Cid and Dee are tied in wins (2) and head to head. "
        "Tie broken by head to head among them alone (wins minus losses): Cid +1 and Dee −1."
    )
    before = table(SHRINKING, order="wins", ties=("head_to_head",), met_all=True)
    assert [row.place for row in before] == [1, 1, 3, 3, 5]


def test_a_player_who_beat_all_tied_rivals_is_first_although_these_never_met() -> None:
    """Ann beat Bob, Cid and Dee, so Ann is first, even though Bob never played Cid or Dee.

    Cid beat Dee, but Bob played neither of them. So nobody is sure to be second, and point differential decides.
    """
    played = [
        *(record for at, other in enumerate((BOB, CID, DEE)) for record in game(1, at, (ANN,), (other,), (9, 3))),
        *game(1, 4, (CID,), (DEE,), (9, 3)),
        *(
            record
            for who, wins, margin in ((BOB, 3, 4), (CID, 2, 1), (DEE, 3, 1))
            for at in range(wins)
            for record in game(1, 10 * who + at, (who,), (10 * who,), (9, 9 - margin))
        ),
    ]
    settings: dict[str, Any] = {"order": "wins", "ties": ("head_to_head", "point_difference"), "met_all": True}
    names = {**NAMES, (20,): "b", (30,): "c", (40,): "d"}
    rows = table(played, **settings, reapply=True)
    assert [names[row.unit] for row in rows][:4] == ["Ann", "Bob", "Cid", "Dee"]
    first, rest, *_ = [tie_line(tie, names) for tie in ties_of(rows)]
    assert first.startswith("Ann, ")
    assert first.endswith(
        " are tied in wins (3). Tie broken by head to head: Ann would be ahead of the others no matter who won the "
        "games that weren't played."
    )
    assert rest == (
        "Bob, Cid and Dee are tied in wins (3). Tie broken by point differential: Bob +6, Cid +2 and Dee −9. "
        "Head to head doesn't count, because they haven't all played each other."
    )
    assert "no matter who won" not in " ".join(tie_line(tie, names) for tie in ties_of(table(played, **settings)))


def test_head_to_head_counts_a_game_against_two_once() -> None:
    """For head to head, a game against two tied players counts once.

    Ann beat Bob and Cid at one table. That is one win for Ann, and one loss each for Bob and Cid.
    """
    played = [
        *game(1, 1, (ANN, DEE), (BOB, CID), (10, 4)),
        *game(1, 2, (ANN,), (EVE,), (4, 9)),
        *game(1, 3, (BOB,), (EVE,), (10, 9)),
        *game(1, 4, (CID,), (EVE,), (10, 9)),
    ]
    rows = table(played, order="points", ties=("head_to_head",))
    assert places(rows) == [(1, "Eve"), (2, "Ann"), (3, NAMES[rows[2].unit]), (3, NAMES[rows[3].unit]), (5, "Dee")]
    first, second = ties_of(rows)
    assert dict(zip(first.units, first.values, strict=True)) == {(ANN,): 1, (BOB,): -1, (CID,): -1}
    assert (set(second.units), second.rule, second.tied_on) == ({(BOB,), (CID,)}, "", ("points", "head_to_head"))


def test_a_tied_game_breaks_no_tie() -> None:
    """A tied game counts for neither side head to head."""
    played = game(1, 1, (ANN,), (BOB,), (9, 9), drawn=True)
    rows = table(played, ties=("head_to_head", "wins"))
    assert [row.place for row in rows] == [1, 1]
    assert [row.draws for row in rows] == [1, 1]


def test_tie_broken_by_point_difference() -> None:
    """Ann and Bob both average 15 points. Ann is ranked above Bob, because +14 is a better differential than +12.

    Ann's two games add up to 30 to 16, and Bob's game was 15 to 3.
    """
    played = [
        *game(1, 1, (ANN,), (CID,), (21, 4)),
        *game(1, 2, (ANN,), (CID,), (9, 12)),
        *game(1, 3, (BOB,), (DEE,), (15, 3)),
    ]
    rows = table(played, ties=("point_difference",))
    assert places(rows) == [(1, "Ann"), (2, "Bob"), (3, "Cid"), (4, "Dee")]
    assert sentences(rows) == [
        "Ann and Bob are tied in points per game (15). Tie broken by point differential: Ann +14 and Bob +12."
    ]


def test_tie_broken_by_fewest_sets() -> None:
    """Tied players can be ranked by fewest sets. Bob has one set, while Ann and Eve have two each and stay tied."""
    played = [
        *game(1, 1, (ANN,), (CID,), (15, 4), sets=(2, 5)),
        *game(1, 2, (BOB,), (DEE,), (15, 4), sets=(1, 5)),
        *game(1, 3, (EVE,), (FAY,), (15, 4), sets=(2, 4)),
    ]
    rows = table(played, ties=("wins", "fewest_sets"))
    assert [row.place for row in rows] == [1, 2, 2, 4, 5, 5]
    assert NAMES[rows[0].unit] == "Bob"
    assert NAMES[rows[3].unit] == "Fay"
    tie, rest, *_ = ties_of(rows)
    assert (tie.tied_on, tie.rule) == (("per_game", "wins"), "fewest_sets")
    assert dict(zip(tie.units, tie.values, strict=True)) == {(ANN,): 2, (BOB,): 1, (EVE,): 2}
    assert rest.tied_on == ("per_game", "wins", "fewest_sets")
    says = " are tied in points per game (15), wins and number of sets. They share a rank."
    assert tie_line(rest, NAMES).endswith(says)


SIX_TIED = [Played(1, 1, who, who, who, points=5, drawn=True) for who in (ANN, BOB, CID, DEE, EVE, FAY)]


def test_a_random_draw_gives_each_player_a_rank() -> None:
    rows = table(SIX_TIED, ties=("wins", "draw"))
    assert [row.place for row in rows] == [1, 2, 3, 4, 5, 6]
    (tie,) = ties_of(rows)
    assert tie.values == (1, 2, 3, 4, 5, 6)
    assert tie_line(tie, NAMES).endswith(" are tied in points per game (5) and wins. Their order was drawn at random.")


def test_a_random_draw_survives_export_and_import() -> None:
    """A random draw has the same result after a league is moved to another server, where people have other ids.

    The draw depends on people's tags, which a move doesn't change, instead of their database ids. In another season,
    the draw can have another result.
    """
    settings = StandingSettings(ties=("draw",))
    tags = {person: f"tag {person}" for person in range(1, 7)}
    moved = [game_._replace(person=90 - game_.person) for game_ in SIX_TIED]
    here = standings(SIX_TIED, settings, season="autumn", tags=tags)
    there = standings(moved, settings, season="autumn", tags={90 - person: tag for person, tag in tags.items()})
    assert [row.person for row in here] == [90 - row.person for row in there]
    seasons = {
        tuple(row.person for row in standings(SIX_TIED, settings, season=f"season {year}", tags=tags))
        for year in range(20)
    }
    assert len(seasons) > 10


def test_a_random_draw_is_fair() -> None:
    """In the random draws of 600 seasons with six players, each player is drawn first about a hundred times."""
    settings = StandingSettings(ties=("draw",))
    first = [standings(SIX_TIED, settings, season=str(year))[0].person for year in range(600)]
    assert all(65 < first.count(person) < 135 for person in range(1, 7))


FIVE_NIGHTS = [
    # Ann came five times, Bob four times, Cid three times; each game is against somebody else.
    *(
        record
        for night, points in enumerate((10, 2, 8, 2, 9), 1)
        for record in game(night, night, (ANN,), (FAY,), (points, 0))
    ),
    *(
        record
        for night, points in enumerate((7, 7, 7, 9), 2)
        for record in game(night, night + 10, (BOB,), (GUS,), (points, 0))
    ),
    *(
        record
        for night, points in ((1, 9), (2, 9), (5, 1))
        for record in game(night, night + 20, (CID,), (DEE,), (points, 0))
    ),
]


def test_missed_nights_are_dropped_before_low_ones() -> None:
    """If two nights are dropped, a player's missed nights are dropped first, and then nights with the fewest points.

    Ann attended all five nights and drops the two with 2 points. Bob missed one night and drops one with 7 points. Cid
    missed two nights and drops no other night.
    """
    rows = table(FIVE_NIGHTS, order="points", drop_nights=2)
    got: dict[str, Any] = {NAMES[row.unit]: (row.points, row.dropped) for row in rows}
    assert got["Ann"] == (27, (2, 4))
    assert got["Bob"] == (23, (2,)), "the earliest of three tied nights"
    assert got["Cid"] == (19, ())
    ann = rows[0]
    assert (ann.games, ann.wins, ann.played, ann.difference) == (3, 3, 5, 27)
    assert [int(night.points) for night in ann.nights] == [10, 2, 8, 2, 9]


def test_a_new_season_keeps_the_best_night() -> None:
    """Even if more nights are to be dropped than have been played, each player's best night counts.

    Games of a dropped night count toward the minimum number of games.
    """
    played = [*game(1, 1, (ANN,), (BOB,), (3, 1)), *game(2, 2, (ANN,), (BOB,), (5, 4))]
    rows = table(played, order="points", drop_nights=3, min_games=2)
    assert [(row.place, int(row.points), row.dropped) for row in rows] == [(1, 5, (1,)), (2, 4, (1,))]


def test_nights_are_compared_by_what_the_season_ranks_by() -> None:
    """A player's lowest night is found by the same number by which the season ranks players.

    Ann has 10 points and a win from two games on night 1, and 8 points from a lost game on night 2. Ranked by points or
    wins, night 2 is dropped. Ranked by points per game, night 1 is dropped.
    """
    played = [
        *game(1, 1, (ANN,), (BOB,), (7, 1)),
        *game(1, 2, (ANN,), (CID,), (3, 9)),
        *game(2, 3, (ANN,), (BOB,), (8, 9)),
    ]
    for order, dropped in (("points", 2), ("per_game", 1), ("wins", 2)):
        ann = next(row for row in table(played, order=order, drop_nights=1) if row.person == ANN)
        assert ann.dropped == (dropped,)


BYE = [
    *game(1, 1, (ANN,), (BOB,), (10, 6)),
    *game(1, 2, (ANN,), (CID,), (7, 8)),
    bye(1, 3, ANN),
    bye(1, 3, DEE),
]


@pytest.mark.parametrize(
    ("settings", "points", "games", "wins"),
    [
        ({"bye": "nothing", "bye_points": 9, "bye_wins": True}, 17, 2, 1),
        ({"bye": "points", "bye_points": 5}, 22, 3, 1),
        ({"bye": "points", "bye_points": 5, "bye_wins": True}, 22, 3, 2),
        ({"bye": "average", "bye_wins": True}, Fraction(51, 2), 3, 1),
    ],
)
def test_bye_scores(settings: dict[str, Any], points: Fraction, games: int, wins: int) -> None:
    """A bye counts as nothing, as fixed points, or as the player's average, as the season's settings say.

    Ann scored 10 and 7, which average 8.5. A bye has no point differential, and a player with only byes is unranked.
    """
    rows = table(BYE, order="points", **settings)
    ann = next(row for row in rows if row.person == ANN)
    assert (ann.points, ann.games, ann.wins, ann.played, ann.byes, ann.difference) == (points, games, wins, 2, 1, 3)
    dee = rows[-1]
    assert (dee.person, dee.place, dee.played, dee.byes) == (DEE, None, 0, 1)


@pytest.mark.parametrize(
    ("subs", "points"),
    [("regular", {ANN: 15, BOB: 9}), ("sub", {ANN: 10, BOB: 9, EVE: 5}), ("both", {ANN: 15, BOB: 9, EVE: 5})],
)
def test_a_substitutes_game_counts_as_the_season_says(subs: str, points: dict[int, int]) -> None:
    played = [
        *game(1, 1, (ANN,), (BOB,), (10, 6)),
        *game(2, 2, (EVE,), (BOB,), (5, 3), subs={EVE: ANN}),
    ]
    rows = table(played, order="points", subs=subs)
    assert {row.person: row.points for row in rows} == points


def test_head_to_head_counts_a_substitutes_win_for_the_regular() -> None:
    """When Eve plays for Ann and beats Bob, head to head counts the win for Ann, who is tied with Bob."""
    played = [
        *game(1, 1, (EVE,), (BOB,), (5, 3), subs={EVE: ANN}),
        *game(1, 2, (ANN,), (CID,), (5, 8)),
        *game(1, 3, (BOB,), (CID,), (7, 1)),
    ]
    rows = table(played, order="points", ties=("head_to_head",))
    assert places(rows) == [(1, "Ann"), (2, "Bob"), (3, "Cid")]
    (tie,) = ties_of(rows)
    assert tie_line(tie, NAMES) == (
        "Ann and Bob are tied in total points (10). Tie broken by head to head (wins minus losses): Ann +1 and Bob −1."
    )


def test_handicap_worked_by_hand() -> None:
    """The handicap is half the gap to the best average of earlier nights, rounded down, at most three points per game.

    On night 1, Ann scores 20 and Bob 13. On night 2, Bob gets half of 7, which is 3. Cid is new and gets nothing. Ann
    scores 10, Bob 12 and Cid 6. On night 3, the averages are 15, 12½ and 6. Bob gets half of 2½, which is 1. Cid gets
    3, because half of 9 is 4 and the limit is 3.
    """
    played = [
        *game(1, 1, (ANN,), (BOB,), (20, 13)),
        *game(2, 2, (ANN,), (BOB,), (10, 12)),
        *game(2, 3, (DEE,), (CID,), (6, 6), drawn=True),
        *game(3, 4, (CID,), (BOB,), (1, 2)),
        *game(3, 5, (CID,), (ANN,), (4, 5)),
    ]
    rows = {
        row.person: row for row in table(played, order="points", handicap="share", handicap_percent=50, handicap_cap=3)
    }
    assert [night.handicap for night in rows[ANN].nights] == [0, 0, 0]
    assert [night.handicap for night in rows[BOB].nights] == [0, 3, 1]
    assert [(night.handicap, int(night.points)) for night in rows[CID].nights] == [(0, 6), (6, 11)]
    assert (int(rows[BOB].points), rows[BOB].difference) == (31, -4)


def test_one_lucky_night_does_not_set_the_best_average() -> None:
    """The average of a player who attended fewer than half of the nights is ignored when the handicap is calculated.

    Cid scored 30 on one of three nights, so on night 4 the best average is Ann's 10.
    """
    played = [
        *game(1, 1, (CID,), (DEE,), (30, 1)),
        *(record for night in (1, 2, 3) for record in game(night, 10 + night, (ANN,), (BOB,), (10, 6))),
        *game(4, 20, (ANN,), (BOB,), (10, 6)),
    ]
    rows = table(played, order="points", handicap="share", handicap_percent=100, handicap_cap=99)
    assert {row.person: [night.handicap for night in row.nights] for row in rows} == {
        # After night 1 Cid had played on every night so far, after night 2 on half of them.
        ANN: [0, 20, 20, 0],
        BOB: [0, 24, 24, 4],
        CID: [0],
        DEE: [0],
    }


def test_fixed_partners_with_a_substitute() -> None:
    """If a substitute plays in a team, the game counts for the regular team, the substitute's team, or both.

    The season's settings decide. Ann plays one game with Cid and one with Eve, who is Cid's substitute. The bye of Ann
    and Cid counts once.
    """
    played = [
        *game(1, 1, (ANN, CID), (BOB, DEE), (21, 14), sets=(1, 2)),
        *game(1, 2, (EVE, ANN), (BOB, DEE), (10, 16), subs={EVE: CID}),
        bye(1, 3, ANN, CID),
        bye(1, 3, CID, ANN),
    ]
    settings: dict[str, Any] = {"order": "points", "bye": "points", "bye_points": 4}
    for subs, points in (
        ("regular", {(ANN, CID): 35, (BOB, DEE): 30}),
        ("sub", {(ANN, CID): 25, (ANN, EVE): 10, (BOB, DEE): 30}),
        ("both", {(ANN, CID): 35, (ANN, EVE): 10, (BOB, DEE): 30}),
    ):
        rows = team_standings(played, StandingSettings(**settings, subs=subs), season="")
        assert {row.unit: row.points for row in rows} == points
    assert team_standings(played, StandingSettings(), season="")[0].sets == 1


def test_lines_for_a_message() -> None:
    rows = table(TWO_GAMES, min_games=2)
    assert chat_lines(rows, NAMES, "per_game") == (
        "1. Cid 21.50 · 2–0",
        "2. Ann 20.50 · 1–1",
        "3. Dee 18.00 · 1–1",
        "4. Bob 17.00 · 0–2",
        "Not ranked yet: Eve and Fay",
    )
    drawn = table(game(1, 1, (ANN,), (BOB,), (-1, -4), drawn=True), order="wins", ties=("point_difference",))
    assert chat_lines(drawn, NAMES, "wins") == ("1. Ann 0–0–1 · −1", "2. Bob 0–0–1 · −4")


def test_no_games_give_no_standings() -> None:
    assert table([]) == ()
    assert team_standings([], StandingSettings(), season="") == ()


def test_marks_tell_shared_ranks_from_broken_ties() -> None:
    """Tied players are marked with "*" if a tie-breaker decided their ranks.

    Players who share a rank are marked with "=".
    """
    assert tie_marks(table(TIED_ON_POINTS, order="points", ties=("wins",))) == ("*", "*", "", "")
    shared = table(TIED_ON_POINTS, order="points", ties=())
    assert [row.place for row in shared] == [1, 1, 3, 4]
    assert tie_marks(shared) == ("=", "=", "", "")


@pytest.mark.parametrize("order", ORDERS)
def test_the_column_that_decides_the_rank_comes_first(order: str) -> None:
    first, *others = columns_of(StandingSettings(order=order), ())
    assert first.order == order
    assert len({first.name, *(column.name for column in others)}) == len(others) + 1
