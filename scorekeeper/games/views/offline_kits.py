"""Give a phone what it needs to start games without a signal: pages and bundles with placeholders, as one JSON.

The service worker (`static/sw.js`) answers the forms of the new-game page with them when the server doesn't.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from flask import Response, jsonify, render_template

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import list_queries
from scorekeeper.games.forms.house_rules import option_text
from scorekeeper.games.forms.start import Setup, seating_value
from scorekeeper.games.pages import NewGamePage, PersonChip, SavedRules
from scorekeeper.games.people_queries import OFFERED_PEOPLE, TablePerson, people_at
from scorekeeper.games.presenters.board import board_page
from scorekeeper.games.presenters.new_game import option_fields, setup_page
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.games.services import house_rules
from scorekeeper.games.views.blueprint import bp
from scorekeeper.games.views.kit_packing import packed
from scorekeeper.games.views.offline_bundle import bundle_of
from scorekeeper.i18n.catalog import _
from scorekeeper.i18n.elision import elisions
from scorekeeper.rules import events as ev
from scorekeeper.rules.parts import Seating
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import replay
from scorekeeper.rules.ruleset import Ruleset, differing
from scorekeeper.rules.table import set_table, sides_of
from scorekeeper.web.locale import page_language
from scorekeeper.web.rate_limit import costly, one_at_a_time

GAME = "aeiouaeiou"
"""Placeholder for the id of a game; no real id has vowels."""
CLIENT = "placeholder-for-an-id"
"""Placeholder for the request key of a form."""
MAIN = "<!--main-->"
"""Placeholder for the content of `main`."""
NAME = "\ue000{}\ue001"
"""Placeholder for the name at a seat."""
MOST_SEATS = 4
"""Tables with more seats are offered only where they are a game's usual one, or this phone's last."""
MOST_SAVED = 4
"""Saved house rules that a phone can use without a signal, the first by name."""
REMEMBERED = 96
"""Bundles that a process keeps: those of all games in two languages take some ten megabytes."""


@bp.get("/games/kits.json")
@costly
@one_at_a_time
def kits() -> Response:
    """Return the pages and bundles for the games that this phone can start without a signal.

    It takes a tenth of a second, and a whole hall may ask at once; a phone that got 503 asks again with its next page.
    """
    device = this_device()
    people = tuple(each for each in people_at(device) if not each.hidden)
    saved = house_rules.saved_rules(device, PRESETS["setback-21"])[:MOST_SAVED]
    last = list_queries.last_setup(device)
    tables = [(rules, seating, 0) for rules in PRESETS.values() for seating in _seatings(rules)]
    if (last.preset, last.seating, 0) not in tables:
        tables.append((last.preset, last.seating, 0))
    for each in saved:
        rules = house_rules.rules_kept(device, str(each.id))
        if rules is not None:
            tables.append((rules, rules.seatings[0], each.id))
    made = [_kit(rules, seating, mark, people, saved) for rules, seating, mark in tables]
    return jsonify(
        **packed(made),
        board=_board_shell(),
        page=_hollow(_setup_text(*tables[0], people, saved)),
        elisions=elisions(page_language()),
        words=_words(),
        last=_last_kit(last),
    )


def _seatings(rules: Ruleset) -> Iterator[Seating]:
    for seating in rules.seatings:
        if seating == rules.seatings[0] or seating.players <= MOST_SEATS:
            yield seating


def _last_kit(setup: Setup) -> dict[str, Any]:
    """Return the choices of this phone's last table, with which the new-game page begins."""
    names = {f"name-{seat}": name for seat, name in enumerate(setup.names)}
    table = {"preset": setup.preset.preset, "seating": seating_value(setup.seating)}
    return {**table, **names, "first_dealer": setup.dealer}


def _words() -> dict[str, str]:
    """Return the sentences that the service worker adds to its pages."""
    return {
        "missing": _("Enter a name for each seat."),
        "twice": _("Two players are named %(name)s. Add an initial.", name="{name}"),
        "rules": _("Those rules need a signal. Choose one of the games on this page."),
        "full": _("This phone's storage is full, so the game can't be saved. Free up space, then try again."),
    }


