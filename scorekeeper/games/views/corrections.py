"""Correct and delete older hands, settle disputes, and show the game log."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Response, make_response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import queries
from scorekeeper.games.forms.base import SeenForm
from scorekeeper.games.forms.correction import SettleReportForm
from scorekeeper.games.forms.hand import HandForm, hand_data
from scorekeeper.games.pages import CorrectionPage
from scorekeeper.games.presenters.correction import correction_page
from scorekeeper.games.services import hand_disputes
from scorekeeper.games.services.scoring import StaleError
from scorekeeper.games.views.blueprint import bp, status_of
from scorekeeper.games.views.requests import effect_before, entry_at, game_request, own_game, whole_game
from scorekeeper.games.views.responses import to_board
from scorekeeper.games.views.stale_submissions import late_correction
from scorekeeper.i18n.catalog import spoken
from scorekeeper.rules import commands
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.log_export import LogRow, log_csv, log_file, log_json
from scorekeeper.web.text import whole_number

LOG_LINES = 100
"""Maximum number of entries of a game log on one page."""


@bp.route("/games/<game_id>/hands/<int:seq>/correction", methods=["GET", "POST"])
def correction(game_id: str, seq: int) -> AnyResponse:
    snapshot = own_game(game_id)
    if request.method == "GET":
        return _shown(correction_page(snapshot, entry_at(snapshot, seq)))
    form = HandForm()
    sent = game_request(form)
    entry = entry_at(snapshot, seq, sent)
    data = hand_data(form.entries.data, snapshot.game.table)
    # If another side bid, the page asks for its points: what follows from the others is filled in.
    chosen = form.entries.data | {f"taken-{side}": str(points) for side, points in enumerate(data.get("taken", ()))}
    try:
        effect = effect_before(snapshot, form, sent, commands.CorrectHand(seq, data), data)
    except StaleError:
        return late_correction(game_id, seq, sent)
    except RuleViolation as violation:
        page = correction_page(snapshot, entry, chosen=chosen, error=spoken(violation.message))
        return _shown(page, status_of(violation))
    return _shown(correction_page(snapshot, entry, chosen=chosen, effect=effect)) if effect else to_board(game_id)


@bp.post("/games/<game_id>/hands/<int:seq>/void")
def void_hand(game_id: str, seq: int) -> AnyResponse:
    snapshot = own_game(game_id)
    form = SeenForm()
    sent = game_request(form)
    entry = entry_at(snapshot, seq, sent)
    effect = effect_before(snapshot, form, sent, commands.VoidHand(seq), {"void": seq})
    return _shown(correction_page(snapshot, entry, effect=effect, striking=True)) if effect else to_board(game_id)


def _shown(page: CorrectionPage, status: int = 200) -> Response:
    return make_response(render_template("games/correction.html", page=page), status)


@bp.post("/games/<game_id>/hands/<int:seq>/reports/<int:report>")
def settle_report(game_id: str, seq: int, report: int) -> AnyResponse:
    """Settle a dispute about the hand at log position `seq`. `report` is the log position of the disputed report."""
    form = SettleReportForm()
    how, reason = form.how.data or "", form.reason.data or ""
    sent = game_request(form)
    hand_disputes.settle_report(public_id=game_id, seq=seq, report=report, how=how, reason=reason, request=sent)
    return to_board(game_id)


@bp.post("/games/<game_id>/settled/seen")
def see_settled(game_id: str) -> AnyResponse:
    """Remember that this phone's user has seen how the disputes about hands were settled."""
    hand_disputes.note_seen(public_id=game_id, request=game_request(), now=datetime.now(UTC))
    return to_board(game_id)


@bp.get("/games/<game_id>/log.csv")
def log_as_csv(game_id: str) -> Response:
    return log_file(log_csv(_rows(game_id)), f"log-{game_id}.csv")


@bp.get("/games/<game_id>/log.json")
def log_as_json(game_id: str) -> Response:
    return log_file(log_json(_rows(game_id)), f"log-{game_id}.json")


def _rows(game_id: str) -> list[LogRow]:
    entries = reversed(queries.log_of(whole_game(game_id)).entries)
    return [LogRow(one.when, one.who, one.what, one.before, one.after) for one in entries]


@bp.get("/games/<game_id>/log")
def log(game_id: str) -> str:
    before = whole_number(request.args.get("before", ""), 9)
    snapshot = queries.snapshot_of(game_id, this_device())
    return render_template("games/log.html", page=queries.log_of(snapshot, before=before, most=LOG_LINES))
