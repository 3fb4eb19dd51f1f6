"""Views of the desk, the page where a director or helper runs the night."""

import functools
import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from flask import make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games.presenters.snapshot import new_tap_id
from scorekeeper.games.views.blueprint import to_board
from scorekeeper.i18n.catalog import N_, _
from scorekeeper.i18n.sentences import isolated, join_names, score_text
from scorekeeper.leagues.core.blueprint import KeyedForm, bp, digits, said
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.money.forms import FeesForm
from scorekeeper.leagues.money.payments import set_fees as set_fees_paid
from scorekeeper.leagues.nights import bell as bells
from scorekeeper.leagues.nights import closing, forms, opening, outdated, places, removal, seating, service, tables
from scorekeeper.leagues.nights.pages import DeskPage, Person, Wrong
from scorekeeper.leagues.nights.queries.desk import desk_page
from scorekeeper.leagues.nights.tables import judge, tell_sets
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.seasons.views import season_html
from scorekeeper.leagues.standings.queries import season_page
from scorekeeper.leagues.teams import matches, playoffs
from scorekeeper.leagues.teams import service as teams
from scorekeeper.leagues.teams.fixtures import BOTH
from scorekeeper.leagues.teams.queries import desk_matches, desk_seeds, outdated_playoffs_on, playoffs_page
from scorekeeper.leagues.teams.views import ForfeitForm, LineupForm, QualifierForm, TonightForm
from scorekeeper.rules.phrase import Phrase, RuleViolation

View = Callable[..., AnyResponse | None]

NOTHING_WRONG = Wrong()
SEEDS = 2**31
MOST_TOLD = 20
"""Most people who are named after a change."""
DID = {
    "in": N_("Checked in: %(names)s"),
    "out": N_("Checked out: %(names)s"),
    "paid": N_("Paid: %(names)s"),
    "unpaid": N_("Not paid: %(names)s"),
    "covered": N_("Already paid in the accounts, so nothing was taken: %(names)s"),
}
"""What was done to people, for the sentence after it."""


def at_desk(part: str, need: Role = Role.HELPER) -> Callable[[View], Callable[..., AnyResponse]]:
    """Return a decorator for views that handle the forms of the desk page.

    If such a view returns None, the user is redirected to the section `part` of the desk page. If the view raises
    `RuleViolation`, the desk page is shown with the error, but only to a device that has at least the role `need`: who
    may not do something isn't told what is wrong with the form for it.
    """

    def decorate(act: View) -> Callable[..., AnyResponse]:
        @functools.wraps(act)
        def view(night_id: str, number: int | None = None) -> AnyResponse:
            try:
                answer = act(night_id) if number is None else act(night_id, number)
            except RuleViolation as violation:
                return desk_again(night_id, Wrong(part, said(violation)), number, need)
            return answer or redirect(url_for("leagues.desk", night_id=night_id, round=number, _anchor=part), 303)

        return view

    return decorate


@bp.post("/seasons/<season_id>/nights")
def open_night(season_id: str) -> AnyResponse:
    form = forms.OpenNightForm()
    day = form.day.data or datetime.now(UTC).date()
    try:
        night = service.open_night(season=season_id, day=day, device=device(), another=form.another.data)
    except RuleViolation as violation:
        if violation.code != "night_there":
            raise
        page = season_page(season_id, this_device(), error=said(violation), twice=day)
        return make_response(season_html(page), 422)
    return redirect(url_for("leagues.desk", night_id=night), 303)


@bp.post("/nights/<night_id>/removal")
@at_desk("closing", Role.DIRECTOR)
def remove_night(night_id: str) -> AnyResponse:
    """Remove a night opened by mistake and redirect to its season."""
    season = opening.remove_night(night=night_id, device=device())
    return redirect(url_for("leagues.season", season_id=season), 303)


@bp.post("/nights/<night_id>/date")
@at_desk("closing", Role.DIRECTOR)
def move_night(night_id: str) -> None:
    """Correct the date of a night."""
    form = forms.MoveNightForm()
    if form.day.data is None:
        raise RuleViolation("day", "Choose a date.", field="day")
    opening.move_night(
        night=night_id,
        day=form.day.data,
        reason=form.reason.data or "",
        another=form.another.data,
        device=device(),
    )


@bp.get("/nights/<night_id>/desk")
def desk(night_id: str) -> str:
    return _render(night_id, digits(request.args.get("round", "")), find=request.args.get("find", "")[:40])


