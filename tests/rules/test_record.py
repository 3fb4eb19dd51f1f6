"""Game records, names and stored events: how the app writes a game as text, and reads it again."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules import events as ev
from scorekeeper.rules.cards import count_cards
from scorekeeper.rules.hands import KEYS, allowed_points, allowed_trumps, read_hand, write_hand
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.record import FORMAT, NAME_LENGTH, check_name, read_record, write_record
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.scoring import Hand, bidding_sides
from scorekeeper.rules.table import set_table
from tests.rules.corpus_cases import FOLDER
from tests.rules.refusals import code_of, refusal_of
from tests.rules.strategies import records
from tests.support.each import for_each

GOOD: dict[str, Any] = {
    "format": FORMAT,
    "ruleset": {"preset": "setback-21"},
    "players": ["Ann", "Bob", "Cid", "Dee"],
    "first_dealer": 3,
    "hands": [{"bidder": 0, "bid": 3, "trump": "H", "taken": [3, 1], "tricks": 4, "x_n": 1}],
}

SPECIFICATION = Path(__file__).resolve().parents[2] / "scorekeeper" / "rules" / "RECORD.md"


def test_the_record_of_the_specification_scores_as_it_says() -> None:
    """The example records in the specification have the scores that it states.

    The specification also describes each field of a hand that the app writes.
    """
    # The examples of win probabilities are checked in tests/insight.
    told = SPECIFICATION.read_text("utf-8").partition("### Win probability")[0]
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", told, flags=re.DOTALL)]
    first, called, fours, fours_answer, first_answer = blocks
    totals = [list(totals) for totals in read_record(called).totals]
    assert f"The totals: {', '.join(f'`{each}`' for each in totals)}." in told
    for record, answer in ((first, first_answer), (fours, fours_answer)):
        read = read_record(record)
        assert [list(totals) for totals in read.totals] == answer["totals"]
        assert [{"delta": list(each.delta), "made": each.made} for each in read.scored] == answer["hands"]
        assert (read.outcome is not None, read.outcome and read.outcome.winner) == (answer["over"], answer["winner"])
    assert [key for key in sorted(KEYS) if f"`{key}`" not in told] == []


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 30)
    | st.sampled_from((10**40, 1.0, 2.5, float("nan"), float("inf"), -0.0))
    | st.text(max_size=3)
    | st.sampled_from(("pass", "pitch", "moon", "H", "none", "AS", "RJ", "points", "taken")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(records(), st.data())
def test_a_doctored_record_is_read_or_refused_and_nothing_else(drawn: Any, data: st.DataObject) -> None:
    """A record with any value in any field is either read or refused with a sentence; no other error is raised."""
    _, raw = drawn
    raw = json.loads(json.dumps(raw))
    where = data.draw(st.sampled_from([raw, *raw["hands"], raw["ruleset"], raw["ruleset"]["options"]]))
    keys = ["dealer", "bidder", "bid", "calls", "points", "taken", "captured", "partner", "tricks", "trump", "passed"]
    key = data.draw(st.sampled_from([*where, *keys, "preset", "options", "target", "finish", "final", "x_a"]))
    where[key] = data.draw(ANYTHING)
    refusal = refusal_of(partial(read_record, raw))
    if refusal is not None:
        assert refusal.code
        assert refusal.message.endswith(".")


@given(ANYTHING)
def test_anything_at_all_is_no_record(value: Any) -> None:
    """A value that isn't an object in the format of a record is refused."""
    assert code_of(partial(read_record, value)) in ("record_shape", "field_unknown", "format")


@pytest.mark.parametrize("field", ["bidder", "bid", "taken", "trump", "tricks"])
@for_each("value", [True, 2.0, 10**30, float("nan"), [[0]], {"a": 1}, "\ud800"])
def test_a_field_of_a_hand_with_a_doctored_value_is_refused_in_its_place(field: str, value: Any) -> None:
    """A wrong value in a hand is refused with the index of the hand and the name of the field.

    The wrong values are True, 2.0, a huge number, NaN, a nested list, an object, and half of a surrogate pair.
    """
    refusal = refusal_of(partial(read_record, GOOD | {"hands": [GOOD["hands"][0] | {field: value}]}))
    assert refusal
    assert (refusal.hand, refusal.field) == (0, field)


@pytest.mark.parametrize("field", ["ruleset", "sides"])
def test_a_record_that_is_nested_beyond_all_reason_is_refused(field: str) -> None:
    """A record with lists nested thousands of levels deep is refused, because it couldn't be written as JSON again."""
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    assert code_of(partial(read_record, GOOD | {field: deep})) == "record_shape"


