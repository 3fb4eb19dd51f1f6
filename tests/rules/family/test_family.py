"""Compare games of the Pitch family with their published sources: every worked case, and random games.

Each folder has worked cases and a judge, which scores games without the engine. Both are written from the texts that
are quoted in the folder's `sources.md`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS, SAME_GAME, preset_named
from scorekeeper.rules.record import Record, read_record
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.table import table_at
from tests.rules.family.others.judge import judge as judge_others
from tests.rules.family.smear.judge import judge as judge_smear
from tests.rules.family.ten_point.judge import judge as judge_ten_point
from tests.rules.random_play import WAYS, play
from tests.support.each import Test, for_each

Case = dict[str, Any]
Judge = Callable[[dict[str, Any]], dict[str, Any]]

JUDGES: dict[str, Judge] = {"ten_point": judge_ten_point, "others": judge_others, "smear": judge_smear}
"""For each folder of cases, the function that scores a game by the published rules alone."""
CASES: dict[str, list[Case]] = {
    folder: json.loads((Path(__file__).parent / folder / "cases.json").read_text("utf-8")) for folder in JUDGES
}
JUDGED: dict[str, Judge] = {case["game"]: JUDGES[folder] for folder, cases in CASES.items() for case in cases}
"""For each game, by its preset, the function that scores the game by the published rules alone."""
TIES = {"highest": {"tie": "bidder"}}
"""Maps a value of `finish` to the options that make the engine break ties as the functions in `JUDGES` do."""
GAMES, GAMES_OF_SLOW = 40, int(os.environ.get("SCOREKEEPER_JUDGED_GAMES", "1000"))
HANDS = 60


def _each(*, refused: bool) -> Callable[[Test], Test]:
    """Return a decorator that runs a test once for each case.

    Cases that the rules must refuse are left out unless `refused` is true.
    """
    params = [
        (folder, case) for folder, cases in CASES.items() for case in cases if refused or "error" not in case["expect"]
    ]
    return for_each(("folder", "case"), params, parts=2)


def _result(record: Record) -> dict[str, Any]:
    outcome = record.tally.outcome
    totals = [list(totals) for totals in record.totals]
    return {"totals": totals, "over": outcome is not None, "winner": outcome.winner if outcome else None}


@_each(refused=True)
def test_the_engine_agrees_with_the_case(folder: str, case: Case) -> None:
    """The engine finds the totals and winner that a case expects.

    If the case expects a refusal, the engine refuses the record.
    """
    if "error" in case["expect"]:
        with pytest.raises(RuleViolation):
            read_record(case["record"])
    else:
        assert _result(read_record(case["record"])) == case["expect"], case["why"]


@_each(refused=False)
def test_each_judge_agrees_with_its_cases(folder: str, case: Case) -> None:
    assert JUDGES[folder](case["record"]) == case["expect"]


def test_each_game_has_its_cases() -> None:
    """Each game has at least twelve cases, and no two cases have the same id."""
    ids = [case["id"] for cases in CASES.values() for case in cases]
    assert len(ids) == len(set(ids))
    games = [case["game"] for cases in CASES.values() for case in cases]
    assert all(games.count(game) >= 12 for game in set(games))
    assert set(games) <= {*PRESETS, *SAME_GAME}


def _variants(game: str) -> list[dict[str, Any]]:
    """Return the different sets of options that the cases of a game have, and each set again with a target of 9.

    Sets that the rules refuse are left out. Each set with the finish "highest" also gets the option `tie`, so that the
    engine lets the bidder win a tie, as the functions in `JUDGES` always do.
    """
    told = [
        case["record"]["ruleset"].get("options", {})
        for cases in CASES.values()
        for case in cases
        if case["game"] == game
    ]
    told = [options | TIES.get(options.get("finish"), {}) for options in told]
    variants = []
    for options in [*told, *({**each, "target": 9} for each in told)]:
        try:
            with_options(preset_named(game), options)
        except RuleViolation:
            continue
        if options not in variants:
            variants.append(options)
    return variants


def _told(hand: Hand, *, partner: bool) -> dict[str, Any]:
    if hand.thrown_in:
        return {"passed": True}
    if hand.bidder is not None:
        called = {"partner": hand.partner} if partner else {}
        return {"bidder": hand.bidder, "bid": hand.bid, "taken": [*hand.taken]} | called
    assert hand.points is not None
    turned_up = {"turned_up": hand.turned_up} if hand.turned_up else {}
    return {"points": dict(hand.points), "jack_hung": hand.jack_hung} | turned_up


def _random_record(game: str, variants: list[dict[str, Any]], seed: int) -> dict[str, Any]:
    """Return the record of a random game, with options chosen from `variants`.

    Each hand has only the dealer, the bidder, the bid and the points.
    """
    chance = Random(f"{game} {seed}")
    rules = with_options(preset_named(game), chance.choice(variants))
    seating = chance.choice(rules.seatings)
    # Without bidding the order of the points decides, and sums don't tell it.
    ways = WAYS if rules.has_bids else WAYS[1:]
    raw = play(table_at(rules, seating), seed, HANDS, ways)
    partner = seating.kind == "called"
    hands = [{"dealer": hand.dealer} | _told(hand, partner=partner) for hand in read_record(raw).hands]
    ruleset = {"preset": game, "options": raw["ruleset"]["options"]}
    return {**raw, "ruleset": ruleset, "hands": hands}


def _play_against_the_judge(game: str, games: int) -> None:
    variants = _variants(game)
    ended = 0
    for seed in range(games):
        record = _random_record(game, variants, seed)
        found = _result(read_record(record))
        assert found == JUDGED[game](record), record
        ended += found["over"]
    assert ended > games // 3, f"only {ended} of {games} games came to their end"


FAMILY = sorted(JUDGED)


@pytest.mark.parametrize("game", FAMILY)
def test_random_games_score_as_the_judge_says(game: str) -> None:
    _play_against_the_judge(game, GAMES)


@pytest.mark.slow
@pytest.mark.parametrize("game", FAMILY)
def test_thousands_of_random_games_score_as_the_judge_says(game: str) -> None:
    _play_against_the_judge(game, GAMES_OF_SLOW)
