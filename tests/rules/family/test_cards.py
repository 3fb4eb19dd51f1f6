"""Points won by single cards in the Pitch family: off cards, jokers, and the ten as the point Game (RULES 8)."""

from __future__ import annotations

from functools import partial

import pytest

from scorekeeper.rules.cards import count_cards, pack_of, trumps_of
from scorekeeper.rules.hands import read_hand
from scorekeeper.rules.presets import PRESETS, preset_named
from scorekeeper.rules.record import read_record, write_record
from scorekeeper.rules.table import Table, set_table
from tests.rules.refusals import code_of


def table_of(preset: str) -> Table:
    return set_table(PRESETS[preset], PRESETS[preset].seatings[0].players)


@pytest.mark.parametrize(
    ("preset", "trump", "trumps"),
    [
        ("bowers-12", "S", "2S 9S TS JC JS QS KS AS"),
        ("smear-52", "H", "2H 3H 4H 5H 6H 7H 8H 9H TH BJ RJ JD JH QH KH AH"),
        ("six-point", "C", "2C 3C 4C 5C 6C 7C 8C 9C TC RJ JS JC QC KC AC"),
        ("nine-point", "H", "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"),
        ("eleven-point", "D", "2D 3D 4D 5D 6D 7D 8D 9D TD BJ RJ JH JD QD KD AH AD"),
        ("thirteen-point", "D", "2D 3H 3D 4D 5D 6D 7D 8D 9D TD BJ RJ JH JD QD KD AD"),
        ("pedro-62", "S", "2S 3S 4S 5C 5S 6S 7S 8S 9S TS JS QS KS AS"),
    ],
)
def test_off_cards_and_jokers_have_their_place_among_the_trumps(preset: str, trump: str, trumps: str) -> None:
    """An off card ranks just below the trump of the same rank, and jokers rank between the ten and the jack.

    `trumps` lists the trump cards from the lowest to the highest.
    """
    assert " ".join(trumps_of(PRESETS[preset], trump)) == trumps


def test_a_single_joker_is_the_high_one() -> None:
    assert pack_of(PRESETS["six-point"]) - pack_of(PRESETS["five-point"]) == {"RJ"}
    assert pack_of(PRESETS["seven-point"]) - pack_of(PRESETS["six-point"]) == {"BJ"}


@pytest.mark.parametrize(
    ("preset", "piles", "points"),
    [
        # Card points are 8 to 13, but the ten decides. The two is its player's, and no card tells who that was.
        ("pedro-62", "AH AS TH 5D;2H KH TC JH 5H", {"high": 0, "jack": 1, "game": 0, "five": 1, "off_five": 0}),
        # The three is the lowest trump that was taken, but Low is the two, which was discarded.
        ("cinch-51", "KH 3H;QH TC", dict.fromkeys(("high", "low", "jack", "game", "five", "off_five"))),
        ("nine-point", "5D 4H;5H AH", {"high": 1, "jack": None, "five": 1, "game": 1}),
        ("six-point", "RJ;2H TS", {"high": 0, "low": 1, "jack": None, "off_jack": None, "joker": 0, "game": 1}),
        (
            "eleven-point",
            "AD 3H;AH 3D BJ",
            {"ace": 1, "off_ace": 0, "three": 0, "low_joker": 1}
            | dict.fromkeys(("jack", "off_jack", "high_joker", "ten")),
        ),
        (
            "thirteen-point",
            "AD 3H;AH 3D BJ",
            {"ace": 1, "three": 0, "off_three": 1, "low_joker": 1}
            | dict.fromkeys(("jack", "off_jack", "high_joker", "ten")),
        ),
    ],
)
def test_captured_cards_show_who_has_each_point(preset: str, piles: str, points: dict[str, int | None]) -> None:
    """The cards that each side captured show which side wins each point, or that nobody wins the point.

    `piles` lists the cards of each side, and hearts are trump.
    """
    captured = [pile.split() for pile in piles.split(";")]
    assert dict(count_cards(table_of(preset), "H", captured).points) == points


@pytest.mark.parametrize(
    ("preset", "sums"),
    [
        ("nine-point", (2, 3, 4, 7, 8, 9)),
        ("pedro-62", (2, 3, 4, 7, 8, 9, 12, 13, 14)),
        ("cinch-51", tuple(range(15))),
        ("thirteen-point", (13,)),
        ("smear-52", (2, 3, 4, 5, 6, 7, 8, 9, 10)),
    ],
)
def test_a_hand_adds_up_to_what_its_points_can(preset: str, sums: tuple[int, ...]) -> None:
    """A hand is accepted only if the sum of all sides' points is possible in its game; `sums` has the possible sums."""
    table = table_of(preset)
    assert table.sums == sums
    hands = [{"bidder": 0, "bid": table.bids[0], "taken": [total, 0]} for total in range(table.most + 1)]
    refused = [code_of(partial(read_hand, table, hand, dealer=3)) for hand in hands]
    assert refused == [None if total in sums else "points_total" for total in range(table.most + 1)]


def test_only_in_cinch_can_the_two_be_nobodys() -> None:
    """In Cinch, the point for the two can belong to nobody, because the two may have been discarded.

    In Pedro, such a hand is refused, because the player who was dealt the two keeps the card and the point.
    """
    points = {"high": 0, "low": None, "jack": 0, "game": 1, "five": 0, "off_five": 1}
    hand = {"bidder": 0, "bid": 7, "points": points}
    assert read_hand(table_of("cinch-51"), hand, dealer=3).taken == (7, 6)
    assert code_of(lambda: read_hand(table_of("pedro-62"), hand, dealer=3)) == "points_nobody"


def test_a_record_may_call_ten_point_smear_by_its_other_name() -> None:
    """The preset `smear-10` in a record is read as `smear-52`, and is saved as `smear-52`."""
    assert preset_named("smear-10") is PRESETS["smear-52"]
    record = read_record(
        {
            "format": "scorekeeper-game/1",
            "ruleset": {"preset": "smear-10", "options": {"target": 21}},
            "players": ["Ann", "Bob", "Cid", "Dee"],
            "first_dealer": 3,
            "hands": [{"bidder": 0, "bid": 4, "taken": [6, 4]}],
        }
    )
    written = write_record(record.table, record.names, record.first_dealer, record.hands, extra=record.extra)
    assert written["ruleset"] == {"preset": "smear-52", "options": {"target": 21}}
