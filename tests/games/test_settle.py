"""Settling up after a game, which shows what each player gets or pays, to the cent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.games.views.reports import COOKIE, MOST
from tests.support.game import CLEAN, contents, path_of, play, play_all, start
from tests.support.game_steps import import_record, problem
from tests.support.page import Page, way_named, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask

    from tests.support.phone import Phone

RATES = {"rate": "0.25", "base": "1.00", "per_set": "0.30"}
FINAL = {
    "format": "scorekeeper-game/1",
    "ruleset": {"preset": "setback-21"},
    "first_dealer": 3,
    "final": [21, 13],
    "players": ["Ann", "Bob", "Cid", "Dee"],
}


def hand(bidder: int, bid: int, *taken: int) -> dict[str, Any]:
    """Return a hand as a dict in the format of a game record.

    `bidder` is a seat from 0. `taken` has the points that each side took, in order of the sides.
    """
    return {"bidder": bidder, "bid": bid, "taken": list(taken)}


def finished(phone: Phone, players: Sequence[str], hands: Sequence[dict[str, Any]], **ruleset: Any) -> Page:
    """Import a finished game and return its board.

    `hands` are in the format of a game record. `ruleset` has the fields of the record's ruleset.
    """
    return import_record(
        phone,
        {
            "format": "scorekeeper-game/1",
            "ruleset": ruleset,
            "players": list(players),
            "first_dealer": len(players) - 1,
            "hands": list(hands),
        },
    )


@pytest.fixture
def three(client: Phone) -> Page:
    """Return the board of a game of three players in which Ann has 8, Bob 2 and Cid −2.

    Ann won, Bob was set once and Cid twice.
    """
    hands = [
        hand(1, 3, 0, 2, 1),  # Bob set: 0 −3 1
        hand(2, 2, 1, 2, 1),  # Cid set: 1 −1 −1
        hand(2, 2, 0, 3, 1),  # Cid set: 1 2 −3
        hand(0, 3, 3, 0, 1),  # Ann made: 4 2 −2
        hand(0, 4, 4, 0, 0),  # Ann made: 8 2 −2
    ]
    return finished(client, ("Ann", "Bob", "Cid"), hands, preset="setback-7")


@pytest.fixture
def partners(client: Phone, board: Page) -> Page:
    """Return the board of a game that Ann and Cid won, 24 to −3, in which Bob was set once."""
    return play_all(client, play(client, board, 1, 3, "BB--"), CLEAN)


def settle(phone: Phone, board: Page, method: str, status: int = 303, **rates: str) -> Page:
    """Send the form for settling up after a game, and return the next page.

    `method` is the key of a payment method, such as "pairwise". `rates` are amounts that replace those in `RATES`, and
    `status` is the expected status.
    """
    address = f"{path_of(board)}/settlement"
    return phone.submit(phone.see(address), address, status, method=method, **{**RATES, **rates})


def settle_night(phone: Phone, board: Page, status: int = 303, **stakes: str) -> Page:
    """Send the form for settling all games of an evening, and return the next page."""
    address = f"{path_of(board)}/evening/settlement"
    return phone.submit(phone.see(address), address, status, **stakes)


def stakes_of(phone: Phone, address: str) -> dict[str, object]:
    """Return what the form for settling up at `address` starts with."""
    values = phone.see(address).form(address).values
    return {key: value for key, value in values.items() if key != "csrf_token"}


def amounts(page: Page) -> list[str]:
    """Return a line of text for each player, in order of the seats.

    A line has the side's letter, the player's name, and what the player gets or pays.
    """
    rows = page.one("table", class_="payments").findall("tbody/tr")
    return [" ".join(words(cell) for cell in row) for row in rows]


def cents(page: Page, sign: str = "$") -> list[int]:
    """Return each player's amount in cents, in order of the seats, negative for a player who pays.

    `sign` is the currency sign.
    """
    said = [line.split()[-2:] for line in amounts(page)]
    return [(-1 if way == "pays" else 1) * int(re.sub(rf"[{sign}.,]", "", text)) for way, text in said]


def test_it_is_offered_at_the_end_and_asks_first(client: Phone, three: Page) -> None:
    """After the end of a game, the page "Settle up" first asks for a payment method and rates.

    The page doesn't show any amounts at first.
    """
    assert "Settle up" in [words(a) for a in three.all("a")]
    page = client.see(f"{three.path}/settlement")
    assert page.h1 == "Settle up"
    assert not page.all("table")
    values = stakes_of(client, f"{three.path}/settlement")
    assert values == {"currency": "USD", "rate": "0.25", "base": "1.00", "per_set": "0.25"}


def test_it_is_not_offered_before_the_end(client: Phone, board: Page) -> None:
    board = play(client, board, 0, 3, "AAAB")
    assert "Settle up" not in [words(a) for a in board.all("a")]
    page = settle(client, board, "pairwise", 422)
    assert problem(page) == "Nobody has won yet, so there's nothing to settle."
    assert not page.all("table")


def test_a_game_without_a_winner_has_nothing_to_settle(client: Phone, board: Page) -> None:
    table = client.see(f"{board.path}/table")
    over = client.submit(table, f"{board.path}/abandonment", sure="1")
    assert "Settle up" not in [words(a) for a in over.all("a")]
    assert problem(settle(client, over, "vs_average", 422))


def test_head_to_head(client: Phone, three: Page) -> None:
    """RULES 9: for each pair of players, the one with less pays the rate times the difference of their scores.

    The scores are 8, 2 and −2, and the rate is 25 cents. Ann gets 6 + 10 = 16 times the rate. Bob pays 6 times the rate
    and gets 4 times the rate. Cid pays 10 + 4 = 14 times the rate.
    """
    page = settle(client, three, "pairwise")
    assert amounts(page) == ["A Ann gets $4.00", "B Bob pays $0.50", "C Cid pays $3.50"]
    assert "Payments add up to zero." in page.text


def test_versus_average(client: Phone, three: Page) -> None:
    """RULES 9: each player gets or pays the rate times the difference between their score and the average, here 8/3.

    At 25 cents, the differences 16/3, −2/3 and −14/3 are 133.33, −16.67 and −116.67 cents. The whole-cent amounts 133,
    −17 and −117 add up to −1, so Ann gets one cent more.
    """
    page = settle(client, three, "vs_average")
    assert amounts(page) == ["A Ann gets $1.34", "B Bob pays $0.17", "C Cid pays $1.17"]


def test_losers_pay_the_winner(client: Phone, three: Page) -> None:
    """RULES 9: each loser pays the base amount, and the price of a set for each time that loser was set.

    Bob pays 1.00 + 0.30, and Cid pays 1.00 + 0.60.
    """
    assert amounts(settle(client, three, "winner_takes")) == [
        "A Ann gets $2.90",
        "B Bob pays $1.30",
        "C Cid pays $1.60",
    ]


def test_a_pot_for_sets(client: Phone, three: Page) -> None:
    """RULES 9: a side that is set puts the price of a set in the pot, and the winner takes the pot."""
    assert amounts(settle(client, three, "pot_per_set")) == ["A Ann gets $0.90", "B Bob pays $0.30", "C Cid pays $0.60"]


def test_partners_share(client: Phone, partners: Page) -> None:
    """RULES 9: a side's amount is split evenly between its players, down to the cent.

    The scores 24 and −3 differ by 27. At 5 cents, each side gets or pays 1.35, and the partners' amounts add up to
    exactly 1.35.
    """
    page = settle(client, partners, "pairwise", rate="0.05")
    assert amounts(page) == ["A Ann gets $0.68", "B Bob pays $0.67", "A Cid gets $0.67", "B Dee pays $0.68"]
    assert "Ann and Cid (24) get $1.35, split as evenly as cents allow." in page.text


@pytest.mark.parametrize("method", ["vs_average", "pairwise", "winner_takes", "pot_per_set"])
@pytest.mark.parametrize("rate", ["0.01", "0.03", "0.07", "0,10", "1", "10000", "3.33"])
def test_payments_sum_to_zero(client: Phone, three: Page, method: str, rate: str) -> None:
    """RULES 9: the payments always add up to zero, whatever the rates."""
    reckoned = cents(settle(client, three, method, rate=rate, base=rate, per_set=rate))
    assert sum(reckoned) == 0
    assert any(reckoned)


def test_a_rate_of_zero(client: Phone, three: Page) -> None:
    """At a rate of zero, nobody gets or pays anything."""
    assert amounts(settle(client, three, "pairwise", rate="0")) == ["A Ann $0.00", "B Bob $0.00", "C Cid $0.00"]


@pytest.mark.parametrize(("text", "gets"), [("0.1", "$1.60"), ("0,10", "$1.60"), (" .10 ", "$1.60"), ("1.", "$16.00")])
def test_amounts_are_read_as_people_write_them(client: Phone, three: Page, text: str, gets: str) -> None:
    """A rate may have a decimal comma instead of a point, and needs no zero in front of the point."""
    assert amounts(settle(client, three, "pairwise", rate=text))[0] == f"A Ann gets {gets}"


@pytest.mark.parametrize(
    "text",
    [
        "x", "-1", "−1", "+1", "0.005", "1.234", "10000.01", "1e2", "1e999999", "1e-999999", "NaN", "sNaN", "inf",
        "1_0", "٣", "１", "1,000.00", "9" * 4000, "0x10", ".",
    ],
)  # fmt: skip
def test_invalid_amounts_are_refused(client: Phone, three: Page, text: str) -> None:
    """For an invalid rate, the page says which amounts are valid and shows no payments."""
    page = settle(client, three, "pairwise", 422, rate=text)
    assert problem(page) == "Enter an amount from 0 to 10,000, like 0.25."
    assert not page.all("table")


def test_unused_rates_are_ignored(client: Phone, three: Page) -> None:
    """Invalid rates don't matter if the chosen payment method doesn't use them.

    A pot for sets, for example, uses only the price of a set.
    """
    assert amounts(settle(client, three, "pot_per_set", rate="x", base="y"))


def test_an_unknown_method_is_refused(client: Phone, three: Page) -> None:
    assert problem(settle(client, three, "robbery", 422)) == "Choose how to settle."


def test_the_server_stores_nothing(client: Phone, app: Flask, three: Page) -> None:
    before = contents(app)
    settle(client, three, "pairwise")
    assert contents(app) == before


def test_a_watcher_may_settle_too(client: Phone, other: Phone, three: Page) -> None:
    """Any phone that can see a game's score can also see its payments."""
    assert cents(settle(other, three, "pairwise")) == cents(settle(client, three, "pairwise"))


