"""The win probabilities of a whole game, and the models that people write for the command `scorekeeper odds`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from scorekeeper.cli.app import main
from scorekeeper.insight.model import (
    FLAT,
    FORMAT,
    MOST_SIDES,
    SIMULATED,
    STRENGTH,
    from_dealer,
    hand_at,
    prior_key,
    prior_model,
    read_model,
    shifted,
)
from scorekeeper.insight.odds import PLUS_MINUS, SimulatedOdds, odds_for, odds_line, odds_of, reach_of
from scorekeeper.insight.win_odds import WIDEST, WinOdds, win_odds
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.record import read_record
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.scoring import Hand, new_tally
from scorekeeper.rules.table import set_table, table_at

RECORD = Path(__file__).parents[2] / "scorekeeper" / "rules" / "RECORD.md"
SETBACK = set_table(PRESETS["setback-21"], 4)
OUTCOMES: list[dict[str, Any]] = [
    {"from_dealer": 1, "bid": 2, "taken": [3, 1], "p": 0.4},
    {"from_dealer": 2, "bid": 3, "taken": [4, 0], "p": 0.3},
    {"from_dealer": 0, "bid": 2, "taken": [1, 3], "p": 0.2},
    {"from_dealer": 3, "bid": 4, "taken": [2, 2], "p": 0.1},
]
MODEL = {"format": FORMAT, "outcomes": OUTCOMES}
SOLVED: dict[str, WinOdds] = {}
"""Win probabilities that were calculated, by the rules, the number of players, the model and the range of totals."""
HANDS: list[dict[str, Any]] = [
    {"bidder": 1, "bid": 2, "taken": [1, 3]},
    {"bidder": 3, "bid": 3, "taken": [2, 2]},
    {"bidder": 0, "bid": 4, "taken": [4, 0]},
]


def game(
    preset: str = "setback-21",
    hands: list[dict[str, Any]] | None = None,
    options: dict[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    return {
        "format": "scorekeeper-game/1",
        "ruleset": {"preset": preset, "options": options or {}},
        "players": ["Ann", "Bob", "Cid", "Dee"],
        "first_dealer": 0,
        **({"hands": HANDS if hands is None else hands} if "final" not in more else {}),
        **more,
    }


def odds(raw: dict[str, Any], model: Any = MODEL) -> dict[str, Any]:
    """Return the win probabilities for the game record `raw`; `model` is a model of the hands, parsed from JSON."""
    record = read_record(raw)
    least, most = reach_of(record)
    key = json.dumps([raw["ruleset"], len(raw["players"]), model, least, most])
    if key not in SOLVED:
        SOLVED[key] = win_odds(record.table, read_model(record.table, model), least, most)
    return odds_of(record, SOLVED[key])._asdict()


def test_each_hand_changes_the_odds_of_the_bidders_side() -> None:
    found = odds(game())
    assert len(found["win"]) == 4
    assert len(found["swing"]) == 3
    assert all(sum(row) == pytest.approx(1) for row in found["win"])
    for hand, before, after, swing in zip(HANDS, found["win"][:-1], found["win"][1:], found["swing"], strict=True):
        side = hand["bidder"] % 2
        assert swing == after[side] - before[side]
    assert found["swing"][1] < 0, "the bidder was set"
    assert found["hands_left"] > 1


def test_a_game_that_is_over_ends_with_certainty() -> None:
    won = odds(game(hands=[{"dealer": 3, "bidder": 0, "bid": 4, "taken": [4, 0]}] * 6))
    assert (won["win"][-1], won["hands_left"]) == ((1.0, 0.0), 0.0)
    given_up = odds(game(winner=1, ended_by="conceded"))
    assert given_up["win"][-1] == (0.0, 1.0)
    known = odds(game(final=[21, 12]))
    assert (len(known["win"]), known["win"][-1], known["swing"]) == (2, (1.0, 0.0), ())
    undecided = odds(game(final=[12, 12], winner=None, ended_by="agreed"))
    assert undecided["win"][0] == undecided["win"][1]


def test_a_game_that_nobody_won_keeps_its_last_odds() -> None:
    assert odds(game(winner=None, ended_by="agreed"))["win"] == odds(game())["win"]


def test_an_adjustment_counts_with_the_hand_before_it() -> None:
    plain = odds(game())
    adjusted = odds(game(x_adjustments=[{"after": 2, "side": 1, "points": 5, "reason": "a revoke"}]))
    assert adjusted["win"][:2] == plain["win"][:2]
    assert adjusted["win"][2][1] > plain["win"][2][1]
    early = odds(game(hands=[], x_adjustments=[{"after": 0, "side": 1, "points": 5, "reason": "a head start"}]))
    assert early["win"][0][1] > odds(game(hands=[]))["win"][0][1]


def test_totals_far_away_are_calculated_as_if_they_were_nearer() -> None:
    """If adjustments put a side thousands of points behind, its chance is 0, and the arrays of odds stay small."""
    assert _odds_far_behind(widest=64, close=0.01) < 200


@pytest.mark.slow
def test_totals_far_away_fit_the_memory() -> None:
    assert _odds_far_behind(WIDEST, close=1e-6) < 1_000


def _odds_far_behind(widest: int, close: float) -> int:
    """Check the odds of a side that is thousands of points behind, and return the length of the arrays of odds."""
    behind = [{"after": 1, "side": 0, "points": -99, "reason": "a joke"}] * 40
    record = read_record(game(hands=HANDS[:1], x_adjustments=behind))
    found = win_odds(SETBACK, read_model(SETBACK, MODEL), *reach_of(record), widest=widest)
    assert odds_of(record, found).win[-1] == pytest.approx((0, 1), abs=close)
    return len(found.values[0, 0])


def test_a_hand_in_which_everyone_passed_is_nobodys() -> None:
    found = odds(
        game(hands=[{"passed": True}], options={"forced_bid": None}),
        {"format": FORMAT, "outcomes": [*OUTCOMES[:1], {"passed": True, "p": 0.6}]},
    )
    assert found["swing"] == (0.0,)
    assert len(found["win"]) == 2


def test_estimates_agree_with_exact_odds() -> None:
    """For two sides, the simulation gives nearly the same results as the exact calculation.

    The results are the win probabilities and the expected number of remaining hands.
    """
    model, start = prior_model(SETBACK), new_tally(SETBACK)
    exact, simulated = win_odds(SETBACK, model), SimulatedOdds(SETBACK, model)
    for totals, dealer in (((18, 19), 1), ((20, 9), 2)):
        tally = start._replace(totals=totals)
        assert exact.win(tally, dealer) == pytest.approx(simulated.win(tally, dealer), abs=2 * PLUS_MINUS)
        assert exact.hands_left(tally, dealer) == pytest.approx(simulated.hands_left(tally, dealer), rel=0.1)


def test_more_sides_get_estimates_that_say_so() -> None:
    raw = game(hands=[{"bidder": 1, "bid": 2, "taken": [0, 3, 1, 0, 0]}]) | {
        "players": ["Ann", "Bob", "Cid", "Dee", "Eve"]
    }
    record = read_record(raw | {"sides": [[0], [1], [2], [3], [4]]})
    outcomes = [
        {"from_dealer": 1, "bid": 2, "taken": [2, 1, 0, 0, 1], "p": 0.6},
        {"from_dealer": 0, "bid": 3, "taken": [3, 0, 1, 0, 0], "p": 0.4},
    ]
    model = read_model(record.table, {"format": FORMAT, "outcomes": outcomes})
    line = odds_line(record, model, odds_for(record.table, model, *reach_of(record)))
    assert (line["exact"], line["plus_minus"]) == (False, round(PLUS_MINUS, 4))
    assert [len(row) for row in line["win"]] == [5, 5]
    assert [sum(row) for row in line["win"]] == pytest.approx([1, 1])
    assert line["swing"][0] == line["win"][1][1] - line["win"][0][1]
    again = odds_for(record.table, model, *reach_of(record))
    assert again.win(record.tally, 1) == line["win"][1], "the same every time"


def test_an_estimate_of_a_game_that_never_ends_is_refused() -> None:
    table = set_table(with_options(PRESETS["setback-21"], {"forced_bid": None}), 5)
    passed = read_model(table, {"format": FORMAT, "outcomes": [{"passed": True, "p": 1}]})
    with pytest.raises(RuleViolation, match="never ends"):
        SimulatedOdds(table, passed).win(new_tally(table), 0)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "scorekeeper-odds/2"}, "must have the format"),
        ({"odds": 1}, "no field “odds”"),
        ({"outcomes": []}, "needs a list"),
        ({"outcomes": [{"p": 1}]}, "Outcome 1: from_dealer must be"),
        ({"outcomes": [{**OUTCOMES[0], "p": 0.9}]}, "must add up to 1, not 0.9"),
        ({"outcomes": [{**OUTCOMES[0], "p": "1"}]}, "Outcome 1: The probability p"),
        ({"outcomes": [{**OUTCOMES[0], "p": float("nan")}]}, "Outcome 1: The probability p"),
        ({"outcomes": [{**OUTCOMES[0], "from_dealer": 4}]}, "Outcome 1: from_dealer must be"),
        ({"outcomes": [{**OUTCOMES[0], "taken": [3]}]}, "one number for each side"),
        ({"outcomes": [{**OUTCOMES[0], "taken": [3, 3]}]}, "Outcome 1: "),
        ({"outcomes": [{**OUTCOMES[0], "bid": 1}]}, "Outcome 1: "),
        ({"outcomes": [{**OUTCOMES[0], "hand": 1}]}, "only these fields"),
        ({"outcomes": [{"passed": True, "p": 1}]}, "Outcome 1: "),
        ({"outcomes": [{"passed": True, "bid": 2, "p": 1}]}, "Outcome 1: "),
    ],
)
def test_a_model_that_cannot_be_is_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        read_model(SETBACK, MODEL | change)
    assert says in refused.value.message


@pytest.mark.parametrize("model", [None, [], "odds"])
def test_what_is_no_model_is_refused(model: object) -> None:
    with pytest.raises(RuleViolation, match="format"):
        read_model(SETBACK, model)


def test_seats_and_points_are_counted_from_dealer_and_bidder() -> None:
    for outcome, chance in zip(OUTCOMES, read_model(SETBACK, MODEL).chances, strict=True):
        told = (outcome["from_dealer"], outcome["bid"], tuple(outcome["taken"]))
        assert from_dealer(SETBACK, chance.hand) == told


@pytest.mark.parametrize(
    ("preset", "players", "says"),
    [
        ("all-fours-14", 2, "without bidding"),
        ("call-partner-pitch", 5, "called partner"),
        ("setback-21", 5, "this many sides"),
    ],
)
def test_other_tables_have_no_odds_yet(preset: str, players: int, says: str) -> None:
    with pytest.raises(RuleViolation, match=says):
        prior_model(set_table(PRESETS[preset], players))


def test_each_table_of_two_or_three_sides_has_a_model_of_its_own() -> None:
    for rules in PRESETS.values():
        for table in (table_at(rules, seating) for seating in rules.seatings):
            if rules.has_bids and not table.called and len(table.sides) <= MOST_SIDES:
                model = prior_model(table)
                assert model.prior == SIMULATED, prior_key(table)
                assert sum(chance.p for chance in model.chances) == pytest.approx(1)
                assert {chance.hand.dealer for chance in model.chances} == {0}


def test_a_house_rule_leaves_out_what_it_forbids() -> None:
    table = set_table(with_options(PRESETS["setback-21"], {"bid_min": 3, "forced_bid": 3}), 4)
    model = prior_model(table)
    assert model.prior == SIMULATED
    assert {chance.hand.bid for chance in model.chances} == {3, 4}
    assert sum(chance.p for chance in model.chances) == pytest.approx(1)


def test_own_hands_shift_the_model() -> None:
    """As many own hands as `STRENGTH` weigh half. A hand that the rules don't allow is left out."""
    table, three = SETBACK, Hand(2, 3, 3, (0, 4))
    prior, usual = prior_model(table), hand_at(table, 1, 3, [4, 0])
    model = shifted(table, prior, {from_dealer(table, three): STRENGTH, (1, 5, (4, 0)): 1, None: 1})
    assert (model.hands, model.prior) == (STRENGTH, SIMULATED)
    before, after = ({chance.hand: chance.p for chance in each.chances} for each in (prior, model))
    assert after[usual] == pytest.approx((before[usual] + 1) / 2)
    assert all(after[hand] == pytest.approx(p / 2) for hand, p in before.items() if hand != usual)
    assert shifted(table, prior, {}).chances == prior.chances
    passing = set_table(with_options(PRESETS["setback-21"], {"forced_bid": None}), 4)
    assert shifted(passing, prior_model(passing), {None: 1}).hands == 1


