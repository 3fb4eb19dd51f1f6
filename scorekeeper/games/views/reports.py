"""Show what stands beside the board: rule card, settling up, charts, pictures, TV, and pages for watchers.

Remember in a cookie of the phone for which stakes its last few games were settled.

The server stores none of it. The cookie is signed, so that only stakes that this server found valid are offered again.

Show the rule card, change house rules, adjust scores, and settle up.

Show the score chart of a game, its win probabilities and its end with other rules, and print score sheets.

Show a game to watchers. The pages need no cookies, and cost almost nothing while the game is unchanged.

Send pictures of scores to the phones that keep score. `views.watch` has the pictures for watchers.

Show one or more games on a TV, and the page to choose the games.
"""

import hashlib
import io
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial

import segno
from flask import Response, abort, make_response, redirect, render_template, request, url_for
from itsdangerous import BadSignature, URLSafeSerializer
from msgspec import structs
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import list_queries, queries
from scorekeeper.games.forms.base import AdjustForm, StakesForm, plain
from scorekeeper.games.forms.house_rules import ChangeRulesForm, option_values
from scorekeeper.games.forms.start import seating_for
from scorekeeper.games.pages.common import SettlementPage
from scorekeeper.games.presenters import social_image
from scorekeeper.games.presenters.agreements import adjust_page, change_rules_page, settlement_page
from scorekeeper.games.presenters.board import board_page, read_ids, wall_page, wall_version
from scorekeeper.games.presenters.facts import game_facts
from scorekeeper.games.presenters.odds import busy_page, needs_solving, odds_page, what_if_page
from scorekeeper.games.presenters.rule_card import rule_card
from scorekeeper.games.presenters.score_sheet import blank_sheet, game_sheet, usual_seating
from scorekeeper.games.presenters.social_image import card_of, draw
from scorekeeper.games.store.access import AccessLevel, NoSuchGameError
from scorekeeper.games.views.blueprint import (
    bp,
    effect_before,
    game_request,
    own_game,
    prepare_odds,
    status_of,
    to_board,
    watched_board,
    whole_game,
)
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.insight.odds import SolvingError, solved
from scorekeeper.rules import commands
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, with_options
from scorekeeper.rules.table import table_at
from scorekeeper.web.extensions import installation_key
from scorekeeper.web.rate_limit import COSTLY, NEW_ODDS, asker, costly, count, spend
from scorekeeper.web.settings import sent_cookie, set_cookie
from scorekeeper.web.shared import shared

COOKIE = "scorekeeper_stakes"
LASTS = timedelta(days=400)
MOST = 6
"""How many games and nights are remembered with their stakes."""

Stakes = Mapping[str, str]
"""The fields of the form for settling up, with the names and texts of its inputs."""


def remembered_stakes(place: str) -> tuple[Stakes, bool]:
    """Return the stakes for `place`, and whether `place` was settled for them on this phone.

    `place` names a game or a night, as in `keep_stakes`. If it wasn't settled yet, these are the last stakes that were
    used on this phone, or empty if there are none.
    """
    kept = _kept()
    if place in kept:
        return kept[place], True
    return next(iter(kept.values()), {}), False


def keep_stakes(response: AnyResponse, place: str, stakes: Stakes) -> None:
    """Save the stakes for which `place`, a game or a night, was settled in the cookie of the phone."""
    kept = {place: {**remembered_stakes(place)[0], **stakes}} | {
        each: others for each, others in _kept().items() if each != place
    }
    set_cookie(response, COOKIE, _signed().dumps(list(kept.items())[:MOST]), LASTS)


def _kept() -> dict[str, Stakes]:
    """Return the stakes in the phone's cookie by place, newest first."""
    try:
        return dict(_signed().loads(sent_cookie(COOKIE)))
    except BadSignature:
        return {}


def _signed() -> URLSafeSerializer:
    return URLSafeSerializer(installation_key(), salt=COOKIE, signer_kwargs={"digest_method": hashlib.sha256})


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


@bp.get("/games/<game_id>/race")
def race(game_id: str) -> str:
    snapshot = whole_game(game_id)
    if needs_solving(snapshot) and not count(NEW_ODDS, "all"):
        # A chart without the chances is better than no chart.
        with suppress(SolvingError):
            solved(snapshot.game.table, snapshot.own)
    return render_template("games/score_chart.html", page=queries.race_page(snapshot))


@bp.get("/games/<game_id>/odds")
@costly
def odds(game_id: str) -> str:
    """Show the win probability after each hand of a game. The first such page for a ruleset takes up to 5 seconds."""
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