@bp.post("/nights/<night_id>/people")
@at_desk("door")
def check_in(night_id: str) -> AnyResponse:
    form = forms.PeopleForm()
    people, paying = form.person.data or (), form.paying.data or ()
    covered = service.check_in(night=night_id, people=people, paying=paying, device=device())
    return _desk_after(night_id, "door", "covered" if covered else "in", covered or [*people, *paying])


@bp.post("/nights/<night_id>/people/expected")
@at_desk("door")
def check_in_expected(night_id: str) -> None:
    """Check in everybody who answered in advance that they would come."""
    opening.check_in_expected(night=night_id, device=device())


@bp.post("/nights/<night_id>/people/expected/void")
@at_desk("door")
def undo_expected(night_id: str) -> None:
    opening.undo_expected(night=night_id, device=device())


@bp.post("/nights/<night_id>/people/new")
@at_desk("door")
def newcomer(night_id: str) -> AnyResponse:
    """Check in the person with the typed name. If a regular is chosen, the person substitutes for the regular.

    If nobody in the league has that name, a new player is added.
    """
    form = forms.NewcomerForm()
    person = PersonData(name=form.name.data or "", guest=form.guest.data)
    came = service.let_in(
        night=night_id,
        told=person,
        paid=form.paid.data,
        regular=form.regular.data or None,
        another=form.another.data,
        device=device(),
    )
    return redirect(url_for("leagues.desk", night_id=night_id, came=came, _anchor="came"), 303)


@bp.post("/nights/<night_id>/fees")
@at_desk("fees")
def set_fees(night_id: str) -> AnyResponse:
    """Record that people paid the entry fee, or that they did not.

    The desk page then opens with the list of fees expanded, for the next person who pays.
    """
    form = FeesForm()
    undone = form.undo.data or ()
    people = form.person.data or ()
    # Quick taps are sent together, so that both can be in one form.
    covered = set_fees_paid(night=night_id, people=people, paid=True, device=device()) if people or not undone else ()
    if undone:
        set_fees_paid(night=night_id, people=undone, paid=False, device=device())
    part = "unpaid" if request.args.get("at") == "unpaid" else "fees"
    return _desk_after(
        night_id, part, "covered" if covered else "unpaid" if undone else "paid", covered or undone or people
    )


@bp.post("/nights/<night_id>/people/leaving")
@at_desk("here")
def check_out(night_id: str) -> AnyResponse:
    form = forms.PeopleForm()
    # Undoing a check-in with the entry fee gives the fee back, too.
    if undone := form.paying.data:
        set_fees_paid(night=night_id, people=undone, paid=False, device=device())
    people = undone or form.chosen
    for person in people:
        service.check_out(night=night_id, person=person, device=device())
    return _desk_after(night_id, "here", "out", people)


@bp.post("/nights/<night_id>/substitutes")
@at_desk("subs")
def set_sub(night_id: str) -> None:
    form = forms.SubstituteForm()
    seating.set_sub(night=night_id, person=form.chosen[0], regular=form.regular.data or None, device=device())


@bp.post("/nights/<night_id>/partners")
@at_desk("teams")
def set_team(night_id: str) -> None:
    """Make people partners for the night, or dissolve the team of one person."""
    service.set_team(night=night_id, people=forms.PeopleForm().chosen, device=device())


@bp.post("/nights/<night_id>/partners/again")
@at_desk("teams")
def repeat_teams(night_id: str) -> None:
    """Make the fixed partners of an earlier night partners again.

    A team is left out unless all of its people are checked in and have no partner yet.
    """
    places.repeat_teams(night=night_id, device=device())


@bp.post("/nights/<night_id>/kept-tables")
@at_desk("kept")
def keep_table(night_id: str) -> None:
    """Let a person keep one table for the night, or let them change tables again."""
    form = forms.KeptTableForm()
    seating.keep_table(night=night_id, person=form.chosen[0], table=form.table.data, device=device())


@bp.post("/nights/<night_id>/partners/lot")
@at_desk("teams")
def draw_partners(night_id: str) -> AnyResponse:
    """Draw partners by lot, and redirect to the list of partners."""
    form = forms.PartnersDrawForm()
    seed, again = form.seed.data % SEEDS, form.again.data
    places.draw_partners(night=night_id, device=device(), seed=seed, again=again)
    return redirect(url_for("leagues.desk", night_id=night_id, open="here", _anchor="teams"), 303)


@bp.post("/nights/<night_id>/plan")
@at_desk("plan", Role.DIRECTOR)
def plan(night_id: str) -> None:
    service.plan_night(night=night_id, plan=forms.NightPlanForm().plan, device=device())


