"""The series score, which is the number of games that each side won. It is counted from the games and never stored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.games.queries import snapshot_of
from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.games.store.series import Won, count_won
from scorekeeper.rules import commands
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.table import set_table
from tests.support.game import FOUR, play, start, undo
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

SHORT = {"target": 3}


def win(phone: Phone, board: Page, side: int) -> Page:
    """Play one hand in which `side` (0 or 1) wins a game to 3, and return the board."""
    return play(phone, board, side, 4, "AB"[side] * 4)


def again(phone: Phone, over: Page) -> Page:
    """Tap "Play again" and return the board of the next game."""
    return phone.submit(over, f"{over.path}/rematch")


def tally(page: Page) -> str:
    """Return the score of the series as the board shows it, or "" if the board shows none."""
    found = [words(line) for line in page.tree.iter("p") if words(line).startswith("Series")]
    assert len(found) <= 1
    return found[0] if found else ""


@pytest.fixture
def board(client: Phone) -> Page:
    """Return the board of a game that one hand decides."""
    return start(client, rules=SHORT)


def test_games_are_counted_from_the_second_on(client: Phone, other: Phone, board: Page) -> None:
    """From the second game on, every game of the series shows the series score, to scorers and to watchers."""
    first = win(client, board, 0)
    assert tally(first) == ""
    second = again(client, first)
    assert tally(second) == "Series: Ann and Cid 1, Bob and Dee 0"
    over = win(client, second, 1)
    assert tally(over) == "Series: Ann and Cid 1, Bob and Dee 1"
    third = win(client, again(client, over), 0)
    said = "Series: Ann and Cid 2, Bob and Dee 1"
    for path in (board.path, second.path, third.path, third.path.replace("games", "watch")):
        assert tally(other.see(path)) == said


def test_another_game_is_another_series(client: Phone, board: Page) -> None:
    """A game that isn't a rematch starts a new series, even with the same names."""
    win(client, again(client, win(client, board, 0)), 0)
    assert tally(win(client, start(client, rules=SHORT), 0)) == ""


def test_a_rematch_from_the_first_page_counts(client: Phone, board: Page) -> None:
    win(client, board, 0)
    assert tally(client.submit(client.see("/"), "/games/again")) == "Series: Ann and Cid 1, Bob and Dee 0"


def test_later_changes_count(client: Phone, board: Page) -> None:
    """If the end of an earlier game is undone or changed, the boards of all games in the series show the new score."""
    first = win(client, board, 0)
    second = win(client, again(client, first), 0)
    assert tally(second) == "Series: Ann and Cid 2, Bob and Dee 0"
    reopened = undo(client, client.see(first.path))
    assert tally(client.see(second.path)) == "Series: Ann and Cid 1, Bob and Dee 0"
    assert tally(reopened) == "Series: Ann and Cid 1, Bob and Dee 0"
    win(client, reopened, 1)
    assert tally(client.see(second.path)) == "Series: Ann and Cid 1, Bob and Dee 1"


@pytest.mark.slow
def test_watchers_see_a_changed_series(client: Phone, other: Phone, board: Page) -> None:
    """If an earlier game of the series changes or is deleted, a watcher's browser gets a new page instead of a 304."""
    first = win(client, board, 0)
    second = again(client, first)
    address = second.path.replace("games", "watch")
    kept = other.get(address).headers["ETag"]
    assert other.get(address, headers={"If-None-Match": kept}).status_code == 304
    undo(client, client.see(first.path))
    fresh = other.get(address, headers={"If-None-Match": kept})
    assert fresh.status_code == 200
    assert "Series" not in fresh.text
    client.submit(client.see(f"{first.path}/table"), f"{first.path}/deletion")
    assert other.get(address, headers={"If-None-Match": fresh.headers["ETag"]}).status_code == 200


def test_a_deleted_game_does_not_count(client: Phone, board: Page) -> None:
    """A deleted game doesn't count in its series. If the game is restored, it counts again."""
    first = win(client, board, 0)
    second = win(client, again(client, first), 1)
    third = win(client, again(client, second), 1)
    client.submit(client.see(f"{second.path}/table"), f"{second.path}/deletion")
    assert tally(client.see(third.path)) == "Series: Ann and Cid 1, Bob and Dee 1"
    client.submit(client.see("/"), f"{second.path}/deletion/void")
    assert tally(client.see(third.path)) == "Series: Ann and Cid 1, Bob and Dee 2"


def test_a_game_without_a_winner_does_not_count(client: Phone, board: Page) -> None:
    """A conceded game counts in the series score. A game that was stopped without a winner doesn't count."""
    second = again(client, win(client, board, 0))
    stopped = client.submit(client.see(f"{second.path}/table"), f"{second.path}/abandonment", sure="1")
    third = again(client, stopped)
    assert tally(third) == "Series: Ann and Cid 1, Bob and Dee 0"
    client.submit(client.see(f"{third.path}/table"), f"{third.path}/concession", sure="1", winner="1")
    assert tally(client.see(third.path)) == "Series: Ann and Cid 1, Bob and Dee 1"


def test_a_substitute_is_another_side(client: Phone, board: Page) -> None:
    """If Eve replaces Bob in the second game of a series, that game doesn't count for the side of Bob and Dee.

    When Bob returns for the third game, the count of Bob and Dee continues.
    """
    second = again(client, win(client, board, 1))
    client.submit(client.see(f"{second.path}/table"), f"{second.path}/seats", seat="1", name="Eve")
    second = win(client, client.see(second.path), 1)
    assert tally(second) == "Series: Ann and Cid 0, Eve and Dee 1"
    third = again(client, second)
    client.submit(client.see(f"{third.path}/table"), f"{third.path}/seats", seat="1", name="Bob")
    third = win(client, client.see(third.path), 1)
    assert tally(third) == "Series: Ann and Cid 0, Bob and Dee 2"


