"""What a table agrees on: the rule card, other house rules, points for a side, money at the end."""

from __future__ import annotations

from flask import make_response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import queries
from scorekeeper.games.forms import option_values, plain, read_points
from scorekeeper.games.presenters.agreements import adjust_page, change_rules_page, settlement_page
from scorekeeper.games.presenters.rule_card import rule_card
from scorekeeper.games.presenters.snapshot import choice_digest
from scorekeeper.games.views.blueprint import bp, status_of
from scorekeeper.games.views.requests import own_game, saved, tap_at_game
from scorekeeper.games.views.responses import to_board
from scorekeeper.i18n.catalog import spoken
from scorekeeper.rules import commands
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.violation import RuleViolation


@bp.get("/games/<game_id>/rules")
def rules(game_id: str) -> str:
    snapshot = queries.snapshot_of(game_id, this_device())
    return render_template("games/rules.html", page=rule_card(snapshot.game.table.rules, game_id=game_id))


@bp.route("/games/<game_id>/house-rules", methods=["GET", "POST"])
def change_rules(game_id: str) -> AnyResponse:
    snapshot = own_game(game_id)
    if request.method == "GET":
        return make_response(render_template("games/change_rules.html", page=change_rules_page(snapshot)))
    tap = tap_at_game()
    preset = PRESETS[snapshot.game.table.rules.preset]
    options = option_values(plain(request.form), preset)
    try:
        command = commands.ChangeRules(with_options(preset, options))
        if saved(snapshot, options, command, tap):
            return to_board(game_id)
        events = commands.decide(snapshot.game, command)
    except RuleViolation as violation:
        page = change_rules_page(snapshot, options, violation=violation)
        return make_response(render_template("games/change_rules.html", page=page), status_of(violation))
    seen = choice_digest(options, snapshot.game.changed)
    page = change_rules_page(snapshot, options, events=events, seen=seen)
    return make_response(render_template("games/change_rules.html", page=page))


@bp.route("/games/<game_id>/adjustments", methods=["GET", "POST"])
def adjust(game_id: str) -> AnyResponse:
    snapshot = own_game(game_id)
    fields = plain(request.form)
    if request.method == "GET":
        return make_response(render_template("games/adjust.html", page=adjust_page(snapshot, fields)))
    tap = tap_at_game()
    data = {key: fields.get(key, "") for key in ("side", "sign", "points", "reason")}
    side = data["side"]
    points = read_points(data["points"])
    if data["sign"] == "-":
        points = -abs(points)
    command = commands.AdjustScore(int(side) if side in tuple("0123456") else -1, points, data["reason"])
    try:
        if not side:
            raise RuleViolation("side_missing", "Say whose score it is.", field="side")
        if saved(snapshot, data, command, tap):
            return to_board(game_id)
        events = commands.decide(snapshot.game, command)
    except RuleViolation as violation:
        page = adjust_page(snapshot, fields, error=spoken(violation.message))
        return make_response(render_template("games/adjust.html", page=page), status_of(violation))
    seen = choice_digest(data, snapshot.game.changed)
    return make_response(
        render_template("games/adjust.html", page=adjust_page(snapshot, fields, events=events, seen=seen))
    )


@bp.get("/games/<game_id>/settlement")
def settle(game_id: str) -> AnyResponse:
    page = settlement_page(queries.snapshot_of(game_id, this_device()), plain(request.args))
    return make_response(render_template("games/settle.html", page=page), 422 if page.error else 200)