def test_a_table_that_was_read_before_is_not_taken_for_another() -> None:
    """A record with True or 1.0 instead of 1 is refused, even after the same record with 1 was read.

    Tables are cached, and Python treats True, 1.0 and 1 as equal, so the cache could return the wrong table. A record
    with null instead of the list of sides is refused too.
    """
    rules = {"preset": "setback-7", "options": {"bid_min": 1}}
    good = GOOD | {"ruleset": rules, "sides": [[0], [1], [2], [3]], "hands": []}
    read_record(good)
    for doctored in (True, 1.0):
        bad = good | {"ruleset": {"preset": "setback-7", "options": {"bid_min": doctored}}}
        assert code_of(partial(read_record, bad)) == "option_value"
        assert code_of(partial(read_record, good | {"sides": [[0], [doctored], [2], [3]]})) == "sides"
    assert code_of(partial(read_record, good | {"sides": None})) == "sides"
    assert code_of(partial(read_record, {key: good[key] for key in good if key != "sides"})) is None


def test_a_record_keeps_what_it_does_not_read() -> None:
    """A record keeps fields that don't affect the score: its name, its times, "abandoned", and all `x_` fields."""
    extra = {"name": "Friday", "started": "19:30", "finished": "21:00", "abandoned": True, "x_hall": {"a": [1]}}
    record = read_record(GOOD | extra)
    assert record.extra == extra
    written = write_record(record.table, record.names, record.first_dealer, record.hands, extra=record.extra)
    assert {key: written[key] for key in extra} == extra
    assert written["hands"] == GOOD["hands"]
    assert written["sides"] == [[0, 2], [1, 3]]


def test_a_hand_that_was_thrown_in_keeps_what_it_carries_too() -> None:
    """A hand that was thrown in because everyone passed keeps its extra fields when its record is read and written.

    The record may say "passed", or have calls that are all passes.
    """
    table = set_table(PRESETS["setback-7"], 3)
    for told in ({"passed": True}, {"calls": ["pass"] * 3}):
        hand = read_hand(table, told | {"x_note": "late"}, dealer=2)
        assert (hand.thrown_in, hand.extra) == (True, {"x_note": "late"})
        assert write_hand(table, hand, dealer=2)["x_note"] == "late"


def test_what_a_hand_does_not_tell_stays_untold() -> None:
    """A hand without trump, tricks, calls or cards is read and written without these fields."""
    table = set_table(PRESETS["setback-21"], 4)
    told = {"bidder": 0, "bid": 3, "taken": [3, 1]}
    hand = read_hand(table, told, dealer=3)
    assert hand == Hand(3, 0, 3, (3, 1))
    untold = (hand.points, hand.trump, hand.partner, hand.tricks, hand.calls, hand.captured, hand.extra)
    assert untold == (None,) * 7
    assert write_hand(table, hand, dealer=3) == told


def test_a_final_score_is_written_as_it_was_read() -> None:
    """A record with a final score instead of hands is written as it was read."""
    raw = {key: value for key, value in GOOD.items() if key != "hands"} | {"final": [21, -4], "x_a": 1}
    record = read_record(raw)
    assert (record.tally.totals, record.tally.sets, record.tally.hands) == ((21, -4), (0, 0), 0)
    written = write_record(
        record.table, record.names, record.first_dealer, record.hands, final=record.final, extra=record.extra
    )
    assert read_record(written) == record
    assert (written["final"], written["x_a"], "hands" in written) == ([21, -4], 1, False)


def test_a_hand_leaves_its_dealer_out_only_when_it_was_his_turn() -> None:
    """When a record is written, a hand states its dealer only if it was another player's turn to deal."""
    table = set_table(PRESETS["setback-7"], 3)
    hand = Hand(1, extra={"x_a": 1}, calls=("pass", "pass", "pass"))
    assert write_hand(table, hand, dealer=1) == {"calls": ["pass"] * 3, "passed": True, "x_a": 1}
    assert write_hand(table, hand, dealer=2)["dealer"] == 1


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("  Ann ", "Ann"),
        ("שרה", "שרה"),
        ("👩‍👩‍👧", "👩‍👩‍👧"),
        ("Ann  B.", "Ann B."),
        ("Ann\u00a0B.", "Ann B."),
        ("A\u200bnn\u200d B.\ufeff", "Ann B."),
        ("Jose\u0301", "José"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("x" * NAME_LENGTH, "x" * NAME_LENGTH),
    ],
)
def test_a_name_loses_only_what_nobody_sees(name: str, kept: str) -> None:
    """A name keeps any script, emoji or right-to-left text, and loses needless spaces and characters without width."""
    assert check_name(name) == kept


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name_missing"),
        (" \t ", "name_missing"),
        ("\u200b\u2060", "name_missing"),
        ("\u202e", "name_missing"),
        (None, "name_missing"),
        (7, "name_missing"),
        (["Ann"], "name_missing"),
        ("x" * (NAME_LENGTH + 1), "name_long"),
        ("x" * 2_000_000, "name_long"),
        ("A\nB", "name_characters"),
        ("A\x00B", "name_characters"),
        ("A\u2028B", "name_characters"),
        ("A\ud800", "name_characters"),
    ],
    ids=lambda value: repr(value)[:16],
)
def test_a_name_that_cannot_be_seen_or_kept_is_refused(name: object, code: str) -> None:
    """A name is refused if it is invisible, too long, or contains line breaks or other forbidden characters."""
    assert code_of(partial(check_name, name)) == code