@bp.post("/nights/<night_id>/matches")
@at_desk("matches", Role.DIRECTOR)
def choose_matches(night_id: str) -> None:
    matches = TonightForm().match.data or ()
    teams.choose_matches(night=night_id, matches=matches, device=device())


@bp.post("/nights/<night_id>/lineups")
@at_desk("matches", Role.DIRECTOR)
def set_lineup(night_id: str) -> None:
    form = LineupForm()
    side, people = int(form.side.data == "1"), [person for person in form.person.data or () if person]
    teams.set_lineup(night=night_id, match=form.match.data or "", side=side, people=people, device=device())


@bp.post("/nights/<night_id>/forfeits")
@at_desk("matches", Role.DIRECTOR)
def set_forfeit(night_id: str) -> None:
    form = ForfeitForm()
    side = {"": None, "0": 0, "1": 1, "2": BOTH}.get(form.side.data or "", -1)
    matches.set_forfeit(night=night_id, match=form.match.data or "", side=side, device=device())


@bp.post("/nights/<night_id>/rounds/<int:number>/forfeits")
@at_desk("round")
def forfeit_table(night_id: str, number: int) -> AnyResponse:
    form = forms.TableForfeitForm()
    tables.forfeit_table(night=night_id, table=form.table, side=form.side, points=form.won, device=device())
    return redirect(url_for("leagues.desk", night_id=night_id, round=number, open="forfeits", _anchor="forfeits"), 303)


@bp.post("/nights/<night_id>/seeds")
@at_desk("seeds", Role.DIRECTOR)
def replace_qualifier(night_id: str) -> None:
    form = QualifierForm()
    if form.team.data:
        playoffs.replace_team(night=night_id, gone=form.team.data, came=form.came.data or "", device=device())
    else:
        playoffs.replace_qualifier(night=night_id, person=form.person.data or "", device=device())


@bp.post("/seasons/<season_id>/playoffs/kept")
def keep_playoffs(season_id: str) -> AnyResponse:
    form = forms.ReasonForm()
    reason, stage = form.reason.data or "", form.stage.data or 0
    try:
        outdated.keep_playoffs(season=season_id, reason=reason, stage=stage, device=device())
    except RuleViolation as violation:
        return _playoffs_again(season_id, violation)
    return redirect(url_for("leagues.playoffs_of", season_id=season_id), 303)


@bp.post("/seasons/<season_id>/playoffs/redone")
def redo_playoffs(season_id: str) -> AnyResponse:
    """Play the playoffs again, from new seeds or from a round on, and redirect to the desk of their night."""
    form = forms.TakeBackForm()
    listed, stage = form.table.data or (), form.stage.data or 0
    try:
        night = outdated.redo_playoffs(season=season_id, listed=listed, stage=stage, device=device())
    except RuleViolation as violation:
        return _playoffs_again(season_id, violation)
    return redirect(url_for("leagues.desk", night_id=night), 303)


def _playoffs_again(season_id: str, violation: RuleViolation) -> AnyResponse:
    page = playoffs_page(season_id, this_device(), error=said(violation))
    return make_response(render_template("leagues/teams/playoffs.html", page=page), 422)


@bp.post("/nights/<night_id>/draw")
@at_desk("draw", Role.DIRECTOR)
def draw(night_id: str) -> AnyResponse:
    """Make the seating and redirect to its first round.

    The random seed comes from the form, so a repeated request gives the same seats.
    """
    drawn = service.draw(night=night_id, device=device(), seed=forms.DrawForm().seed.data % SEEDS)
    told = "reseated" if drawn.again else "seated"
    return redirect(url_for("leagues.desk", night_id=night_id, round=drawn.first, open=told, _anchor="round"), 303)


@bp.post("/nights/<night_id>/draw/void")
@at_desk("draw", Role.DIRECTOR)
def undo_seating(night_id: str) -> AnyResponse:
    """Bring back the seating that the last new seating replaced."""
    places.undo_seating(night=night_id, device=device())
    return redirect(url_for("leagues.desk", night_id=night_id, open="restored", _anchor="draw"), 303)


@bp.post("/nights/<night_id>/seats")
@at_desk("draw", Role.DIRECTOR)
def take_places(night_id: str) -> AnyResponse:
    """Give the coming seats of someone who left to a newcomer."""
    gone, came = forms.SwapForm().chosen
    places.take_places(night=night_id, gone=gone, came=came, device=device())
    return redirect(url_for("leagues.desk", night_id=night_id, open="taken", who=f"{gone},{came}", _anchor="draw"), 303)


