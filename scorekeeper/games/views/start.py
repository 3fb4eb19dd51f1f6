"""Let other packages register parts of the home page, and buttons on the page for sharing a home table.

`games` doesn't import these packages, so they register functions here.

Show the home page, start and import games, and save house rules.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from flask import abort, make_response, redirect, render_template, request, url_for
from msgspec import Struct, structs
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import known_device, this_device
from scorekeeper.games import list_queries, queries, table_queries
from scorekeeper.games.forms.base import offset_in
from scorekeeper.games.forms.house_rules import asked_search
from scorekeeper.games.forms.start import FinishedGameForm, NewGameForm, RecordForm, Setup, UnusedForm
from scorekeeper.games.list_queries import OFFERED_PEOPLE, people_at
from scorekeeper.games.logic.final_scores import check_team_names, finished_record, judged
from scorekeeper.games.pages.start import PersonChip
from scorekeeper.games.presenters.new_game import finished_page, named_sides, setup_page
from scorekeeper.games.services import deletion, home_people, house_rules, scoring
from scorekeeper.games.services.table_file import read_text
from scorekeeper.games.views.blueprint import PART, bp, start_request, to_board
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.people.tables import is_called
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.table import table_at
from scorekeeper.web.links import PageLink
from scorekeeper.web.rate_limit import NEW_GAMES, NEW_GAMES_BY_HOUR, NEW_RULES, limited


class HomePart(Struct, frozen=True):
    """A part of the home page, with a template to include and the page model of the template.

    In the template, the model is called `part`.
    """

    template: str
    page: object


_parts: list[Callable[[], HomePart]] = []


def home_part(function: Callable[[], HomePart]) -> Callable[[], HomePart]:
    """Register `function`, which returns a part of the home page for the current phone. Return `function`."""
    _parts.append(function)
    return function


def home_parts() -> Sequence[HomePart]:
    """Return the registered parts of the home page for the current phone."""
    return [each() for each in _parts]


class TableWay(Struct, frozen=True):
    """A button on the page for sharing a home table: its label, and the page that it opens."""

    label: str
    page: PageLink


_ways: list[Callable[[], TableWay]] = []


def table_way(function: Callable[[], TableWay]) -> Callable[[], TableWay]:
    """Register `function`, which returns a button for the page for sharing a home table. Return `function`.

    The button is shown on phones that may score at the home table.
    """
    _ways.append(function)
    return function


def table_ways() -> Sequence[TableWay]:
    """Return the registered buttons of the page for sharing a home table, for the current phone."""
    return [each() for each in _ways]


@bp.get("/")
def home() -> AnyResponse:
    response = make_response(_home_text())
    response.headers[PART] = "page"
    return response


def _home_text(error: str = "") -> str:
    page = list_queries.home_page(this_device(), error=error)
    page = structs.replace(page, last_evening=table_queries.last_evening(this_device()))
    return render_template("games/home.html", page=page, parts=home_parts())


@bp.route("/games/new", methods=["GET", "POST"])
def new() -> str:
    setup = _asked_setup()
    return _setup_text(setup, built=_built_from(setup))


def _built_from(setup: Setup) -> str:
    """Return a sentence about the preset from which the player's house rules are built.

    Returns "" unless the player is building house rules with the form.
    """
    if request.method == "GET" or not NewGameForm().builds:
        return ""
    return _(
        "%(game)s is nearest to what you looked for, by players and points. Change its house rules below, then save "
        "them under a name.",
        game=spoken(setup.preset.name),
    )


@bp.post("/games")
@limited(NEW_GAMES, NEW_GAMES_BY_HOUR)
def create() -> AnyResponse:
    setup = _asked_setup()
    sent = start_request()
    try:
        rules = with_options(setup.preset, setup.options)
        table = table_at(rules, setup.seating)
        names = scoring.distinct_names(setup.names)
        home_people.refuse_alike(sent.device, names, setup.sure)
        teams = check_team_names(setup.teams, table.sides)
        if setup.rules_name:
            house_rules.save_house_rules(device=known_device(), name=setup.rules_name, rules=rules)
    except RuleViolation as violation:
        return make_response(_setup_text(setup, violation), 422)
    public_id = scoring.start_game(
        rules=table.rules, names=names, sides=table.sides, first_dealer=setup.dealer, request=sent, teams=teams
    )
    return to_board(public_id)


@bp.post("/house-rules")
@limited(NEW_RULES)
def save_rules() -> AnyResponse:
    setup = _asked_setup()
    try:
        rules = with_options(setup.preset, setup.options)
        name = house_rules.save_house_rules(device=known_device(), name=setup.rules_name, rules=rules)
    except RuleViolation as violation:
        return make_response(_setup_text(setup, violation), 422)
    setup = structs.replace(setup, rules_name="")
    return make_response(_setup_text(setup, notice=_("Saved on this phone as “%(name)s”.", name=name)))


@bp.post("/house-rules/<int:rules_id>/deletion")
def delete_rules(rules_id: int) -> AnyResponse:
    if not house_rules.delete_house_rules(device=known_device(), rules_id=rules_id):
        abort(404, description=_("Those house rules aren't saved on this phone."))
    return make_response(_setup_text(_asked_setup(), notice=_("House rules deleted from this phone.")))


@bp.route("/games/finished", methods=["GET", "POST"])
def finished() -> str:
    """Show the form for a finished game. On POST, it has the choices of the new-game page."""
    return _finished_text(_asked_setup(), FinishedGameForm())


@bp.post("/games/finished/game")
@limited(NEW_GAMES, NEW_GAMES_BY_HOUR)
def add_finished() -> AnyResponse:
    setup = _asked_setup()
    form, sent = FinishedGameForm(), start_request()
    try:
        table = table_at(with_options(setup.preset, setup.options), setup.seating)
        names, teams = scoring.distinct_names(setup.names), check_team_names(setup.teams, table.sides)
        home_people.refuse_alike(sent.device, names, setup.sure)
        result = judged(table, bell=False, totals=form.numbers, ending=form.answer)
        record = finished_record(table, names, teams, result, form.day.data)
        public_id = scoring.import_game(record=record, request=sent, offset=offset_in(form.offset.data))
    except RuleViolation as violation:
        return make_response(_finished_text(setup, form, violation), 422)
    return to_board(public_id)


def _finished_text(setup: Setup, form: FinishedGameForm, violation: RuleViolation | None = None) -> str:
    asks = violation is not None and not form.refused(violation, named_sides(setup))
    today = (datetime.now(UTC) + offset_in(form.offset.data)).date()
    known = list_queries.known_names(this_device())
    page = finished_page(setup, known, form.day.data, today, None if asks else violation)
    return render_template("games/finished_game.html", page=page, form=form, sure=_sure(setup, violation))


def _asked_setup() -> Setup:
    """Return the choices in the submitted new-game form, or the setup of this phone's last game for a GET request."""
    device = this_device()
    fallback = list_queries.last_setup(device)
    if request.method == "GET":
        return fallback
    form = NewGameForm()
    setup = form.setup(fallback)
    if form.use_rules.data == str(house_rules.LAST_GAME):
        saved = list_queries.last_rules(device)
    else:
        saved = house_rules.rules_kept(device, form.use_rules.data) if form.use_rules.data else None
    return setup if saved is None else setup.with_rules(saved)