def test_what_a_form_may_offer_is_what_the_rules_accept() -> None:
    """The trumps and points that a form may offer for a hand are those of the game.

    The games in this test are a card game with bowers and two kinds of Some'R'Set.
    """
    bowers = set_table(PRESETS["bowers-12"], 4)
    assert allowed_trumps(bowers) == ("C", "D", "H", "S")
    assert allowed_points(bowers) == {
        "high": (0, 1),
        "low": (0, 1),
        "right": (0, 1, None),
        "left": (0, 1, None),
        "game": (0, 1, None),
    }
    assert (bowers.least, bowers.most) == (2, 5)
    somerset = set_table(PRESETS["somerset-66"], 5)
    assert allowed_trumps(somerset) == ("0", "2", "4", "6", "8", "10", "12", "none")
    assert allowed_trumps(set_table(PRESETS["horsley-66"], 5)) == ("0", "2", "4", "6", "8", "10", "12")
    assert (allowed_points(somerset), somerset.least, somerset.most) == ({}, 22, 22)


@for_each("preset", PRESETS)
def test_every_trump_that_is_offered_can_be_written_down(preset: str) -> None:
    """A hand is accepted with each trump that the game offers, and refused with any other trump."""
    table = set_table(PRESETS[preset], 5 if preset == "call-partner-pitch" else 4)
    bid: dict[str, object] = {"bidder": 0, "bid": table.rules.bid_min} if table.rules.has_bids else {}
    bid |= {"partner": None} if table.called else {}
    taken = [table.most, *[0] * (table.parties - 1)]
    for trump in (*allowed_trumps(table), None):
        data = {**bid, "taken": taken, "trump": trump}
        assert read_hand(table, data, dealer=3).trump == trump
    for trump in {"C", "0", "none", "h", "1", ""} - set(allowed_trumps(table)):
        data = {**bid, "taken": taken, "trump": trump}
        assert code_of(partial(read_hand, table, data, dealer=3)) == "trump"


ADJUSTED = {"after": 1, "side": 1, "points": -2, "reason": "revoke"}


def test_a_record_keeps_what_the_table_agreed_on_outside_the_hands() -> None:
    """A record keeps score adjustments, each with the number of the hand before it, or 0 before the first hand."""
    before = {"after": 0, "side": 0, "points": 5, "reason": "handicap"}
    raw = GOOD | {"x_adjustments": [before, ADJUSTED]}
    record = read_record(raw)
    assert (record.totals, record.tally.totals) == (((8, -1),), (8, -1))
    assert record.extra == {}
    written = write_record(record.table, record.names, record.first_dealer, record.hands, agreed=record.agreed)
    assert written["x_adjustments"] == raw["x_adjustments"]
    assert read_record(written) == record


@pytest.mark.parametrize(
    ("adjustments", "code"),
    [
        ({}, "adjustments"),
        ([1], "adjustments"),
        ([{"after": 1}], "adjustments"),
        ([ADJUSTED | {"who": 1}], "adjustments"),
        ([ADJUSTED | {"after": True}], "adjustments"),
        ([ADJUSTED | {"after": -1}], "adjustments"),
        ([ADJUSTED | {"side": 2}], "adjustments"),
        ([ADJUSTED, ADJUSTED | {"after": 0}], "adjustments"),
        ([ADJUSTED | {"after": 2}], "adjustment_after"),
        ([ADJUSTED | {"points": 0}], "adjustment_points"),
        ([ADJUSTED | {"reason": ""}], "adjustment_reason"),
    ],
)
def test_adjustments_that_cannot_be_read_are_refused(adjustments: Any, code: str) -> None:
    """Adjustments are refused if they have a wrong form or order, follow an unknown hand, or lack points or reason."""
    refusal = refusal_of(partial(read_record, GOOD | {"x_adjustments": adjustments}))
    assert refusal
    assert (refusal.code, refusal.hand) == (code, None)


