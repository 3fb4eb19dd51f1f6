"""The points step learns guesses only from the phone's own games, and saves only winners that a person has seen."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from scorekeeper.games.logic import default_points
from scorekeeper.games.services import house_rules
from tests.support.game import CLEAN, bid, path_of, play_all, points, start, totals, undo
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.page import Page
    from tests.support.phone import Phone

ODD = "BA-B"
"""Winners of High, Low, Jack and Game in the hands of these tests; "-" means nobody.

The bidder is in seat 1, on side B. Unlike most bidders, this one doesn't take Low.
"""


@pytest.fixture(autouse=True)
def few_hands_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the app learn guesses from as few as three hands with the same bid.

    The app's clock is replaced too, so that guesses are calculated anew for each request.
    """
    monkeypatch.setattr(default_points, "ENOUGH", 3)
    monkeypatch.setattr(house_rules, "datetime", _Clock)


class _Clock(datetime):
    """A clock that moves on by a day each time it is read."""

    noon = datetime(2025, 11, 20, tzinfo=UTC)

    @classmethod
    def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
        cls.noon += timedelta(days=1)
        return cls.noon


def _guessed(step: Page) -> dict[str, str]:
    """Return a dict that maps each point to the winner that is filled in on a points step."""
    values = step.form(f"{path_of(step)}/hands").values
    return {key: str(values[key]) for key in ("high", "low", "jack", "game") if key in values}


def _learn(phone: Phone) -> Page:
    """Play three hands with the winners `ODD`, and return the points step of a fourth hand with the same bid."""
    return bid(phone, play_all(phone, start(phone), [(1, 2, ODD)] * 3), 1, 2)


def test_the_guess_follows_the_phones_own_hands(client: Phone) -> None:
    usual = _guessed(bid(client, start(client), 1, 2))
    assert usual == points("BB-B")
    assert _guessed(_learn(client)) == points(ODD)


def test_a_game_of_other_rules_is_not_learned_from(client: Phone) -> None:
    _learn(client)
    assert _guessed(bid(client, start(client, preset="pitch-11", seating="4p"), 1, 2)) == points("BB-B")


def test_another_phones_hands_are_not_learned_from(client: Phone, new_phone: Callable[[], Phone]) -> None:
    _learn(client)
    other = new_phone()
    assert _guessed(bid(other, start(other), 1, 2)) == points("BB-B")


def test_own_hands_change_the_chances(client: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a phone has enough hands, the chances in its games follow from them as well, and the page says so."""
    address = f"{path_of(play_all(client, start(client), CLEAN))}/odds"
    usual = client.see(address)
    assert "count, too" not in usual.text
    monkeypatch.setattr(house_rules, "ENOUGH", len(CLEAN))
    own = client.see(address)
    assert f"Your table's {len(CLEAN)} latest hands count, too." in own.text
    assert [words(cell) for cell in own.all("td")] != [words(cell) for cell in usual.all("td")]


def test_undone_hands_are_not_learned_from(client: Phone) -> None:
    board = undo(client, play_all(client, start(client), [(1, 2, ODD)] * 3))
    assert _guessed(bid(client, board, 1, 2)) == points("BB-B")


def test_the_hand_on_the_page_is_saved_even_if_the_guess_changed_since(client: Phone) -> None:
    """A hand is saved with the winners that its page shows, even if a newly loaded page would show another guess.

    The guess can change because the same phone finishes other games meanwhile.
    """
    step = bid(client, start(client), 1, 2)
    shown = _guessed(step)
    seen = next(field.get("data-seen") for field in step.all("input") if field.get("name") == "seen")
    _learn(client)
    assert _guessed(client.see(path_of(step))) != shown
    saved = client.submit(step, f"{path_of(step)}/hands", mode="points", seen=seen)
    assert totals(saved) == ["0", "3"]


def test_a_hand_without_winners_is_refused_and_never_filled_in(client: Phone) -> None:
    """If a hand is sent without winners, it is refused. The server doesn't fill in the guesses that the page showed."""
    step = bid(client, start(client), 1, 2)
    values = step.form(f"{path_of(step)}/hands").values
    bare = {key: value for key, value in values.items() if key not in ("high", "low", "jack", "game")}
    answer = client.post(f"{path_of(step)}/hands", data={**bare, "mode": "points", "sure": "1"})
    assert answer.status_code == 422
    assert totals(client.see(path_of(step))) == ["0", "0"]