def test_a_renamed_player_is_the_same_player(client: Phone, board: Page) -> None:
    """When a player's name is corrected in the second game, the first game still counts for that player."""
    second = again(client, win(client, board, 1))
    names: dict[str, Any] = {"name-0": "Ann", "name-1": "Robert", "name-2": "Cid", "name-3": "Dee"}
    client.submit(client.see(f"{second.path}/table"), f"{second.path}/names", **names)
    third = again(client, win(client, client.see(second.path), 0))
    assert tally(third) == "Series: Ann and Cid 1, Robert and Dee 1"
    assert tally(client.see(board.path)) == "Series: Ann and Cid 1, Bob and Dee 1"


def test_another_night_is_another_series(app: Flask) -> None:
    """Twelve hours after the last change to a game, "Play again" starts a new series."""
    rules = with_options(PRESETS["setback-21"], SHORT)
    evening = datetime(2026, 3, 1, 20, tzinfo=UTC)
    wins = commands.EnterHand({"bidder": 0, "bid": 4, "taken": [4, 0]})
    with app.app_context():
        sides = set_table(rules, 4).sides
        game = scoring.start_game(
            rules=rules, names=FOUR, sides=sides, first_dealer=3, request=ClientRequest("me", "start"), now=evening
        )
        for number, (hours, expected) in enumerate([(1, (2, 0)), (11.9, (3, 0)), (12, ()), (1, (2, 0))]):
            scoring.act(public_id=game, command=wins, request=ClientRequest("me", f"win-{number}"), now=evening)
            evening += timedelta(hours=hours)
            game = scoring.rematch(public_id=game, request=ClientRequest("me", f"again-{number}"), now=evening)
            scoring.act(public_id=game, command=wins, request=ClientRequest("me", f"also-{number}"), now=evening)
            assert snapshot_of(game, "me").tally == expected
            scoring.act(
                public_id=game, command=commands.Undo(), request=ClientRequest("me", f"undo-{number}"), now=evening
            )


def test_only_games_of_the_same_sides_count() -> None:
    """A game counts in the series score only if the same two sides played it, in either order.

    The same people with other partners are different sides.
    """
    us, them, mixed, others = frozenset({1, 3}), frozenset({2, 4}), frozenset({1, 2}), frozenset({3, 4})
    games = [Won((us, them), 0), Won((them, us), 0), Won((them, us), 1), Won((mixed, others), 0)]
    assert count_won((us, them), games) == (2, 1)
    assert count_won((them, us), games) == (1, 2)
    assert count_won((mixed, others), games) == (1, 0)
    assert count_won((us, them), []) == (0, 0)


def players(phone: Phone, board: Page) -> tuple[list[str], int]:
    record = phone.get(f"{board.path}/record.json").get_json()
    return record["players"], record["first_dealer"]


def test_playing_again_with_partners_swapped_goes_through_all_partnerships(client: Phone, board: Page) -> None:
    """The deal stays with the person whose turn it is, and the series counts the games of the same two sides."""
    met, dealt = [], []
    for _ in range(4):
        over = win(client, board, 0)
        board = client.submit(over, f"{over.path}/rematch/seats", seats="swap")
        names, dealer = players(client, board)
        met.append({frozenset((names[0], names[2])), frozenset((names[1], names[3]))})
        dealt.append(names[dealer])
    assert [
        frozenset(("Ann", partner)) in each for partner, each in zip(("Bob", "Dee", "Cid", "Bob"), met, strict=True)
    ] == [True] * 4
    assert dealt[0] == "Ann"
    assert len(tally(board)) > 0


def test_a_draw_keeps_the_players_and_the_series(client: Phone) -> None:
    over = win(client, start(client, ("Ann", "Bob", "Cid"), seating="3", rules=SHORT), 0)
    drawn = client.submit(over, f"{over.path}/rematch/seats", seats="seats")
    names, dealer = players(client, drawn)
    assert sorted(names) == ["Ann", "Bob", "Cid"]
    assert names[dealer] == "Bob"
    assert "Ann 1" in tally(drawn)
    pairs = win(client, start(client, rules=SHORT), 0)
    assert sorted(players(client, client.submit(pairs, f"{pairs.path}/rematch/seats", seats="partners"))[0]) == sorted(
        FOUR
    )


def test_a_team_keeps_its_name_only_with_its_players(client: Phone) -> None:
    page = client.see("/games/new")
    fields = {"rule-target": 3, "team-0": "Owls", **{f"name-{seat}": name for seat, name in enumerate(FOUR)}}
    sent = page.form("/games/new").values | {name: str(value) for name, value in fields.items()}
    over = win(client, client.see(client.post("/games", data=sent).location), 0)
    assert "Owls" in client.submit(over, f"{over.path}/rematch").h1
    assert "Owls" not in client.submit(client.see(over.path), f"{over.path}/rematch/seats", seats="swap").h1


def test_other_ways_to_sit_down_are_refused(client: Phone, board: Page) -> None:
    over = win(client, board, 0)
    client.submit(over, f"{over.path}/rematch/seats", 422, seats="upside down")
