"""Games of three or four teams of two, from the new-game page to settling up (RULES 7 and 8)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.support.game import bid, check, path_of, points, save, start, totals, undo
from tests.support.game_steps import import_record
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.page import Page
    from tests.support.phone import Phone

SIX = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay")
EIGHT = (*SIX, "Gus", "Hal")
THREE_TEAMS = ["A Ann and Dee", "B Bob and Eve", "C Cid and Fay"]
FOUR_TEAMS = ["A Ann and Eve", "B Bob and Fay", "C Cid and Gus", "D Dee and Hal"]


def begin(phone: Phone, names: Sequence[str] = SIX, seating: str = "6p3", **rules: object) -> Page:
    return start(phone, names, preset="ten-point-52", seating=seating, dealer=len(names) - 1, rules=rules)


def ten(phone: Phone, board: Page, seat: int, value: int | str, told: str) -> Page:
    """Play a hand of ten-point pitch in which the player in `seat` bids `value`, and return the board.

    `told` has the letter of the side that won each point, in this order: ace, jack, off jack, high joker, low joker,
    ten, two, three.
    """
    return save(phone, check(phone, bid(phone, board, seat, value), points(told, "ten-point-52")))


def sides(board: Page) -> list[str]:
    return [words(side) for side in board.all("p", class_="side")]


def test_the_new_game_page_tells_the_teams_apart(client: Phone) -> None:
    """If players can form teams in several ways, each choice gives the number of teams and of players in a team."""
    page = client.submit(client.see("/games/new"), "/games/new", 200, choose="ten-point-52")
    offered = {str(button.get("value")): words(button) for button in page.all("button", name="seating_choice")}
    assert {value: offered[value] for value in ("4p", "6p", "6p3", "8p", "8p4", "8")} == {
        "4p": "4 players, partners",
        "6p": "6 players, 2 teams of 3",
        "6p3": "6 players, 3 teams of 2",
        "8p": "8 players, 2 teams of 4",
        "8p4": "8 players, 4 teams of 2",
        "8": "8 players, solo",
    }
    page = client.submit(page, "/games/new", 200, seating_choice="6p3", **{"name-0": "Ann", "name-3": "Dee"})
    assert "Seat 1 (partner: seat 4)" in page.text
    assert "Seat 3 (partner: seat 6)" in page.text
    assert len(page.all("input", name="team-2")) == 1
    page = client.submit(page, "/games/new", 200, seating_choice="8p")
    assert "Seat 1 (partners: seats 3, 5 and 7)" in page.text
    page = client.submit(page, "/games/new", 200, seating_choice="8p4")
    text = client.submit(page, "/games/new", 200, draw="partners").text
    assert text.partition("New partners: ")[2].partition(".")[0].count(";") == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seating", "names", "teams"),
    [
        ("6p", SIX, ["A Ann, Cid and Eve", "B Bob, Dee and Fay"]),
        ("6p3", SIX, THREE_TEAMS),
        ("8p", EIGHT, ["A Ann, Cid, Eve and Gus", "B Bob, Dee, Fay and Hal"]),
        ("8p4", EIGHT, FOUR_TEAMS),
    ],
)
def test_each_seating_starts_a_game_with_its_teams(
    client: Phone, seating: str, names: Sequence[str], teams: list[str]
) -> None:
    """The seating chosen for a new game decides the teams. The teams stay the same if the game's record is imported.

    The form for the next new game has the same seating selected.
    """
    board = begin(client, names, seating)
    assert sides(board) == teams
    assert client.see("/games/new").form("/games/new").values["seating"] == seating
    exported = client.get(f"{path_of(board)}/record.json").get_json(force=True)
    assert sides(import_record(client, exported)) == teams


def test_three_teams_of_two(client: Phone, other: Phone) -> None:
    """A game of three teams of two shows the right scores after each hand, after a set, and after an undo.

    The board, the score sheet, the watchers' page and the TV page all show the same scores.
    """
    board = begin(client)
    board = ten(client, board, 3, 6, "AABACACA")  # Dee bids for Ann and Dee: 7, Bob and Eve 1, Cid and Fay 2
    assert totals(board) == ["7", "1", "2"]
    board = ten(client, board, 4, 5, "BCBAACCA")
    assert totals(board) == ["12", "−4", "5"]
    assert totals(undo(client, board)) == ["7", "1", "2"]
    board = ten(client, client.see(board.path), 4, 5, "BCBAACCA")
    watched = path_of(board).replace("/games/", "/watch/")
    for path in (watched, f"{watched}/tv"):
        assert other.see(path).h1 == "Ann and Dee 12, Bob and Eve -4, Cid and Fay 5"
    state = json.loads(str(client.get(f"{path_of(board)}/kit.json").data, "utf-8"))["state"]
    assert state["table"]["sides"] == [[0, 3], [1, 4], [2, 5]]
    assert state["table"]["side_of"] == [0, 1, 2, 0, 1, 2]
    assert state["totals"] == [12, -4, 5]
    paper = client.see(f"{path_of(board)}/sheet")
    assert [words(item) for item in paper.one("ul", class_="who-plays")] == THREE_TEAMS


def test_a_failed_moon_gives_the_game_to_the_highest_other_team(client: Phone) -> None:
    """After a failed moon (a bid of all points), the other team with the highest score wins (RULES 8).

    The payments of each team are split between its partners (RULES 9).
    """
    board = ten(client, begin(client), 2, 9, "CCCCCCBC")
    assert totals(board) == ["0", "1", "9"]
    board = ten(client, board, 5, "moon", "CCCCCCBC")
    assert totals(board) == ["0", "2", "−1"]
    assert "Bob and Eve win" in board.text
    assert "Cid and Fay bid a moon and missed it. Of the others, Bob and Eve have the high score, 2." in board.text
    address = f"{path_of(board)}/settlement"
    page = client.submit(client.see(address), address, method="pairwise", rate="0.50")
    rows = [" ".join(map(words, row)) for row in page.one("table", class_="payments").findall("tbody/tr")]
    # 2 − 0 and 2 + 1 at 50 cents: $2.50 for two; 0 − 2 and 0 + 1: −$0.50; −3 − 1: −$2.00.
    assert rows == [
        "A Ann pays $0.25",
        "B Bob gets $1.25",
        "C Cid pays $1.00",
        "A Dee pays $0.25",
        "B Eve gets $1.25",
        "C Fay pays $1.00",
    ]


def test_a_failed_moon_with_the_others_tied_has_no_winner(client: Phone) -> None:
    """If a moon (a bid of all points) fails and the other teams are tied, nobody wins and nobody has to pay.

    The board and the list of games both say "Tied game", and so does a phone without a signal. If the game's record is
    imported, the new game has the same totals.
    """
    board = begin(client, EIGHT, "8p4")
    board = ten(client, board, 3, "moon", "ABCDDDDD")
    assert totals(board) == ["1", "1", "1", "−10"]
    assert words(board.one("div", class_="end").findall("h2")[0]) == "Tied game"
    assert client.get(f"{path_of(board)}/kit.json").get_json(force=True)["words"]["tied"] == "Tied game"
    assert "Dee and Hal bid a moon and missed it. The others are tied, so nobody wins." in board.text
    assert "Settle up" not in [words(link) for link in board.all("a")]
    exported = client.get(f"{path_of(board)}/record.json").get_json(force=True)
    assert totals(import_record(client, exported)) == ["1", "1", "1", "−10"]
    assert "Tied game" in client.see("/").text


def test_four_teams_play_to_the_end(client: Phone) -> None:
    board = begin(client, EIGHT, "8p4", target=12)
    board = ten(client, board, 1, 6, "BBBBBBAC")
    assert totals(board) == ["1", "6", "3", "0"]
    board = ten(client, board, 5, 5, "BBBBBBAD")
    assert totals(board) == ["2", "12", "3", "3"]
    assert "Bob and Fay win" in board.text
    assert sides(client.submit(board, f"{path_of(board)}/rematch")) == FOUR_TEAMS


def test_eight_alone_have_a_color_and_a_shape_each(client: Phone) -> None:
    """Eight solo players each have a different color in the chart at the end of the game.

    The TV page and the shareable picture also work with eight sides.
    """
    board = begin(client, EIGHT, "8", target=15)
    for _hand in range(3):
        board = ten(client, board, 7, 5, "HHABCDEH")
    assert sides(board)[-1] == "H Hal"
    assert "Hal wins" in board.text
    lines = board.one("ul", class_="key").findall("li")
    assert [line.get("class") for line in lines[:8]] == [f"s{side}" for side in range(8)]
    watched = path_of(board).replace("/games/", "/watch/")
    assert "H Hal 15" in client.see(f"{watched}/tv").text
    assert client.get(f"{watched}/score.png").status_code == 200


def test_the_rule_card_tells_the_teams_and_the_cards(client: Phone) -> None:
    """The rule card of ten-point pitch names the possible teams and the number of cards.

    The card marks the rule for a failed moon with more than two sides as this app's own decision.
    """
    card = client.see("/rules/ten-point-52")
    for told in (
        "4, 6 or 8 players, partners; or 2 to 8 players, solo; or 5 players, bidder calls a partner.",
        "With 6 players: 2 teams of 3 or 3 teams of 2.",
        "With 8 players: 2 teams of 4 or 4 teams of 2.",
        "Deal 9 cards to each player. With 7 or 8 players, deal 6 to each.",
        "The highest score of the other sides wins, even below 52; if they tie for it, nobody wins.",
    ):
        assert told in card.text
    marked = [words(line) for line in card.all("li") if "In this app" in words(line)]
    assert [line for line in marked if "With more than two sides" in line]
    assert "With more than two sides" not in client.see("/rules/smear-52").text


@pytest.mark.parametrize(
    ("final", "ended_by", "winner", "says"),
    [
        ([4, 6, -9], "moon", 1, "Bob and Eve won because a moon was missed."),
        ([5, 5, -9], "moon", None, "A moon was missed with the others tied."),
        ([10, 52, 3], "moon", 1, "Bob and Eve shot the moon."),
    ],
)
def test_a_final_score_after_a_moon(
    client: Phone, final: list[int], ended_by: str, winner: int | None, says: str
) -> None:
    record = {
        "format": "scorekeeper-game/1",
        "ruleset": {"preset": "ten-point-52"},
        "players": list(SIX),
        "sides": [[0, 3], [1, 4], [2, 5]],
        "first_dealer": 5,
        "final": final,
        "winner": winner,
        "ended_by": ended_by,
    }
    assert says in import_record(client, record).text