def test_payments_have_no_sign(client: Phone, three: Page) -> None:
    page = settle(client, three, "vs_average")
    assert not re.search(r"pays\s*[−-]", page.text)


@pytest.mark.parametrize(
    ("asks", "gets"),
    [
        ("en-US,en;q=0.8", "$4.00"), ("en-CA", "CA$4.00"), ("en-GB", "£4.00"), ("fr-CA", "4,00\xa0$CA"),
        ("fr", "4,00\xa0€"), ("es-MX", "4,00\xa0MXN"), ("", "$4.00"), ("x-nonsense, *;q=0.1", "$4.00"),
    ],
)  # fmt: skip
def test_the_currency_follows_the_browser(client: Phone, three: Page, asks: str, gets: str) -> None:
    settle(client, three, "pairwise", currency="")
    answer = client.get(f"{three.path}/settlement", headers={"Accept-Language": asks})
    assert f"<b>{gets}</b>" in answer.text


@pytest.mark.parametrize(("chosen", "gets"), [("EUR", "€4.00"), ("GBP", "£4.00"), ("none", "4.00"), ("", "$4.00")])
def test_a_phone_can_choose_a_currency(client: Phone, three: Page, chosen: str, gets: str) -> None:
    client.submit(client.see("/settings"), "/settings", currency=chosen)
    assert amounts(settle(client, three, "pairwise"))[0] == f"A Ann gets {gets}"


