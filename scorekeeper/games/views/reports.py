"""Show the score chart of a game, its win probabilities and its end with other rules, and print score sheets."""

from __future__ import annotations

from contextlib import suppress

from flask import abort, render_template, request

from scorekeeper.games import queries
from scorekeeper.games.forms import plain
from scorekeeper.games.forms.house_rules import option_values
from scorekeeper.games.forms.start import seating_for
from scorekeeper.games.presenters.facts import game_facts
from scorekeeper.games.presenters.odds import busy_page, needs_solving, odds_page
from scorekeeper.games.presenters.rule_card import rule_card
from scorekeeper.games.presenters.score_sheet import blank_sheet, game_sheet, usual_seating
from scorekeeper.games.presenters.what_if import what_if_page
from scorekeeper.games.views.blueprint import bp
from scorekeeper.games.views.requests import whole_game
from scorekeeper.i18n.catalog import _
from scorekeeper.insight.solved import SolvingError, solved
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, with_options
from scorekeeper.rules.table import table_at
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.rate_limit import NEW_ODDS, costly, count, spend


@bp.get("/games/<game_id>/race")
def race(game_id: str) -> str:
    snapshot = whole_game(game_id)
    if needs_solving(snapshot) and not count(NEW_ODDS, "all"):
        # A chart without the chances is better than no chart.
        with suppress(SolvingError):
            solved(snapshot.game.table)
    return render_template("games/score_chart.html", page=queries.race_page(snapshot))


@bp.get("/games/<game_id>/odds")
@costly
def odds(game_id: str) -> str:
    """Show the win probability after each hand of a game. The first such page for a ruleset takes up to 2.5 seconds."""
    snapshot = whole_game(game_id)
    if needs_solving(snapshot):
        spend(NEW_ODDS, "all")
    try:
        page = odds_page(snapshot)
    except SolvingError:
        page = busy_page(snapshot)
    return render_template("games/odds.html", page=page)


@bp.get("/games/<game_id>/what-if")
def what_if(game_id: str) -> str:
    return render_template("games/what_if.html", page=what_if_page(whole_game(game_id)))


@bp.get("/games/<game_id>/sheet")
def sheet(game_id: str) -> str:
    snapshot = whole_game(game_id)
    return render_template("games/score_sheet.html", page=game_sheet(snapshot, blank=bool(request.args.get("blank"))))


def _asked_rules(preset: str) -> Ruleset:
    """Return the rules of the game `preset` with the house rules in the address."""
    if preset not in PRESETS:
        abort(404, description=_("There is no such game."))
    try:
        return with_options(PRESETS[preset], option_values(plain(request.args), PRESETS[preset]))
    except RuleViolation as violation:
        abort(422, description=violation.message)


@bp.get("/rules/<preset>")
def rules_of(preset: str) -> str:
    asked = _asked_rules(preset)
    facts = game_facts(table_at(asked, usual_seating(asked)))
    return render_template("games/rule_card.html", page=rule_card(asked, facts=facts))


@bp.get("/rules/<preset>/sheet", endpoint="blank_sheet")
def blank_sheet_of(preset: str) -> str:
    rules = _asked_rules(preset)
    wanted = plain(request.args).get("players", "")
    try:
        number = int(wanted) if wanted in tuple("234567") else usual_seating(rules).players
        page = blank_sheet(rules, seating_for(rules, wanted, number) if wanted else usual_seating(rules))
    except RuleViolation as violation:
        abort(422, description=violation.message)
    return render_template("games/score_sheet.html", page=page)
