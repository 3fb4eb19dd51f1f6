"""Show the rule card, change house rules, adjust scores, and settle up."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from flask import make_response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import queries
from scorekeeper.games.forms.correction import AdjustForm
from scorekeeper.games.forms.house_rules import ChangeRulesForm
from scorekeeper.games.forms.stakes import StakesForm
from scorekeeper.games.pages import SettlementPage
from scorekeeper.games.presenters.agreements import adjust_page, change_rules_page, settlement_page
from scorekeeper.games.presenters.facts import game_facts
from scorekeeper.games.presenters.rule_card import rule_card
from scorekeeper.games.views.blueprint import bp, status_of
from scorekeeper.games.views.requests import effect_before, game_request, own_game
from scorekeeper.games.views.responses import to_board
from scorekeeper.games.views.stakes import keep_stakes, remembered_stakes
from scorekeeper.i18n.catalog import spoken
from scorekeeper.rules import commands
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.violation import RuleViolation


@bp.get("/games/<game_id>/rules")
def rules(game_id: str) -> str:
    snapshot = queries.snapshot_of(game_id, this_device())
    table = snapshot.game.table
    return render_template(
        "games/rule_card.html", page=rule_card(table.rules, game_id=game_id, facts=game_facts(table))
    )


@bp.route("/games/<game_id>/house-rules", methods=["GET", "POST"])
def change_rules(game_id: str) -> AnyResponse:
    snapshot = own_game(game_id)
    if request.method == "GET":
        return make_response(render_template("games/change_rules.html", page=change_rules_page(snapshot)))
    form = ChangeRulesForm()
    sent = game_request(form)
    preset = PRESETS[snapshot.game.table.rules.preset]
    options = form.options(preset)
    try:
        command = commands.ChangeRules(with_options(preset, options))
        effect = effect_before(snapshot, form, sent, command, options)
    except RuleViolation as violation:
        page = change_rules_page(snapshot, options, violation=violation)
        return make_response(render_template("games/change_rules.html", page=page), status_of(violation))
    if effect is None:
        return to_board(game_id)
    page = change_rules_page(snapshot, options, effect=effect)
    return make_response(render_template("games/change_rules.html", page=page))


@bp.route("/games/<game_id>/adjustments", methods=["GET", "POST"])
def adjust(game_id: str) -> AnyResponse:
    snapshot = own_game(game_id)
    form = AdjustForm()
    page, status = adjust_page(snapshot), 200
    if request.method == "POST":
        sent = game_request(form)
        try:
            effect = effect_before(snapshot, form, sent, form.command(), form.choices)
        except RuleViolation as violation:
            page, status = adjust_page(snapshot, error=spoken(violation.message)), status_of(violation)
        else:
            if effect is None:
                return to_board(game_id)
            page = adjust_page(snapshot, effect=effect)
    return make_response(render_template("games/adjust.html", page=page, form=form), status)


@bp.route("/games/<game_id>/settlement", methods=["GET", "POST"])
def settle(game_id: str) -> AnyResponse:
    return _settled(game_id, partial(settlement_page, queries.snapshot_of(game_id, this_device())))


@bp.route("/games/<game_id>/evening/settlement", methods=["GET", "POST"])
def settle_night(game_id: str) -> AnyResponse:
    return _settled(f"{game_id}/evening", partial(queries.night_settlement, game_id, this_device()))


def _settled(place: str, page_for: Callable[..., SettlementPage]) -> AnyResponse:
    """Show the page that settles a game or an evening, or remember the stakes that were sent and redirect to it.

    `place` names the game or the evening, as in `keep_stakes`.
    """
    if request.method == "GET":
        stakes, settled = remembered_stakes(place)
        return make_response(render_template("games/settle.html", page=page_for(stakes, asked=settled)))
    page = page_for(StakesForm().stakes, asked=True)
    if page.error:
        return make_response(render_template("games/settle.html", page=page), 422)
    response = redirect(request.path, 303)
    keep_stakes(response, place, page.stakes)
    return response
