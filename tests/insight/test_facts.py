"""What simulated hands say about a game before it begins."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from scorekeeper.insight.facts import ENOUGH, facts_of
from scorekeeper.insight.model import MOST_SIDES, prior_model
from scorekeeper.insight.odds import win_odds
from scorekeeper.leagues.transfer.demo_data import deals
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.scoring import new_tally
from scorekeeper.rules.table import set_table, table_at

SETBACK = set_table(PRESETS["setback-21"], 4)


def test_other_hands_give_the_same_facts() -> None:
    """The facts are those of hands that were dealt anew, within 4.5 standard errors."""
    facts, hands = facts_of(SETBACK), 400
    assert facts is not None
    assert facts.jack is not None
    assert facts.tied is not None
    jack = tied = 0
    for told in islice(deals(SETBACK, Random(7)), hands):
        points = told["points"]
        jack += points["jack"] is not None
        tied += points["game"] is None
    for found, of, said in ((jack, hands, facts.jack), (tied, hands, facts.tied)):
        assert abs(found / of - said) < 4.5 * (said * (1 - said) * (1 / of + 1 / facts.hands)) ** 0.5


def test_the_length_and_the_deal_follow_from_the_same_hands() -> None:
    facts, odds = facts_of(SETBACK), win_odds(SETBACK, prior_model(SETBACK))
    assert facts is not None
    start = new_tally(SETBACK)
    assert (facts.length, facts.dealer_wins) == pytest.approx(
        (odds.hands_left(start, 0), odds.win(start, 0)[0]), abs=1e-3
    )


def test_house_rules_leave_out_what_they_change() -> None:
    """If the dealer gets a tie for Game, the jack is scored as often as before; a higher target makes games longer."""

    def known(**options: object) -> str:
        facts = facts_of(set_table(with_options(PRESETS["setback-21"], options), 4))
        if facts is None:
            return ""
        numbers = {"jack": facts.jack, "tied": facts.tied, "length": facts.length, "deal": facts.dealer_wins}
        return " ".join(key for key, number in numbers.items() if number is not None)

    assert known() == known(low="dealt") == "jack tied length deal"
    assert known(game_tie="dealer") == "jack"
    assert known(target=31) == "jack tied"
    assert known(bid_min=4, forced_bid=4) == ""
    assert known(points="high low jack joker game") == ""


def test_each_game_with_a_model_has_facts() -> None:
    """Only games without bids, with a called partner or of more than three sides have none."""
    for rules in PRESETS.values():
        for table in (table_at(rules, seating) for seating in rules.seatings):
            facts = facts_of(table)
            if table.called or not rules.has_bids or len(table.sides) > MOST_SIDES:
                assert facts is None
                continue
            assert facts is not None
            assert facts.hands >= ENOUGH
            assert facts.length is not None
            assert facts.length > 1
            assert facts.dealer_wins is not None
            assert abs(facts.dealer_wins - 1 / len(table.sides)) < 0.2, (
                "in Cinch for two, the dealer takes all trumps that are left"
            )
            assert (facts.jack is not None) == any(c.key == "jack" and not c.always for c in rules.categories)