def test_the_currency_is_chosen_where_people_settle_up(client: Phone, three: Page) -> None:
    """A currency chosen on the page for settling up is remembered there, and doesn't change the phone's setting."""
    page = settle(client, three, "pairwise", currency="EUR")
    assert amounts(page) == ["A Ann gets €4.00", "B Bob pays €0.50", "C Cid pays €3.50"]
    assert page.form(f"{three.path}/settlement").values["currency"] == "EUR"
    assert client.see("/settings").form("/settings").values["currency"] == ""
    assert amounts(settle(client, three, "pairwise", currency="none"))[0] == "A Ann gets 4.00"
    assert amounts(settle(client, three, "pairwise", currency="<b>"))[0] == "A Ann gets $4.00"


def test_yen_have_no_cents(client: Phone, three: Page) -> None:
    """Rates and payments in yen are whole numbers."""
    page = settle(client, three, "pairwise", currency="JPY", rate="25")
    assert amounts(page) == ["A Ann gets ¥400", "B Bob pays ¥50", "C Cid pays ¥350"]
    assert problem(settle(client, three, "pairwise", 422, currency="JPY", rate="0.25")).endswith("like 25.")


def test_partners_share_yen_that_add_up(client: Phone, partners: Page) -> None:
    page = settle(client, partners, "pairwise", currency="JPY", rate="5")
    assert sum(cents(page, "¥")) == 0
    assert "split as evenly as possible" in page.text


def test_a_phone_from_japan_is_offered_yen(client: Phone, three: Page) -> None:
    page = Page(client.get(f"{three.path}/settlement", headers={"Accept-Language": "ja-JP,en;q=0.5"}))
    values = page.form(f"{three.path}/settlement").values
    values.pop("csrf_token")
    assert values == {"currency": "JPY", "rate": "25", "base": "100", "per_set": "25"}