def _setup_text(setup: Setup, violation: RuleViolation | None = None, *, notice: str = "", built: str = "") -> str:
    device = this_device()
    try:
        chosen = with_options(setup.preset, setup.options)
    except RuleViolation:
        chosen = setup.preset
    seated = [name for name in setup.names if name]
    people = people_at(device, preset=setup.preset.preset, seated=seated)
    shown = [each for each in people if not each.hidden][:OFFERED_PEOPLE]
    page = setup_page(
        setup,
        [each.name for each in people] or list_queries.known_names(device),
        violation,
        saved=house_rules.saved_rules(device, chosen, last=list_queries.last_rules(device)),
        people=[PersonChip(each.name, each.look, is_called(each.name, seated)) for each in shown],
        notice=notice,
        played=list_queries.played_presets(device),
        search=asked_search(),
        built=built,
    )
    return render_template("games/new_game.html", page=page, sure=_sure(setup, violation))


def _sure(setup: Setup, violation: RuleViolation | None) -> tuple[str, ...]:
    """Return the names about which the page has asked, including the one that it asks about now."""
    if violation is None or violation.code != "name_alike" or violation.field is None:
        return setup.sure
    return (*setup.sure, setup.names[int(violation.field.removeprefix("name-"))])


@bp.route("/games/unused", methods=["GET", "POST"])
def unused() -> AnyResponse:
    """Show the phone's games that have no scores yet, so that the player can choose which ones to delete.

    On POST, the chosen games are deleted.
    """
    if request.method == "GET":
        return make_response(render_template("games/unused.html", page=list_queries.unused_page(this_device())))
    deletion.delete_unused(public_ids=UnusedForm().chosen[: list_queries.LISTED], device=known_device())
    return redirect(url_for("games.home"), 303)


@bp.post("/games/again")
@limited(NEW_GAMES, NEW_GAMES_BY_HOUR)
def again() -> AnyResponse:
    sent = start_request()
    last = list_queries.last_game(sent.device)
    if last is None:
        return redirect(url_for("games.new"), 303)
    if queries.untouched(last):
        return to_board(last)
    return to_board(scoring.rematch(public_id=last, request=sent))


@bp.post("/games/import")
@limited(NEW_GAMES, NEW_GAMES_BY_HOUR)
def import_record() -> AnyResponse:
    form = RecordForm()
    try:
        text = form.read()
        sent = start_request(text)
        return to_board(scoring.import_game(record=read_text(text), request=sent, offset=offset_in(form.offset.data)))
    except RuleViolation as violation:
        where = "" if violation.hand is None else _("Hand %(number)s:", number=violation.hand + 1)
        parts = (where, spoken(violation.message), _("Nothing was imported."))
        return make_response(_home_text(" ".join(filter(None, parts))), 422)
