"""Define the blueprint of games, with the error pages for missing games, missing rights and refused requests."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, make_response, request
from werkzeug.exceptions import Forbidden, NotFound, TooManyRequests

from scorekeeper.accounts.devices import send_device, this_device
from scorekeeper.games import queries
from scorekeeper.games.presenters.board import board_page
from scorekeeper.games.services.scoring import ReusedError, StaleError
from scorekeeper.games.store.access import NoSuchGameError, NotYourGameError, may_score
from scorekeeper.games.store.hooks import FrozenGameError
from scorekeeper.games.views.responses import shown
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.people.tables import NoSuchPersonError
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.errors import expected
from scorekeeper.web.extensions import db
from scorekeeper.web.rate_limit import HANDS, asker, knows, spend

bp = Blueprint("games", __name__)
bp.after_request(send_device)


@bp.before_request
def no_faster_than_people() -> None:
    """Abort with 429 if a client sends changes to a game faster than people play.

    Each phone that may score the game has its own limit, because all phones of a league night can share one IP address.
    All other phones at an IP address share one limit, because such a phone could escape a separate limit by changing
    its cookie.
    """
    game_id = (request.view_args or {}).get("game_id")
    if request.method == "POST" and game_id:
        device = this_device()
        who = f"{device} {game_id}"
        own = device and (knows(HANDS, who) or may_score(db.session(), game_id, device))
        spend(HANDS, who if own else asker())


TOO_LATE = frozenset(
    ("game_over", "hand_voided", "hand_live", "nothing_to_undo", "nothing_to_redo", "report_settled", "in_play")
)
"""Codes of violations caused by an earlier request: the page showed an older state of the game."""
GONE = N_("Game not found. It may have been deleted, or watching is turned off.")
WATCHING = N_(
    "This phone can watch this game but not score it. To score here, get a link from the phone that started the game: "
    "Menu, then Add a scorer."
)
REUSED = N_("This page was out of date, so this change wasn't saved. Here's the game now.")
MOVED_ON = N_("Someone else changed the game first, so your change wasn't saved. Here's the game now.")


@bp.errorhandler(NoSuchGameError)
def no_such_game(error: NoSuchGameError) -> Response:
    return expected(NotFound(description=_(GONE)))


@bp.errorhandler(NoSuchPersonError)
def no_such_person(error: NoSuchPersonError) -> Response:
    return expected(NotFound(description=_("That player isn't at this phone's table.")))


@bp.errorhandler(TooManyRequests)
def too_often(error: TooManyRequests) -> Response:
    """Return a 429 error page that says how long to wait.

    A phone that sends offline hands gets JSON instead of a page, so that it keeps the hands.
    """
    if not request.is_json:
        return expected(error)
    response = make_response(jsonify(trouble="broken"), 429)
    response.headers.extend([each for each in error.get_headers() if each[0] == "Retry-After"])
    return response


@bp.errorhandler(NotYourGameError)
def not_your_game(error: NotYourGameError) -> Response:
    return expected(Forbidden(description=_(WATCHING)))


@bp.errorhandler(FrozenGameError)
def frozen(error: FrozenGameError) -> Response:
    return expected(Forbidden(description=spoken(error.violation.message)))


@bp.errorhandler(StaleError)
def moved_on(error: StaleError | None = None) -> Response:
    """Return the current board with status 409 and a notice that nothing was saved.

    This is the response to a request from a page that showed an outdated version of the game.
    """
    return shown(board_page(queries.snapshot_of(_game_id(), this_device()), notice=_(MOVED_ON)), 409)


@bp.errorhandler(ReusedError)
def reused(error: ReusedError) -> Response:
    return shown(board_page(queries.snapshot_of(_game_id(), this_device()), notice=_(REUSED)), 409)


@bp.errorhandler(RuleViolation)
def refused(violation: RuleViolation) -> Response:
    page = board_page(queries.snapshot_of(_game_id(), this_device()), notice=spoken(violation.message))
    return shown(page, status_of(violation))


def _game_id() -> str:
    return str((request.view_args or {})["game_id"])


def status_of(violation: RuleViolation) -> int:
    """Return the HTTP status for a violation.

    The status is 409 if an earlier request made this one invalid, for example by ending the game. Otherwise it is 422.
    """
    return 409 if violation.code in TOO_LATE else 422