@bp.post("/nights/<night_id>/rounds/<int:number>/kept")
@at_desk("outdated", Role.DIRECTOR)
def keep_round(night_id: str, number: int) -> None:
    reason = forms.ReasonForm().reason.data or ""
    outdated.keep_round(night=night_id, number=number, reason=reason, device=device())


@bp.post("/nights/<night_id>/rounds/<int:number>/redone")
@at_desk("outdated", Role.DIRECTOR)
def redo_rounds(night_id: str, number: int) -> AnyResponse:
    """Remove a round that no longer fits and all later ones, and seat that round again."""
    listed = forms.TakeBackForm().table.data or ()
    outdated.take_rounds_back(night=night_id, number=number, listed=listed, device=device())
    return draw(night_id)


@bp.post("/nights/<night_id>/rounds/<int:number>/swap")
@at_desk("swap", Role.DIRECTOR)
def swap(night_id: str, number: int) -> None:
    form = forms.SwapForm()
    tap, (one, other) = form.request_key, form.chosen
    service.swap(night=night_id, round_number=number, one=one, other=other, device=device(), tap=tap)


@bp.post("/nights/<night_id>/bell")
@at_desk("round", Role.DIRECTOR)
def bell(night_id: str) -> None:
    bells.ring(night=night_id, device=device(), rung=forms.BellForm().rung.data)


@bp.post("/nights/<night_id>/rounds/<int:number>/clock")
@at_desk("round", Role.DIRECTOR)
def set_clock(night_id: str, number: int) -> None:
    bells.set_clock(night=night_id, number=number, what=forms.ClockForm().chosen, device=device())


@bp.post("/nights/<night_id>/rounds/<int:number>/started")
@at_desk("round", Role.DIRECTOR)
def start_round(night_id: str, number: int) -> None:
    started = forms.StartRoundForm().started.data
    service.start_round(night=night_id, number=number, device=device(), started=started)


@bp.post("/nights/<night_id>/new-cards")
@at_desk("print", Role.DIRECTOR)
def new_cards(night_id: str) -> None:
    service.new_cards(night=night_id, device=device(), tap=KeyedForm().request_key)


@bp.post("/nights/<night_id>/games")
def start(night_id: str) -> AnyResponse:
    """Start the game of a table unless it has started, let this device score the game, and redirect to its board."""
    form = forms.StartTableForm()
    game = tables.start_table(night=night_id, table=form.table.data, device=device(), client_id=form.request_key)
    return to_board(game)


@bp.post("/nights/<night_id>/closing")
@at_desk("closing", Role.DIRECTOR)
def close(night_id: str) -> AnyResponse:
    """Close the night if the posted form listed every unfinished table; otherwise, ask again with a new list."""
    form = forms.ClosingForm()
    listed = form.listed
    missing = closing.close_night(night=night_id, device=device(), listed=listed, outdated=form.outdated.data or 0)
    if not {table.id for table in missing} <= listed:
        raise RuleViolation("missing", "The list of tables without a score has changed. Check it again.")
    return redirect(url_for("leagues.desk", night_id=night_id, open="closed", _anchor="closing"), 303)


@bp.post("/nights/<night_id>/publication")
@at_desk("closing", Role.DIRECTOR)
def publish_pages(night_id: str) -> None:
    """Publish the public pages as files, where the operator wants it."""
    closing.publish_pages(night=night_id, device=device())


@bp.post("/nights/<night_id>/reopening")
@at_desk("closing", Role.DIRECTOR)
def reopen(night_id: str) -> None:
    closing.reopen_night(night=night_id, device=device(), reason=forms.ReasonForm().reason.data or "")


@bp.post("/nights/<night_id>/rounds/<int:number>/results")
@at_desk("round")
def enter_results(night_id: str, number: int) -> AnyResponse | None:
    """Save every typed or changed score of a round, and remove the emptied ones.

    Refused scores stay on the page, each with the reason.
    """
    if settled_tie(night_id):
        return None
    page = desk_page(night_id, this_device(), shown=number)
    changed = [line for line in forms.score_lines(page.shown) if line.changed or line.sets_changed]
    reason = forms.ReasonForm().reason.data or ""
    refused: dict[int, RuleViolation] = {}
    for line in changed:
        try:
            _enter(night_id, line, reason)
        except RuleViolation as violation:
            refused[line.table.id] = violation
    if not refused:
        did = "saved" if changed else "unchanged"
        return redirect(url_for("leagues.desk", night_id=night_id, round=number, open=did, _anchor="round"), 303)
    some = len(refused) < len(changed)
    message = _("Saved, except the tables marked below.") if some else _("The tables marked below aren't saved yet.")
    return desk_again(night_id, Wrong("round", message, refused), number)


