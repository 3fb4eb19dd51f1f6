"""Pack the kits with which phones start games offline into short JSON that has each shared part only once.

A kit is the data that a phone needs to start a game offline. A long text is replaced by the numbers of its lines. For
example, `{"$": [7, -2, 12]}` means line 7, the 2 lines after it, and line 12. Any other part that occurs more than once
is replaced by its number, for example `{"@": 3}` for shared part 3. `filled` in `static/sw-games.js` unpacks the kits.

Send a phone the kits with which it starts games offline. A kit has pages and data with placeholders.

When the server can't be reached, the service worker (`static/sw.js`) handles the forms of the new-game page with these
kits.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from flask import Response, jsonify, render_template
from msgspec import structs

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import list_queries
from scorekeeper.games.forms.house_rules import option_text
from scorekeeper.games.forms.start import Setup, seating_value
from scorekeeper.games.list_queries import OFFERED_PEOPLE, TablePerson, people_at
from scorekeeper.games.pages.start import NewGamePage, PersonChip, SavedRules
from scorekeeper.games.presenters.board import board_page
from scorekeeper.games.presenters.new_game import OFFERED, option_fields, setup_page
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.games.services import house_rules
from scorekeeper.games.views.blueprint import bp
from scorekeeper.games.views.offline_bundle import bundle_of
from scorekeeper.i18n.catalog import _, elisions
from scorekeeper.rules import events as ev
from scorekeeper.rules.parts import Seating
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import replay
from scorekeeper.rules.ruleset import Ruleset, differing
from scorekeeper.rules.table import table_at
from scorekeeper.web.locale import page_language
from scorekeeper.web.rate_limit import costly, one_at_a_time

LONGEST = 40
"""A text of at least this many characters is stored by its lines, since most lines are the same in many texts."""
LEAST = 24
"""A part is shared if its JSON has at least this many characters."""


PACKED = ("kit", "setup")
"""The parts of a kit that are packed. The phone chooses a kit by its other parts, so those are not packed."""


def packed(kits: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the `kits` as one short JSON object with the keys `kits`, `lines` and `shared`.

    In the packed kits, long strings are replaced by references to `lines`. Parts that occur more than once are replaced
    by references to `shared`.
    """
    lines: dict[str, int] = {}
    told = [{**kit, **{name: _by_lines(kit[name], lines) for name in PACKED}} for kit in kits]
    often = Counter(json.dumps(part) for kit in told for name in PACKED for part in _parts(kit[name]))
    seen: dict[str, int] = {}
    shared: list[Any] = []

    def once(part: Any) -> Any:
        if not isinstance(part, dict | list):
            return part
        key = json.dumps(part)
        if key in seen:
            return {"@": seen[key]}
        if not isinstance(part, dict):
            small: Any = [once(each) for each in part]
        else:
            small = part if "$" in part else {name: once(each) for name, each in part.items()}
        if often[key] < 2 or len(key) < LEAST:
            return small
        shared.append(small)
        seen[key] = len(shared) - 1
        return {"@": seen[key]}

    small_kits = [{**kit, **{name: once(kit[name]) for name in PACKED}} for kit in told]
    return {"kits": small_kits, "lines": list(lines), "shared": shared}


def _parts(value: Any) -> Iterator[Any]:
    """Yield `value` if it is a list or an object. Also yield every list and object inside `value`.

    An object that replaces a long string is yielded, but the line numbers inside the object are not.
    """
    if isinstance(value, dict | list):
        yield value
        if "$" not in value:
            for each in value.values() if isinstance(value, dict) else value:
                yield from _parts(each)


def _by_lines(value: Any, lines: dict[str, int]) -> Any:
    """Return a part of a kit in which each long string is replaced by the numbers of its lines.

    `lines` maps each line to its number. New lines are added to `lines`.
    """
    if isinstance(value, dict):
        return {key: _by_lines(each, lines) for key, each in value.items()}
    if isinstance(value, list):
        return [_by_lines(each, lines) for each in value]
    if isinstance(value, str) and len(value) >= LONGEST:
        return {"$": _runs(lines.setdefault(line, len(lines)) for line in _lines_of(value))}
    return value


def _lines_of(text: str) -> Iterable[str]:
    """Return the lines of `text`. In HTML, blank lines and spaces at both ends of each line are removed."""
    lines = text.split("\n")
    return [line.strip() for line in lines if line.strip()] if "<" in text else lines