@bp.get("/watch/<game_id>")
def watch(game_id: str) -> Response:
    def drawn(_version: str) -> str:
        snapshot = queries.snapshot_of(game_id, None)
        if snapshot.league:
            # This page is drawn again when the game changes, not when its night is closed or reopened.
            snapshot = replace(snapshot, league=structs.replace(snapshot.league, closed=False))
        prepare_odds(snapshot)
        return render_template("games/board.html", page=board_page(snapshot))

    return shared(watched_board, game_id, draw=drawn)


@bp.get("/watch/<game_id>/score.png")
def picture(game_id: str) -> Response:
    """Return a picture (PNG) of the score, for link previews and group chats."""

    def drawn(_version: str) -> bytes:
        spend(COSTLY, asker())  # not if the browser has it already
        return draw(card_of(board_page(queries.snapshot_of(game_id, None))))

    response = shared(queries.watched_version, game_id, draw=drawn)
    response.mimetype = "image/png"
    response.vary.add("Accept-Language")
    return response


@bp.get("/watch/<game_id>/code.svg")
def watch_code(game_id: str) -> Response:
    """Return a QR code (SVG) of the address for watching the game."""
    queries.watched_version(game_id)
    drawn = io.BytesIO()
    address = url_for("games.watch", game_id=game_id, _external=True)
    segno.make(address, micro=False).save(drawn, kind="svg", scale=4, border=4, light="#fff", xmldecl=False)
    return Response(drawn.getvalue(), mimetype="image/svg+xml")


@bp.get("/games/<game_id>/score.png")
@costly
def own_picture(game_id: str) -> AnyResponse:
    """Return a picture (PNG) of the score for a phone that may score. This works even if watching is turned off."""
    snapshot = queries.snapshot_of(game_id, this_device(), needs=AccessLevel.SCORES)
    return picture_response(draw(card_of(board_page(snapshot))))


@bp.get("/games/<game_id>/evening")
def evening(game_id: str) -> str:
    """Show the games of the evening on which a game was played, with a picture and a message to share."""
    return render_template("games/evening.html", page=queries.evening_of(game_id, this_device()))


@bp.get("/games/<game_id>/evening.png")
@costly
def evening_picture(game_id: str) -> AnyResponse:
    return picture_response(
        social_image.draw_evening(social_image.evening_card_of(queries.evening_of(game_id, this_device())))
    )


def picture_response(png: bytes) -> AnyResponse:
    """Return a response with a PNG that only this phone may cache.

    If the phone has the PNG already, the response is 304.
    """
    response = make_response(png)
    response.mimetype = "image/png"
    response.headers["Cache-Control"] = "private, no-cache"
    response.add_etag()
    return response.make_conditional(request)


@bp.get("/watch/<game_id>/tv")
def tv(game_id: str) -> Response:
    return _wall(game_id)


@bp.get("/watch/tv")
def wall() -> AnyResponse:
    try:
        return _wall(*read_ids(request.args.getlist("games")))
    except NoSuchGameError:
        abort(404, description=_("None of those games can be watched."))


@bp.get("/tv")
def choose_wall() -> AnyResponse:
    """Show the page on which people choose games for the TV. If the query names games, redirect to their TV page."""
    typed = request.args.getlist("games")
    if not any(typed):
        return make_response(render_template("games/tv_choice.html", page=list_queries.wall_choice(this_device())))
    games = [game for game, _version in _watched(read_ids(typed))]
    if not games:
        page = list_queries.wall_choice(this_device(), typed=typed[-1], error=_("Game not found. Check the link."))
        return make_response(render_template("games/tv_choice.html", page=page), 422)
    look = "light" if request.args.get("look") == "light" else None
    return redirect(url_for("games.wall", games=",".join(games), look=look), 303)


def _watched(ids: Sequence[str]) -> list[tuple[str, str]]:
    """Return a (public id, version) pair for each of these games (public ids) that can be watched."""
    games = []
    for game_id in ids:
        try:
            games.append((game_id, queries.watched_version(game_id)))
        except NoSuchGameError:
            continue
    return games


def _wall(*ids: str) -> Response:
    def draw(version: str) -> str:
        snapshots = [queries.snapshot_of(game_id, None) for game_id, _version in _watched(ids)]
        for snapshot in snapshots:
            prepare_odds(snapshot)
        page = wall_page(snapshots, address=request.full_path.removesuffix("?"), version=version)
        return render_template("games/tv.html", page=page)

    return shared(_version_of_all, *ids, draw=draw)


def _version_of_all(*ids: str) -> str:
    """Return a string that changes when any of the games changes. Raises `NoSuchGameError` if none can be watched."""
    games = _watched(ids)
    if not games:
        raise NoSuchGameError
    return wall_version(games)
