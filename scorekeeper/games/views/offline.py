"""Send a phone the data that it needs to score a game offline, and save the changes that it sends later."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from flask import Response, jsonify, request
from flask_wtf.csrf import generate_csrf

from scorekeeper.accounts.devices import known_device, this_device
from scorekeeper.db.tokens import PUBLIC_ID
from scorekeeper.games import queries
from scorekeeper.games.logic.reconcile import Behind, WaitingHand
from scorekeeper.games.logic.waiting_changes import WaitingChange, WaitingEdit
from scorekeeper.games.presenters.client_state import CHECKED_LATER, FIELDS, PARTS, UNBID_FIELDS, score_state
from scorekeeper.games.presenters.disputes import dispute_text
from scorekeeper.games.services.offline_start import WaitingStart, is_started, start_waiting
from scorekeeper.games.services.offline_sync import save_waiting
from scorekeeper.games.services.scoring import ReusedError
from scorekeeper.games.store.access import NoSuchGameError, NotYourGameError
from scorekeeper.games.views.blueprint import bp, own_game, status_of
from scorekeeper.games.views.offline_bundle import bundle_of
from scorekeeper.i18n.catalog import N_, _, ngettext, spoken
from scorekeeper.i18n.sentences import join_names
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.record import read_record
from scorekeeper.web.rate_limit import NEW_GAMES, NEW_GAMES_BY_HOUR, asker, spend

MOST = 200
"""Maximum number of changes in one request. A phone with more changes sends several requests."""
MOST_EVENTS = 1_000_000
"""Largest version or hand number that is accepted: a larger number might not fit a database column."""
UNREAD = N_("The server can't read these hands, so they stay on this phone. Copy them as text.")
TOO_LATE = N_(
    "The bell had rung. Hands after your table's last one don't count, but stay in the history. "
    "If they should count, ask the desk."
)
DESK_ENDED = N_(
    "The desk has entered this game's final score. Hands saved after that don't count, but stay in the history. "
    "If the score is wrong, ask the desk."
)
LATEST = 4_102_444_800_000
"""The year 2100 on the clock of a phone, in milliseconds; no later time is accepted."""
PHONE_ID = re.compile(r"[A-Za-z0-9_-]{8,43}")


@bp.get("/games/<game_id>/kit.json")
def kit(game_id: str) -> Response:
    """Return as JSON everything that the phone needs to keep scoring this game offline."""
    return jsonify(bundle_of(own_game(game_id)))


@bp.get("/games/<game_id>/waiting")
def form_token(game_id: str) -> Response:
    """Return a new CSRF token as JSON, for a page of this game that has been open for days."""
    own_game(game_id)
    return jsonify(token=generate_csrf())


@bp.get("/games/token")
def token_to_start() -> Response:
    """Return a new CSRF token as JSON, for sending a game that the phone started offline."""
    return jsonify(token=generate_csrf())


@bp.post("/games/<game_id>/waiting")
def waiting(game_id: str) -> tuple[Response, int]:
    """Save the changes that a phone made offline. If the phone started the game offline, start the game first.

    Every response is JSON, so that the phone can tell it from a Wi-Fi login page.
    """
    sent = _json()
    if isinstance(sent, dict) and "start" in sent:
        try:
            _start(game_id, sent["start"])
        except RuleViolation as violation:
            return jsonify(trouble="start", why=spoken(violation.message)), 422
    try:
        own_game(game_id)
        if isinstance(sent, dict) and "start" in sent and sent.get("hands") == []:
            return jsonify(saved=[], state=_state(game_id)), 200
        tail = read_changes(sent)
        if tail is None:
            return jsonify(trouble="unread", why=_(UNREAD)), 422
        version, hands = tail
        outcome = save_waiting(public_id=game_id, device=this_device() or "", version=version, hands=hands)
    except NoSuchGameError:
        return jsonify(trouble="gone"), 404
    except NotYourGameError:
        return jsonify(trouble="watching"), 403
    except ReusedError as error:
        return jsonify(trouble="other", number=error.number, state=_state(game_id)), 409
    except RuleViolation as violation:
        number = None if violation.hand is None else violation.hand + 1
        why = spoken(violation.message)
        return jsonify(trouble="refused", number=number, why=why, state=_state(game_id)), status_of(violation)
    if isinstance(outcome, Behind):
        return jsonify(trouble="moved", number=outcome.number or None, state=_state(game_id)), 409
    answer = {"saved": [hand.client_id for hand in hands], "state": score_state(outcome.game)}
    if outcome.disputed is not None:
        number = outcome.disputed.number
        return jsonify(**answer, trouble="differs", number=number, why=_why(game_id, number)), 409
    if outcome.too_late:
        by_bell = outcome.game.outcome is not None and outcome.game.outcome.rule == "time"
        late = [str(hand.number) for hand in hands if hand.client_id in outcome.too_late]
        which = ngettext(
            "Not counted: hand %(hands)s.", "Not counted: hands %(hands)s.", len(late), hands=join_names(late)
        )
        answer["why"] = f"{which} {_(TOO_LATE if by_bell else DESK_ENDED)}"
    return jsonify(**answer, set_aside=sorted(outcome.set_aside)), 200


def _start(game_id: str, sent: Any) -> None:
    """Start a game that a phone started offline. Raises `RuleViolation` if the data `sent` by the phone is invalid."""
    start = read_start(sent)
    if not PUBLIC_ID.fullmatch(game_id):
        raise RuleViolation("start_shape", "That game can't be read.")
    if not is_started(game_id):
        for limit in (NEW_GAMES, NEW_GAMES_BY_HOUR):
            spend(limit, asker())
    start_waiting(public_id=game_id, start=start, device=known_device())


def read_start(sent: Any) -> WaitingStart:
    """Parse the start of a game from the decoded JSON that a phone sent.

    Raises `RuleViolation` if the JSON is invalid.
    """
    match sent:
        case {"id": str(client_id), "at": int(at), "record": dict(told), **rest} if (
            PHONE_ID.fullmatch(client_id) and 0 < at < LATEST
        ):
            fields = {key: told.get(key) for key in ("format", "ruleset", "players", "sides", "first_dealer")}
            after = rest.get("after")
            happened = datetime.fromtimestamp(at / 1000, UTC)
            record = read_record({**fields, "hands": []})
            return WaitingStart(client_id, record, happened, after if isinstance(after, str) else "")
    raise RuleViolation("start_shape", "That game can't be read.")


def _json() -> Any:
    """Return the decoded JSON of the current request, or None if it is not JSON or is nested too deeply."""
    try:
        return request.get_json(silent=True)
    except RecursionError:
        return None


def _state(game_id: str) -> dict[str, Any]:
    return score_state(queries.snapshot_of(game_id, this_device()).game)


def _why(game_id: str, number: int) -> str:
    """Return a sentence that compares the two phones' versions of hand `number`. The hand must be in dispute."""
    snapshot = queries.snapshot_of(game_id, this_device())
    entry = snapshot.game.hands[number - 1].entry
    return dispute_text(snapshot, number, entry, entry.disputes[-1])