def _runs(numbers: Iterable[int]) -> list[int]:
    """Return the line numbers as a shorter list, by shortening each run of consecutive numbers.

    A run becomes its first number, followed by a negative number. The negative number says how many more numbers follow
    in the run. For example, 7, 8, 9, 12 becomes [7, -2, 12].
    """
    told: list[int] = []
    last = None
    for number in numbers:
        if number - 1 != last:
            told.append(number)
        elif told[-1] < 0:
            told[-1] -= 1
        else:
            told.append(-1)
        last = number
    return told


Startable = Mapping[str, Collection[Seating]]
"""The seatings in which each game can be started offline, by preset key."""

GAME = "aeiouaeiou"
"""Placeholder for the id of a game; no real id has vowels."""
CLIENT = "placeholder-for-an-id"
"""Placeholder for the request key of a form."""
MAIN = "<!--main-->"
"""Placeholder for the content of the `<main>` element."""
NAME = "\ue000{}\ue001"
"""Placeholder for the name of a player; the number of the seat goes between the braces."""
MOST_SEATS = 4
"""Maximum number of players of the seatings that every phone can start offline.

A seating for more players is included only if it is the usual seating of a game, or the last seating of this phone.
"""
OTHERS = ("ten-point-52", "auction-pitch-7")
"""Games under "More games" that a phone can start offline until it has played `MOST_OTHERS` games from there."""
MOST_OTHERS = 2
"""Maximum number of games under "More games" for which a phone gets a kit, each with its usual seating.

With more games, the kits of a phone would exceed 60 kB.
"""
MOST_SAVED = 4
"""Maximum number of saved house rules that a phone can use offline; if there are more, the first by name."""
REMEMBERED = 96
"""Maximum number of bundles that a process keeps: those of all games in two languages take some ten megabytes."""


@bp.get("/games/kits.json")
@costly
@one_at_a_time
def kits() -> Response:
    """Return as JSON the pages and bundles for the games that this phone can start offline.

    Each request takes about a tenth of a second, and all phones of a league night may send one at once. So the server
    may answer a request with status 503. The phone then repeats the request when it loads its next page.
    """
    device = this_device()
    people = tuple(each for each in people_at(device) if not each.hidden)
    last, last_rules = list_queries.last_setup(device), list_queries.last_rules(device)
    saved = house_rules.saved_rules(device, PRESETS["setback-21"], last=last_rules)[:MOST_SAVED]
    latest = list_queries.played_presets(device)
    tables: list[tuple[Ruleset, Seating, int | None]] = [
        (PRESETS[key], seating, None) for key in OFFERED for seating in _seatings(PRESETS[key])
    ]
    played = [key for key in latest if key not in OFFERED]
    others = list(dict.fromkeys((*played, *OTHERS)))[:MOST_OTHERS]
    tables += [(PRESETS[key], PRESETS[key].seatings[0], None) for key in others]
    if (last.preset, last.seating, None) not in tables:
        tables.append((last.preset, last.seating, None))
    for each in saved:
        is_last = each.id == house_rules.LAST_GAME
        rules = last_rules if is_last else house_rules.rules_kept(device, str(each.id))
        if rules is not None:
            again = is_last and last.seating in rules.seatings
            tables.append((rules, last.seating if again else rules.seatings[0], each.id))
    startable: dict[str, set[Seating]] = {}
    for rules, seating, _mark in tables:
        startable.setdefault(rules.preset, set()).add(seating)
    made = [_kit(rules, seating, mark, people, saved, startable, latest) for rules, seating, mark in tables]
    return jsonify(
        **packed(made),
        board=_board_shell(),
        page=_hollow(_setup_text(*tables[0], people, saved, startable, latest)),
        elisions=elisions(page_language()),
        words=_words(),
        last=_last_kit(last),
    )


def _seatings(rules: Ruleset) -> Iterator[Seating]:
    for seating in rules.seatings:
        if seating == rules.seatings[0] or seating.players <= MOST_SEATS:
            yield seating


def _last_kit(setup: Setup) -> dict[str, Any]:
    """Return a dict of the form values of this phone's last game setup, by field name.

    The new-game page starts with these values.
    """
    names = {f"name-{seat}": name for seat, name in enumerate(setup.names)}
    table = {"preset": setup.preset.preset, "seating": seating_value(setup.seating)}
    return {**table, **names, "first_dealer": setup.dealer}