def test_the_night_is_settled_in_as_few_payments_as_possible(client: Phone) -> None:
    """All games of the evening count together, and the page is reached from the page that shares it."""
    over = play_all(client, start(client), CLEAN)
    for side in (0, 0, 1):
        over = client.submit(over, f"{over.path}/rematch/seats", seats="swap")
        over = play_all(client, over, ((side, 4, "AB"[side] * 4),) * 6)
    evening = client.see(f"{over.path}/evening")
    assert way_named(evening, "Settle the night") == f"{over.path}/evening/settlement"
    page = settle_night(client, over, method="winner_takes", base="1.00", per_set="0", currency="USD")
    rows = [words(row) for row in page.one("table").findall("tbody/tr")]
    # Ann won with Cid, Bob and Dee, and lost with Cid; each loss costs a player 50 cents.
    assert rows[0] == "Anngets $1.00"
    told = [words(line) for line in page.all("b") if " pays " in words(line)]
    assert len(told) == len([row for row in rows if "$0.00" not in row]) - 1
    games = [words(line) for line in page.all("li") if words(line)[0].isdigit()]
    assert [line[:2] for line in games] == ["1.", "2.", "3.", "4."]


def test_a_night_says_what_was_not_settled(client: Phone) -> None:
    """A game in progress has no winner, and nobody knows the sets of a game with only a final score."""
    over = import_record(client, FINAL)
    client.submit(over, f"{over.path}/rematch")
    page = settle_night(client, over, method="winner_takes", base="2", per_set="1", currency="USD")
    assert "Final score only, so its sets aren't known." in page.text
    assert "In progress" in page.text
    assert "Not settled." in page.text
    assert [words(line) for line in page.all("b") if " pays " in words(line)] == [
        "Bob pays Ann $1.00.",
        "Dee pays Cid $1.00.",
    ]


def test_a_night_without_a_winner_and_wrong_amounts_are_refused(client: Phone) -> None:
    board = start(client)
    for stakes in ({"method": "pairwise", "rate": "1"}, {"method": "luck"}, {"method": "pairwise", "rate": "a lot"}):
        settle_night(client, board, 422, **stakes)


def test_the_stakes_are_remembered(client: Phone, other: Phone, three: Page) -> None:
    """The page of a game keeps its stakes and payments; the page of another game starts with the last stakes used.

    Another phone doesn't get them.
    """
    settled = settle(client, three, "winner_takes", base="2", per_set=" 0,50 ", currency="EUR")
    again = client.see(settled.path)
    assert amounts(again) == amounts(settled) != []
    over = play_all(client, start(client), CLEAN)
    last = {"method": "winner_takes", "currency": "EUR", "rate": "0.25", "base": "2", "per_set": "0,50"}
    for address in (f"{over.path}/settlement", f"{over.path}/evening/settlement"):
        assert stakes_of(client, address) == last
        assert not client.see(address).all("table")
    settle_night(client, over, method="pairwise", rate="0.10")
    assert stakes_of(client, f"{over.path}/settlement") == {**last, "method": "pairwise", "rate": "0.10"}
    assert stakes_of(client, settled.path) == last
    assert "method" not in stakes_of(other, settled.path)


def test_stakes_that_were_refused_are_not_remembered(client: Phone, three: Page) -> None:
    """The answer to wrong stakes still has them, and nothing is remembered, nor what a method doesn't use."""
    refused = settle(client, three, "pairwise", 422, rate="a lot")
    assert refused.form(f"{three.path}/settlement").values["rate"] == "a lot"
    assert "method" not in stakes_of(client, f"{three.path}/settlement")
    settle(client, three, "pot_per_set", rate="a lot")
    assert stakes_of(client, f"{three.path}/settlement")["rate"] == "0.25"


def test_a_phone_remembers_the_stakes_of_a_few_games(client: Phone, three: Page) -> None:
    """The cookie stays small: it has the stakes of the latest games only."""
    games = [three, *(import_record(client, {**FINAL, "final": [21, score]}) for score in range(MOST))]
    for game in games:
        settle(client, game, "pairwise")
    assert [bool(client.see(f"{path_of(game)}/settlement").all("table")) for game in games] == [False] + [True] * MOST
    cookie = client.get_cookie(COOKIE)
    assert cookie is not None
    assert len(cookie.value) < 1_000


@pytest.mark.parametrize("forged", ["x", "W10.x", "{}", "." * 3000])
def test_a_forged_cookie_is_ignored(client: Phone, three: Page, forged: str) -> None:
    settle(client, three, "pairwise")
    client.set_cookie(COOKIE, forged)
    assert "method" not in stakes_of(client, f"{three.path}/settlement")


def test_a_game_that_goes_on_has_nothing_to_settle(client: Phone, three: Page) -> None:
    """If a settled game is resumed, its page says why it shows no payments."""
    settle(client, three, "pairwise")
    client.submit(client.see(three.path), f"{three.path}/undos")
    page = client.see(f"{three.path}/settlement")
    assert problem(page) == "Nobody has won yet, so there's nothing to settle."
    assert not page.all("table")
