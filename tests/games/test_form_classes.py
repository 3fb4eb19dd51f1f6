"""Form classes accept valid values from a request, and ignore or refuse others."""

from __future__ import annotations

import io
import json

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from scorekeeper.games.forms.base import AdjustForm, GameForm, NamesForm, TailForm
from scorekeeper.games.forms.hand import BidForm, HandForm
from scorekeeper.games.forms.start import NewGameForm, RecordForm, Setup, UnusedForm
from scorekeeper.games.logic.reconcile import request_key, sender_id
from scorekeeper.rules.commands import AdjustScore, EnterHand, TakeBid
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS

APP = Flask("forms")
APP.config["WTF_I18N_ENABLED"] = False


@pytest.fixture(autouse=True)
def request_of_nothing() -> object:
    """Open the context of an empty request, which the form classes need."""
    with APP.test_request_context():
        yield


def test_the_points_of_every_game_are_read() -> None:
    for rules in PRESETS.values():
        told = {category.key: "0" for category in rules.categories}
        assert HandForm(MultiDict(told)).entries.data == told, rules.preset


def test_unknown_fields_are_not_part_of_a_hand() -> None:
    sent = MultiDict({"high": "1", "taken-0": "2", "card-AS": "0", "version": "7", "anything": "else"})
    assert HandForm(sent).entries.data == {"high": "1", "taken-0": "2", "card-AS": "0"}


def test_control_characters() -> None:
    assert HandForm(MultiDict({"bid": "2\x07"})).entries.data == {"bid": "2 "}
    assert NamesForm(MultiDict({"name-1": "Bo\x07b"})).by_seat(3) == ["", "Bo\x07b", ""]


def test_grid_and_pad_send_the_same_bid() -> None:
    pad = {"bidder": "1", "bid": "pitch", "trump": "H"}
    assert BidForm(MultiDict(pad)).bid() == TakeBid(1, "pitch", "H")
    assert BidForm(MultiDict({"call": "1:pitch", "trump": "H"})).bid() == TakeBid(1, "pitch", "H")
    assert BidForm(MultiDict({"call": "passed"})).bid() == EnterHand({"passed": True})
    assert BidForm(MultiDict({"call": "conceded"})).bid() == EnterHand({"conceded": True})
    with pytest.raises(RuleViolation, match="Choose the bidder"):
        BidForm(MultiDict({"bid": "2"})).bid()


def test_subtracting_ignores_a_typed_sign() -> None:
    sent = {"side": "1", "points": "3", "reason": "revoke"}
    assert AdjustForm(MultiDict({**sent, "sign": "-"})).command() == AdjustScore(1, -3, "revoke")
    assert AdjustForm(MultiDict({**sent, "sign": "-", "points": "-3"})).command() == AdjustScore(1, -3, "revoke")
    assert AdjustForm(MultiDict({**sent, "sign": "+"})).command() == AdjustScore(1, 3, "revoke")


def test_an_invalid_code_has_no_hands() -> None:
    assert TailForm(MultiDict({"sent": '{"version": 1}'})).hands() == {"version": 1}
    for sent in ("", "z", "z!!", "jbm8", "[" * 100_000):
        assert TailForm(MultiDict({"sent": sent})).hands() is None, sent[:9]


@pytest.mark.parametrize("version", ["", "0", "-1", "7.0", "12345678", "７"])
def test_a_request_needs_a_version(version: str) -> None:
    assert GameForm(MultiDict({"client_id": "tap-0001", "version": "7"})).validate()
    assert not GameForm(MultiDict({"client_id": "tap-0001", "version": version})).validate()
    assert not GameForm(MultiDict({"client_id": "tap", "version": "7"})).validate()


@pytest.mark.parametrize("sent", [[1], 5, {"client_id": "tap-0001", "version": "7", "call": 5}])
def test_json_is_no_form(sent: object) -> None:
    with APP.test_request_context(method="POST", data=json.dumps(sent), content_type="application/json"):
        form = BidForm()
        assert not form.validate()
        assert form.call.data is None


def test_a_file_in_place_of_a_field_is_ignored() -> None:
    sent = {"client_id": "tap-0001", "version": "7", "call": (io.BytesIO(b"0:2"), "call.txt")}
    with APP.test_request_context(method="POST", data=sent):
        form = BidForm()
        assert form.validate()
        assert form.call.data is None


def test_a_request_key_depends_on_the_content() -> None:
    """A form has the same request key for its review and for its confirmation if the choices are the same.

    Other choices, or the same choices for another game, give a different key.
    """

    def key(path: str = "/games/x/hands", **more: str) -> str:
        with APP.test_request_context(path, method="POST", data={"client_id": "tap-0001", "high": "0", **more}):
            return HandForm().key()

    assert key() == key(seen="abc", sure="abc", csrf_token="other")
    assert sender_id(key()) == "tap-0001"
    assert len({key(), key(path="/games/y/hands"), key(low="1"), key(high="1")}) == 4


def test_a_key_fits_the_log() -> None:
    assert len(request_key("a" * 64, b"")) == 64


FIRST = PRESETS["setback-21"]
EMPTY = Setup(FIRST, FIRST.seatings[0], ("",) * 4)
SEATED = {f"name-{seat}": name for seat, name in enumerate(("Ann ", "Bob", "Cid", "Dee"))}


def test_setup_of_a_new_game() -> None:
    sent = {**SEATED, "preset": "setback-21", "seating": "4", "first_dealer": "3", "rule-target": "31", "rule-low": "?"}
    setup = NewGameForm(MultiDict(sent)).setup(EMPTY)
    assert (setup.preset, setup.seating.kind, setup.dealer) == (FIRST, "alone", 3)
    assert setup.names == ("Ann", "Bob", "Cid", "Dee")
    assert setup.options == {"target": 31, "low": "?"}, "what cannot be read is for the rules to refuse"


def test_changing_the_game_keeps_the_players() -> None:
    sent = {**SEATED, "preset": "setback-21", "seating": "4p", "choose": "pitch-11", "rule-target": "31"}
    setup = NewGameForm(MultiDict(sent)).setup(EMPTY)
    assert (setup.preset.preset, setup.seating.kind, setup.options) == ("pitch-11", "partners", {})
    assert setup.names == ("Ann", "Bob", "Cid", "Dee")


def test_choices_not_offered_are_ignored() -> None:
    told = MultiDict({"preset": "whist", "seating": "9p", "first_dealer": "8"})
    assert NewGameForm(told).setup(EMPTY) == EMPTY


def test_a_record_comes_as_a_file_or_as_text() -> None:
    with APP.test_request_context(method="POST", data={"record": (io.BytesIO(b"{}"), "game.json"), "text": "[]"}):
        assert RecordForm().read() == b"{}"
    with APP.test_request_context(method="POST", data={"record": (io.BytesIO(b""), ""), "text": "[]"}):
        assert RecordForm().read() == b"[]"


def test_checked_games_are_deleted() -> None:
    assert UnusedForm(MultiDict([("game", "abc"), ("game", "def")])).chosen == ["abc", "def"]
    assert UnusedForm().chosen == []
