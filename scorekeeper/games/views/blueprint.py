"""Define what all views of games share: the blueprint, the request, and the response with the board.

Calculate win probabilities shortly before a page needs them, so that no phone waits for them.

Send the board to a phone, either as a whole page or as only the part that changes on an open page.

Define the blueprint of games, with the error pages for missing games, missing rights and refused requests.

Read the phone, the game, the request key and the version from the current request.
"""

from collections.abc import Iterator, Mapping
from threading import Lock
from typing import Any

from cachetools import LRUCache
from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    stream_template,
    url_for,
)
from msgspec import structs
from werkzeug.exceptions import Forbidden, NotFound, TooManyRequests
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import known_device, send_device, this_device
from scorekeeper.games import queries
from scorekeeper.games.forms.base import GameForm, SeenForm, StartForm
from scorekeeper.games.logic.reconcile import choice_digest
from scorekeeper.games.pages.board import BoardPage
from scorekeeper.games.pages.common import Effect
from scorekeeper.games.presenters.board import board_page
from scorekeeper.games.presenters.correction import effect_of
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.games.services import recovery, scoring
from scorekeeper.games.services.scoring import ClientRequest, ReusedError, StaleError
from scorekeeper.games.store.access import AccessLevel, FrozenGameError, NoSuchGameError, NotYourGameError, may_score
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.insight.odds import OwnHands, is_solvable, is_solved, solve_ahead
from scorekeeper.people.tables import NoSuchPersonError
from scorekeeper.rules.commands import Command
from scorekeeper.rules.game import Entry
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.table import Table
from scorekeeper.web.errors import expected
from scorekeeper.web.extensions import db
from scorekeeper.web.rate_limit import COSTLY, HANDS, NEW_ODDS, asker, count, knows, spend

_drawn_without: LRUCache[str, tuple[Table, OwnHands | None]] = LRUCache(256)
_drawing = Lock()


def watched_board(public_id: str) -> str:
    """Return the version text of a watched game's board, as `queries.watched_board`.

    It also changes when the win probabilities become known that were missing when this process drew the board: a
    finished game doesn't change any more, so its page would stay without them.
    """
    word = queries.watched_board(public_id)
    with _drawing:
        missing = _drawn_without.get(public_id)
    return f"{word}-odds" if missing is not None and is_solved(*missing) else word


def prepare_odds(snapshot: Snapshot) -> None:
    """Start calculating the win probabilities of a game's rules if a side is halfway to the target.

    If the home table shows them during the game, start at once. Nothing happens if they are known, if there are none,
    or if many were calculated in the last minute.
    """
    table, totals = snapshot.game.table, snapshot.game.tally.totals
    needed = snapshot.shows_odds or 2 * max(totals) >= table.rules.target
    if not needed or is_solved(table, snapshot.own) or not is_solvable(table):
        return
    with _drawing:
        _drawn_without[snapshot.public_id] = table, snapshot.own
    if not count(NEW_ODDS, "all"):
        solve_ahead(table, snapshot.own)


PART = "X-Part"
"""Header with which an open page asks for only the part that changes (static/js/games/board.js).

The response has this header, too. Its value is "page" if the response is the whole board. By this value, static/sw.js
tells a board, which it may store, from a Wi-Fi login page.
"""
REST = "<!--rest-->"
"""Marks the place in the HTML of the board where the score ends and the rest begins."""


def to_board(public_id: str) -> AnyResponse:
    """Return a redirect to the board of a game.

    If the request was sent by an open page, return the board itself. This saves a round trip.
    """
    if stays():
        snapshot = queries.snapshot_of(public_id, this_device())
        prepare_odds(snapshot)
        return shown(board_page(snapshot))
    return redirect(url_for("games.board", game_id=public_id), 303)


def shown(page: BoardPage, status: int = 200) -> Response:
    """Return the board as a response with the given status.

    If the request was sent by an open page, the response has only the title and the content of `<main>`. That content
    is sent in two pieces. The score is in the first piece, so that it is visible while the rest is rendered.
    """
    if page.may_score and not page.outcome:
        page = structs.replace(
            page, code=recovery.code_to_note(page.id, this_device(), current_app.config["SECRET_KEY"])
        )
    if not stays():
        response = make_response(render_template("games/board.html", page=page), status)
        response.headers[PART] = "page"
        return response
    response = Response(_in_two(stream_template("games/board.html", page=page, part=True)), status)
    response.headers[PART] = "main"
    return response