def _kit(
    rules: Ruleset, seating: Seating, saved: int, people: tuple[TablePerson, ...], offered: tuple[SavedRules, ...]
) -> dict[str, Any]:
    """Return what the phone needs to start a game by these rules; `saved` is the id of house rules, else 0."""
    text = _setup_text(rules, seating, saved, people, offered)
    options = differing(PRESETS[rules.preset], rules)
    return {
        "preset": rules.preset,
        "seating": seating_value(seating),
        "options": {f"rule-{key}": option_text(value) for key, value in options.items()},
        "rules": {field.key: field.value for field in option_fields(PRESETS[rules.preset], options)},
        "saved": saved,
        "seats": seating.players,
        "setup": _main_of(text),
        "kit": json.loads(_bundle(rules, seating, page_language())),
    }


def _setup_text(
    rules: Ruleset, seating: Seating, saved: int, people: tuple[TablePerson, ...], offered: tuple[SavedRules, ...]
) -> str:
    """Render the new-game page for these rules, with placeholders for the names."""
    names = tuple(NAME.format(seat) for seat in range(seating.players))
    options = differing(PRESETS[rules.preset], rules)
    chosen = tuple(replace(each, chosen=each.id == saved) for each in offered)
    page = setup_page(
        Setup(PRESETS[rules.preset], seating, names, 0, options),
        [each.name for each in people],
        saved=chosen,
        people=[PersonChip(each.name, replace(each.look, photo=""), seated=False) for each in people[:OFFERED_PEOPLE]],
    )
    told = {f"rule-{key}": option_text(value) for key, value in options.items()}
    return render_template(
        "games/new_game.html", page=_without_options(page, PRESETS[rules.preset], seating), offline=told
    )


def _without_options(page: NewGamePage, preset: Ruleset, chosen: Seating) -> NewGamePage:
    """Return the page with only what works without a signal."""
    startable = {seating_value(seating) for seating in (*_seatings(preset), chosen)}
    seatings = tuple(choice for choice in page.seatings if choice.value in startable)
    return replace(page, seatings=seatings, options=(), local=(), teams=(), client_id=CLIENT)


@lru_cache(REMEMBERED)
def _bundle(rules: Ruleset, seating: Seating, _language: str) -> str:
    """Return the bundle of a game by these rules as JSON, with placeholders, the same for every phone."""
    return json.dumps(_steady(bundle_of(_new_game(rules, seating))))


def _new_game(rules: Ruleset, seating: Seating) -> Snapshot:
    """Return a game before its first hand, with placeholders."""
    table = set_table(rules, seating.players, sides_of(seating))
    seats = range(seating.players)
    start = ev.GameStarted(table.rules, tuple(seats), table.sides, 0)
    now = datetime.now(UTC)
    names = {seat: NAME.format(seat) for seat in seats}
    return Snapshot(
        public_id=GAME,
        game=replay([start]),
        names_by_id=names,
        mine=True,
        started=True,
        watched=False,  # nobody can watch a game that is only on a phone
        updated=now,
        latest=start,
        began=now,
    )


def _steady(value: Any) -> Any:
    """Return a bundle without form tokens and request keys, which differ each time it is made."""
    if isinstance(value, dict):
        return {key: _steady(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_steady(each) for each in value]
    if isinstance(value, str):
        value = re.sub(r'(name="csrf_token" value=")[^"]*', r"\1", value)
        return re.sub(r'(name="client_id" value=")[^"]*', rf"\g<1>{CLIENT}", value)
    return value


def _board_shell() -> str:
    """Return the page of a board without the board."""
    rules = PRESETS["setback-21"]
    page = board_page(_new_game(rules, rules.seatings[0]))
    page = replace(page, title="Setback", standing=None)
    return _hollow(render_template("games/board.html", page=page, part=False))


def _hollow(text: str) -> str:
    """Return a page without the content of `main`."""
    return text.replace(_main_of(text), MAIN, 1)


def _main_of(text: str) -> str:
    """Return the content of `main` in a page."""
    start = text.index(">", text.index("<main")) + 1
    return text[start : text.index("</main>")]