def read_tail(sent: Any) -> tuple[int, tuple[WaitingHand, ...]] | None:
    """Parse the decoded JSON that a phone sent, and return (version, hands), or None if the JSON is invalid.

    `version` is the version of the game that the phone saw. The hands must be numbered without gaps.
    """
    version, hands = (sent.get("version"), sent.get("hands")) if isinstance(sent, dict) else (None, None)
    if (
        type(version) is not int
        or not 1 <= version <= MOST_EVENTS
        or not isinstance(hands, list)
        or not 0 < len(hands) <= MOST
    ):
        return None
    read = [hand for hand in map(_hand, hands) if hand is not None]
    if len({hand.client_id for hand in read}) != len(hands):
        return None
    in_order = [hand.number for hand in read] == list(range(read[0].number, read[0].number + len(read)))
    return (version, tuple(read)) if in_order else None


def read_changes(sent: Any) -> tuple[int, tuple[WaitingChange, ...]] | None:
    """Parse the decoded JSON that a phone sent, and return (version, changes), or None if the JSON is invalid.

    `version` is the version of the game that the phone saw. In the JSON, the list `hands` has the changes in order. An
    entry with a field "hand" is a hand, and an entry with a field "kind" is another change.
    """
    changes = sent.get("hands") if isinstance(sent, dict) else None
    if not isinstance(changes, list) or not any(isinstance(each, dict) and "kind" in each for each in changes):
        return read_tail(sent)
    version = sent.get("version")
    if type(version) is not int or not 1 <= version <= MOST_EVENTS or len(changes) > MOST:
        return None
    read = [_edit(each) or _hand(each) for each in changes]
    known = [change for change in read if change is not None]
    complete = len({change.client_id for change in known}) == len(changes)
    return (version, tuple(known)) if complete else None


def _edit(sent: Any) -> WaitingEdit | None:
    match sent:
        case {"id": str(client_id), "number": int(number), "kind": str(kind)} if (
            PHONE_ID.fullmatch(client_id) and 0 <= number <= MOST_EVENTS and kind in FIELDS_OF
        ):
            data = {key: value for key, value in sent.items() if key not in ("id", "number", "kind", "at")}
            read = FIELDS_OF[kind]
            complete = data.keys() == read.keys() and all(read[key](value) for key, value in data.items())
            return WaitingEdit(client_id, number, kind, data, _moment(sent)) if complete else None
    return None


def _moment(sent: Mapping[str, Any]) -> datetime | None:
    """Return when a change was made by the phone's clock, or None if `sent` doesn't say, as from an older page."""
    at = sent.get("at")
    return datetime.fromtimestamp(at / 1000, UTC) if type(at) is int and 0 < at < LATEST else None


def _is_number(value: Any) -> bool:
    return type(value) is int and abs(value) <= MOST_EVENTS


def _is_target(value: Any) -> bool:
    return _is_number(value) or (isinstance(value, str) and PHONE_ID.fullmatch(value) is not None)


def _is_hand(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() <= HAND_FIELDS


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


HAND_FIELDS = {*FIELDS, *UNBID_FIELDS, *CHECKED_LATER, *PARTS}
FIELDS_OF: Mapping[str, Mapping[str, Callable[[Any], bool]]] = {
    "undo": {"of": _is_target},
    "delete": {"of": _is_target},
    "correct": {"of": _is_target, "hand": _is_hand},
    "dealer": {"dealer": _is_number},
    "misdeal": {},
    "adjust": {"side": _is_number, "points": _is_number, "reason": _is_text},
    "concede": {"winner": _is_number},
    "abandon": {},
    "reopen": {},
}
"""The fields of each kind of change, each with the test for its value; the rules check the rest."""


def _hand(sent: Any) -> WaitingHand | None:
    match sent:
        case {"id": str(client_id), "number": int(number), "hand": {"dealer": int(), **rest}} if (
            PHONE_ID.fullmatch(client_id) and 0 < number <= MOST_EVENTS and rest.keys() <= HAND_FIELDS
        ):
            return WaitingHand(client_id, number, sent["hand"], _moment(sent))
    return None