def _words() -> dict[str, str]:
    """Return a dict of the sentences that the service worker adds to its pages, by key."""
    return {
        "missing": _("Enter a name for each seat."),
        "twice": _("Two players are named %(name)s. Add an initial.", name="{name}"),
        "rules": _("Those rules need a signal. Choose one of the games on this page."),
        "full": _("This phone's storage is full, so the game can't be saved. Free up space, then try again."),
    }


def _kit(
    rules: Ruleset,
    seating: Seating,
    saved: int | None,
    people: tuple[TablePerson, ...],
    offered: tuple[SavedRules, ...],
    tables: Startable,
    played: tuple[str, ...],
) -> dict[str, Any]:
    """Return the data that a phone needs to start a game with these rules and this seating, ready for JSON.

    `saved` is the id of the saved house rules, or None for other rules. The new-game page offers `people`, `offered`
    (saved house rules), `tables` and `played` (preset keys) as choices.
    """
    text = _setup_text(rules, seating, saved, people, offered, tables, played)
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
    rules: Ruleset,
    seating: Seating,
    saved: int | None,
    people: tuple[TablePerson, ...],
    offered: tuple[SavedRules, ...],
    tables: Startable,
    played: tuple[str, ...],
) -> str:
    """Return the HTML of the new-game page for these rules, with placeholders for the names.

    `saved` is the id of the saved house rules, or None for other rules. The page offers `people`, `offered` (saved
    house rules), `tables` and `played` (preset keys) as choices.
    """
    names = tuple(NAME.format(seat) for seat in range(seating.players))
    options = differing(PRESETS[rules.preset], rules)
    chosen = tuple(structs.replace(each, chosen=each.id == saved) for each in offered)
    page = setup_page(
        Setup(PRESETS[rules.preset], seating, names, 0, options),
        [each.name for each in people],
        saved=chosen,
        people=[
            PersonChip(each.name, structs.replace(each.look, photo=""), seated=False)
            for each in people[:OFFERED_PEOPLE]
        ],
        played=[key for key in played if key in tables],
    )
    told = {f"rule-{key}": option_text(value) for key, value in options.items()}
    return render_template("games/new_game.html", page=_startable(page, tables), offline=told)


def _startable(page: NewGamePage, tables: Startable) -> NewGamePage:
    """Return the new-game page with only the choices that work offline."""
    seatings = {seating_value(seating) for seating in tables[page.preset]}
    more = (
        structs.replace(group, games=tuple(game for game in group.games if game.key in tables))
        for group in page.more_games
    )
    return structs.replace(
        page,
        more_games=tuple(group for group in more if group.games),
        seatings=tuple(choice for choice in page.seatings if choice.value in seatings),
        options=(),
        local=(),
        teams=(),
        client_id=CLIENT,
    )


@lru_cache(REMEMBERED)
def _bundle(rules: Ruleset, seating: Seating, _language: str) -> str:
    """Return the bundle of a new game with these rules as JSON, with placeholders for ids and names.

    The result doesn't depend on the phone, so it can be cached for all phones. The bundle is in the reader's language.
    """
    return json.dumps(_steady(bundle_of(_new_game(rules, seating))))


def _new_game(rules: Ruleset, seating: Seating) -> Snapshot:
    """Return a game before its first hand, with placeholders for its id and for the names."""
    table = table_at(rules, seating)
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
    """Return a bundle without the values that change on each rendering.

    Form tokens are removed, and request keys are replaced by `CLIENT`.
    """
    if isinstance(value, dict):
        return {key: _steady(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_steady(each) for each in value]
    if isinstance(value, str):
        value = re.sub(r'(name="csrf_token" value=")[^"]*', r"\1", value)
        return re.sub(r'(name="client_id" value=")[^"]*', rf"\g<1>{CLIENT}", value)
    return value


def _board_shell() -> str:
    """Return the board page without the content of `<main>`. The placeholder `MAIN` marks the place of that content."""
    rules = PRESETS["setback-21"]
    page = board_page(_new_game(rules, rules.seatings[0]))
    page = structs.replace(page, title="Setback", standing=None)
    return _hollow(render_template("games/board.html", page=page))


def _hollow(text: str) -> str:
    """Replace the content of `<main>` in a page by the placeholder `MAIN`, and return the page."""
    return text.replace(_main_of(text), MAIN, 1)


def _main_of(text: str) -> str:
    """Return the content of the `<main>` element of a page."""
    start = text.index(">", text.index("<main")) + 1
    return text[start : text.index("</main>")]