def _enter(night_id: str, line: forms.ScoreLineForm, reason: str) -> None:
    with_sets = line.sets_changed and not (line.changed and line.emptied)
    sets = line.sets if with_sets else None
    if with_sets and line.emptied:
        raise RuleViolation("not_final", "Enter the final score first. With hands, sets are counted from them.")
    if line.changed:
        _enter_score(night_id, line, reason)
    if with_sets:
        tell_sets(night=night_id, table=line.table.id, sets=sets, device=device())


def _enter_score(night_id: str, line: forms.ScoreLineForm, reason: str) -> None:
    table = line.table
    if line.was.data != table.stands:
        if not table.stands:
            raise RuleViolation("score_changed", "Someone else removed this score first.")
        score = score_text([int(points) for points in table.points])
        message = Phrase("Someone else saved a different score first: %(score)s.", score=score)
        raise RuleViolation("score_changed", message)
    if line.emptied:
        removal.remove_result(night=night_id, table=table.id, device=device(), reason=reason)
        return
    result = judge(night_id, table.id, line.numbers, line.answer)
    tables.tell_result(
        night=night_id,
        table=table.id,
        totals=result.totals,
        winner=result.winner,
        ended_by=result.ended_by,
        device=device(),
        reason=reason,
    )


def device() -> str:
    """Return the hash of this device, or "" for an unknown device. An unknown device has no role."""
    return this_device() or ""


def desk_again(night_id: str, wrong: Wrong, shown: int | None = None, need: Role = Role.HELPER) -> AnyResponse:
    """Return the desk page (status 422) with the error `wrong` and the posted values still in the forms.

    `shown` is the number of the round whose scores are on the page. Raises `NotAllowedError` if the device has less
    than the role `need`.
    """
    return make_response(_render(night_id, shown, wrong=wrong, need=need), 422)


def _desk_after(night_id: str, part: str, did: str, people: Sequence[str]) -> AnyResponse:
    """Redirect to the section `part` of the desk page, which says what was done to these people (public ids).

    `did` is a key of `DID`.
    """
    who = ",".join(people[:MOST_TOLD])
    return redirect(url_for("leagues.desk", night_id=night_id, open=part, did=did, who=who, _anchor=part), 303)


def _told(page: DeskPage) -> str:
    """Return a sentence that says what was done to whom, according to the address of the page; "" without any."""
    did = DID.get(request.args.get("did", ""))
    told = [person.name for person in _who(page)]
    return _(did, names=join_names([isolated(name) for name in told])) if told and did else ""


def _who(page: DeskPage) -> list[Person]:
    """Return the people whom the address of the page names, as far as they are on the page."""
    lists = (page.here, page.left, page.door.expected, page.door.last_time, page.door.others)
    people = {person.id: person for each in lists for person in each}
    people |= {payer.id: Person(payer.id, payer.name) for payer in (page.fees.rows if page.fees else ())}
    return [people[person] for person in request.args.get("who", "").split(",") if person in people]


def _render(
    night_id: str, shown: int | None, *, find: str = "", wrong: Wrong = NOTHING_WRONG, need: Role = Role.HELPER
) -> str:
    """Render the desk page. The forms hold the posted values, or the saved values if nothing was posted."""
    page = desk_page(night_id, this_device(), shown=shown, find=find, need=need)
    lines = forms.score_lines(page.shown)
    for line in lines:
        if violation := wrong.tables.get(line.table.id):
            line.refuse_score(violation)
    nobody = not (page.door.expected or page.door.last_time or page.door.others)
    return render_template(
        "leagues/nights/desk.html",
        page=page,
        wrong=wrong,
        newcomer=forms.NewcomerForm(name=find if nobody else ""),
        plan=forms.NightPlanForm.of(page.plan),
        lines=lines,
        reason=forms.ReasonForm(),
        unfolded=request.args.get("open", ""),
        told=_told(page),
        taken=_who(page) if request.args.get("open") == "taken" else (),
        came=request.args.get("came", ""),
        seed=secrets.randbelow(SEEDS),
        client_id=new_tap_id(),
        matches=desk_matches(night_id, page.plan),
        seeds=desk_seeds(night_id, page.plan),
        outdated_playoffs=outdated_playoffs_on(night_id),
    )


def settled_tie(night_id: str) -> bool:
    """Save the winner of a tied table if the posted form names one. Return True if a winner was saved."""
    form = forms.TieForm()
    if form.tie.data is None:
        return False
    table, side, points = form.values
    tables.settle_tie(night=night_id, table=table, side=side, points=points, device=device())
    return True