def test_other_points_without_a_model_are_all_equally_likely() -> None:
    table = set_table(with_options(PRESETS["setback-21"], {"points": "high low jack joker game"}), 4)
    model = prior_model(table)
    assert model.prior == FLAT, prior_key(table)
    assert len({chance.p for chance in model.chances}) == 1


def test_the_command_prints_a_line_for_each_record(tmp_path: Path) -> None:
    records, model = tmp_path / "games.jsonl", tmp_path / "model.json"
    records.write_text("\n".join(json.dumps(each) for each in (game(), game("all-fours-14"), game())))
    model.write_text(json.dumps(MODEL))
    told = CliRunner().invoke(main, ["odds", str(records), "--model", str(model)])
    lines = [json.loads(line) for line in told.output.splitlines()]
    assert told.exit_code == 1
    assert lines[0] == lines[2]
    assert lines[1]["error"]["code"]
    assert lines[0]["win"] == [list(row) for row in odds(game())["win"]]
    assert lines[0] | {"win": [], "swing": [], "expected_hands": 0} == {
        "win": [],
        "swing": [],
        "expected_hands": 0,
        "exact": True,
        "model": {"hands": 0, "prior": None},
    }


def test_the_command_has_models_of_its_own(tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    record.write_text(json.dumps(game()))
    told = CliRunner().invoke(main, ["odds", str(record)])
    assert told.exit_code == 0
    assert json.loads(told.output)["model"] == {"hands": 0, "prior": SIMULATED}


def test_the_examples_of_the_document_are_what_the_command_prints() -> None:
    """For the example games and model in RECORD 7, `scorekeeper odds` prints the three lines shown there.

    The numbers are rounded as in RECORD 7.
    """
    part = RECORD.read_text(encoding="utf-8").partition("### Win probability")[2]
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", part, re.DOTALL)]
    model = next(block for block in blocks if "format" in block)
    hands = [{"bidder": 1, "bid": 2, "taken": [1, 3]}, {"bidder": 2, "bid": 3, "taken": [2, 2]}]
    for hand in hands:
        assert json.dumps(hand) in part.replace("\n", " ")
    games = (game(hands=hands), game(hands=hands), game(hands=hands, winner=0, ended_by="conceded"))
    expected = [block for block in blocks if "win" in block]
    for raw, given, told in zip(games, (None, model, model), expected, strict=True):
        record = read_record(raw)
        chances = prior_model(record.table) if given is None else read_model(record.table, given)
        line = odds_line(record, chances, win_odds(record.table, chances, *reach_of(record)))
        assert _rounded(line) == _rounded(told)


def _rounded(line: dict[str, Any]) -> dict[str, Any]:
    """Return a line of output of `scorekeeper odds`, parsed from JSON, with its numbers rounded as in RECORD 7."""
    return line | {
        "win": [[round(p, 4) for p in row] for row in line["win"]],
        "swing": [round(change, 4) for change in line["swing"]],
        "expected_hands": round(line["expected_hands"], 3),
    }


@pytest.mark.parametrize("text", ["{", None])
def test_a_model_that_cannot_be_read_is_named(tmp_path: Path, text: str | None) -> None:
    model = tmp_path / "model.json"
    if text is not None:
        model.write_text(text)
    told = CliRunner().invoke(main, ["odds", "-", "--model", str(model)], input="")
    assert told.exit_code == 1
    assert "model.json" in told.output