def test_adjustments_stand_in_the_order_of_the_hands() -> None:
    """Adjustments are refused if they aren't in the order of the hands or name a hand that the record doesn't have."""
    two = GOOD | {"hands": GOOD["hands"] * 2}
    at = [ADJUSTED | {"after": after} for after in (0, 1, 2, 3)]
    assert code_of(partial(read_record, two | {"x_adjustments": [at[0], at[2], at[2]]})) is None
    assert code_of(partial(read_record, two | {"x_adjustments": [at[0], at[2], at[1]]})) == "adjustments"
    assert code_of(partial(read_record, two | {"x_adjustments": [at[0], at[3]]})) == "adjustment_after"


# Cards and sides.


def test_some_r_set_has_no_cards_of_ours_to_count() -> None:
    """The app refuses to count captured cards in Some'R'Set, because that game isn't played with standard cards."""
    table = set_table(PRESETS["somerset-66"], 4)
    assert code_of(partial(count_cards, table, "H", [[], []])) == "points_kind"


def test_who_stands_behind_a_bid() -> None:
    """`bidding_sides` returns the bidder's side, followed by the called partner's side, or () if everyone passed."""
    table = set_table(PRESETS["somerset-66"], 5)
    assert bidding_sides(table, Hand(0, 3, 10, (10, 12), partner=1)) == (3, 1)
    assert bidding_sides(table, Hand(0, 3, 10, (10, 12))) == (3,)
    assert bidding_sides(table, Hand(0)) == ()


# Stored events.


def test_an_event_carries_every_rule_of_its_game() -> None:
    """The event that starts a game has a full copy of the rules.

    A later change of the preset therefore doesn't change the score of an old game.
    """
    rules = with_options(PRESETS["somerset-66"], {"target": 40})
    kind, data = ev.encode(ev.GameStarted(rules, (1, 2, 3), ((0,), (1,), (2,)), 0, {"x_a": [1]}))
    assert (kind, data["rules"]["preset"], data["rules"]["options"]["target"]) == ("GameStarted", "somerset-66", 40)
    assert set(data["rules"]["options"]) == set(OPTIONS)
    assert data["rules"]["options"]["bid_max"] is None


def test_an_old_event_is_brought_up_to_date_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """An event in an old format is converted by the function for it in `UPCASTS`.

    If there is no such function, the event is read unchanged.
    """
    monkeypatch.setattr(ev, "UPCASTS", {("DealerSet", 0): lambda data: {"dealer": data["who"]}})
    assert ev.decode("DealerSet", 0, {"who": 2}) == ev.DealerSet(2)
    assert ev.decode("HandVoided", 0, {"seq": 2}) == ev.HandVoided(2)


def test_an_event_of_a_kind_nobody_knows_is_an_error() -> None:
    """An event of an unknown kind is an error, because the log comes from a newer version and must not be misread."""
    with pytest.raises(KeyError):
        ev.decode("GameTeleported", 1, {})


@for_each(
    "event",
    [
        ev.BidTaken(0, 1, "pitch", None, ("pass", "pitch")),
        ev.BidTaken(0, 1, 3, "H"),
        ev.BidWithdrawn(),
        ev.HandScored(
            Hand(0, 1, 3, (1, 3), {"high": 0, "game": None}, "H", 2, 4, (3, "pass"), (("AS",), ()), {"x": 1})
        ),
        ev.HandThrownIn(Hand(2)),
        ev.ResultEntered((21, 14)),
        ev.ResultEntered((11, 12), 0, "target"),
        ev.GameEnded(None, "time"),
        ev.GameEnded(1),
        ev.GameAbandoned(),
        ev.HandReported(3, Hand(0, 1, 3, (1, 3)), 2, None),
        ev.HandReported(3, Hand(0)),
        ev.HandReported(3, Hand(0), by_point=True),
        ev.ReportSettled(3, 4, "keep"),
        ev.ReportSettled(3, 4, "keep", "All four saw it"),
        ev.TailTaken(3, 1),
        ev.HandSetAside(3, Hand(0, 1, 3, (1, 3))),
    ],
)
def test_an_event_comes_back_from_json_as_it_was(event: ev.Event) -> None:
    """An event that is stored as JSON and read back is equal to the original; tuples and None are kept."""
    kind, data = ev.encode(event)
    assert ev.decode(kind, ev.VERSION, json.loads(json.dumps(data))) == event


def test_records_that_earlier_versions_exported_keep_their_totals() -> None:
    """Records are readable for good. These have the totals that the version that exported them showed."""
    exported = [json.loads(line) for line in (FOLDER / "exported.jsonl").read_text().splitlines()]
    assert len(exported) == 5
    for told in exported:
        assert list(read_record(told["record"]).totals[-1]) == told["totals"]