def _in_two(pieces: Iterator[str]) -> Iterator[str]:
    """Yield the text in `pieces` as two parts. The first part has everything through the marker `REST`."""
    text: list[str] = []
    for piece in pieces:
        text.append(piece)
        if REST in piece:
            yield "".join(text)
            text = []
    yield "".join(text)


def stays() -> bool:
    """Return whether the request was sent by an open page, which replaces only the content of `<main>`."""
    return request.headers.get(PART) == "main"


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


LONG = 200
"""A game with more events than this is long, and its pages take a while to make. A whole evening has about 100."""


def start_request(content: bytes = b"") -> ClientRequest:
    """Return the `ClientRequest` that starts a game, and give a new phone its cookie.

    `content` is the content of an uploaded file, or empty if no file was uploaded. Abort with 422 if the form is
    incomplete.
    """
    form = StartForm()
    _check_complete(form)
    # The id says nothing about a file.
    return ClientRequest(known_device(), form.key(content), game_id="" if content else form.game_id)


def game_request(form: GameForm | None = None) -> ClientRequest:
    """Return the `ClientRequest` that changes a game, read from `form`. Abort with 422 if the form is incomplete.

    By default, the form of the current request is read.
    """
    sent = form or GameForm()
    _check_complete(sent)
    return ClientRequest(this_device() or "", sent.key(), int(str(sent.version.data)), sent.game_id)


def _check_complete(form: StartForm) -> None:
    if not form.validate():
        abort(422, description=_("That form was incomplete, so nothing was changed. Reload the page and try again."))


def whole_game(game_id: str) -> Snapshot:
    """Return a game for a page that shows all of its hands. Long games count toward the limit of costly requests."""
    snapshot = queries.snapshot_of(game_id, this_device())
    if snapshot.game.version > LONG:
        spend(COSTLY, asker())
    return snapshot


def own_game(game_id: str) -> Snapshot:
    """Return a game for a phone that may score it. Raises the errors of `access.admit` for any other phone."""
    return queries.snapshot_of(game_id, this_device(), needs=AccessLevel.SCORES)


def entry_at(snapshot: Snapshot, seq: int, sent: ClientRequest | None = None) -> Entry:
    """Return the hand or adjustment at log position `seq`. Abort with 404 if there is none.

    Raises `RuleViolation` if the entry was undone. If the request `sent` was made from an older version of the game,
    the undone entry is returned instead.
    """
    try:
        entry = snapshot.game.entry(seq)
    except RuleViolation:
        abort(404, description=_("There is no such hand in this game."))
    # A request at an older version may be a repetition of the one that deleted the hand.
    if not entry.live and (sent is None or snapshot.game.stands_at(sent.version)):
        raise RuleViolation("hand_voided", "That hand was already undone.")
    return entry


def carry_out(game_id: str, command: Command, sent: ClientRequest | None = None) -> AnyResponse:
    """Carry out `command` on a game, and return the board.

    `sent` is the request to use. If it is None, the request is read from the current form.
    """
    scoring.act(public_id=game_id, command=command, request=sent or game_request())
    return to_board(game_id)


def effect_before(
    snapshot: Snapshot, form: SeenForm, sent: ClientRequest, command: Command, data: Mapping[str, Any]
) -> Effect | None:
    """Carry out `command` and return None, or return the effect of `command` for review.

    `command` is carried out only if the player has reviewed its effect. `data` has the choices in the form. A
    command from an outdated page is not reviewed. If its request was carried out before, the scoring service ignores
    the repetition. Otherwise, the service refuses the request.
    """
    game = snapshot.game
    seen = choice_digest(data, game.changed)
    if form.seen.data != seen and game.stands_at(sent.version):
        return effect_of(snapshot, command, seen)
    scoring.act(public_id=snapshot.public_id, command=command, request=sent)
    return None
