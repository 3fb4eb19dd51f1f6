"""Read the pages of a table: its card and its result.

Read the printed pages of a night: table cards, rotation and score sheets.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from msgspec import structs
from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.config import Wifi
from scorekeeper.games.presenters.new_game import sheet_fields
from scorekeeper.games.presenters.score_sheet import PaperPage, blank_sheet, usual_seating
from scorekeeper.games.presenters.snapshot import new_tap_id
from scorekeeper.games.store.access import AccessLevel, Bell, LeagueTable, standing_of, table_finder
from scorekeeper.games.store.event_store import find
from scorekeeper.games.store.models import GameRow
from scorekeeper.i18n.catalog import _, ngettext
from scorekeeper.i18n.sentences import join_names
from scorekeeper.leagues.core.access import NoSuchLeagueError, demand, night_at, role_of, same_word
from scorekeeper.leagues.core.models import NightRow, SeasonRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.nights.pages import CardWay, NightPage, Place, SheetsPage, TableCard, WifiView
from scorekeeper.leagues.nights.queries.night import clock_of, page_of, sets_label, table_view, versions_of
from scorekeeper.leagues.nights.removal import removed_game
from scorekeeper.leagues.nights.seating import earlier_on
from scorekeeper.leagues.nights.table_disputes import KEEP, TAKE, scorer_of, side_of
from scorekeeper.leagues.nights.tables import bell_awaited, card_word, on_card, opens, rules_of, short_code
from scorekeeper.leagues.results.team_nights import team_night_of
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.plan import (
    Figures,
    Met,
    RoundPlan,
    figures,
    partners_from,
    people_by_side,
    repeat_matrix,
    seating_of,
)
from scorekeeper.leagues.standings.night_snapshot import Seen, names_on, seen
from scorekeeper.leagues.standings.table_results import TableState, last_begun, last_hand, plans_of
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, differing
from scorekeeper.web.extensions import db
from scorekeeper.web.links import PageLink, code_of


def card_page(
    night: str, number: int, word: str, *, key: str, address: str, device: str | None = None
) -> SimpleNamespace | None:
    """Return the page of a table card; None if `word`, the token in its address, is not valid.

    `number` is the number of the table, and `key` is the installation's secret key. The forms on the page are posted to
    `address`. Raises `NoSuchLeagueError` for an unknown night.
    """
    if not opens(word, night_at(db.session(), night), number, key):
        return None
    at = seen(night)
    # The game to play comes first, then the one to confirm.
    bell = bell_awaited(at.night, at.tables, at.begun)
    tables = sorted(on_card(at.tables, number, at.begun, bell=bell), key=lambda table: table.done)
    names = names_on(at)
    matches = team_night_of(at).matches
    views = tuple(table_view(table, names, device, matches) for table in tables)
    done = next((table for table in tables if table.done), None)
    return SimpleNamespace(
        night_id=night,
        title=_("Table %(number)s", number=number),
        # The games that the card lets people score, unfinished ones first; empty if nobody is seated at the table.
        tables=views,
        # True if the next round starts after the bell.
        bell=bell,
        address=address,
        client_id=new_tap_id(),
        # The side of this phone in the finished game of `tables`; None if no game is finished or the side is unknown.
        own_side=None if done is None else _own_side(done.game, device)[1],
        # Label of the fields for how often each side was set (failed to make its bid); empty without such fields.
        sets_label=sets_label(at.season),
    )


def table_page(night: str, table: int, device: str | None) -> SimpleNamespace:
    """Return the page of a table (its id). Raises `NoSuchLeagueError`."""
    at = seen(night)
    state = next((each for each in at.tables if each.id == table), None)
    if state is None:
        raise NoSuchLeagueError
    session = db.session()
    game = find(session, state.game) if state.game else None
    scores = game is not None and standing_of(session, game, device) >= AccessLevel.SCORES
    closed = at.night.closed_at is not None
    helps = role_of(at.league, device) >= Role.HELPER
    at_table, own_side = _own_side(state.game, device)
    works = (scores or helps) and bool(state.game) and not closed
    fixed = state.fixed
    view = table_view(state, names_on(at), device, team_night_of(at).matches)
    page = SimpleNamespace(
        night_id=night,
        night=_("%(league)s, night %(number)s", league=at.league.name, number=at.night.number),
        title=_("Round %(round)s, table %(table)s", round=state.round, table=state.number),
        table=view,
        # True if this phone may score the game.
        may_score=scores,
        # True if the game has not started, and this device may start it.
        may_start=not state.game and not closed and helps,
        may_confirm=works and state.done,
        closed=closed,
        # The side this phone belongs to; None if it is unknown.
        own_side=own_side,
        # True if this phone scores the game, so that it can confirm the result for its own side.
        at_table=at_table,
        # True if this phone may enter a final score here.
        may_enter=scores and not state.hands and not closed and not fixed,
        # True if this device may end a game with hands with a typed score, or correct how it ended: for the desk.
        may_total=bool(state.game) and bool(state.hands) and helps and not closed,
        may_object=works and state.done and state.dispute is None and (helps or state.round >= at.begun),
        # True if this device belongs to a director or helper, who must give a reason when they settle a dispute.
        helps=helps,
        ways=_ways(state, [side.name for side in view.sides], device, own_side, helps=helps) if works else (),
        # Label of the fields for how often each side was set (failed to make its bid); empty without such fields.
        sets_label=sets_label(at.season),
        may_reopen=works and helps and (fixed or state.by_bell) and not state.final and not state.reopened,
        # True if this device may remove a game that was started or scored hand by hand.
        may_remove=works and helps and not state.final,
        # True if this device may bring back a game that was removed from the table.
        may_bring_back=helps
        and not (closed or state.game)
        and removed_game(session, at.night, state.round, state.number, state.seats) is not None,
    )
    # By it, a page that is open notices that what it shows has changed.
    page.version = hashlib.sha256(repr(vars(page)).encode()).hexdigest()[:12]
    page.client_id = new_tap_id()
    return page


def _own_side(game: str, device: str | None) -> tuple[bool, int | None]:
    """Return whether the phone `device` scores a game, and the side of the game that the phone belongs to.

    The side is None if it is unknown.
    """
    if not game or device is None:
        return False, None
    session = db.session()
    row = session.scalars(select(GameRow).where(GameRow.public_id == game)).one()
    scorer = scorer_of(session, row.id, device)
    return scorer is not None, side_of(scorer, row)


def _ways(
    table: TableState, sides: Sequence[str], device: str | None, side: int | None, *, helps: bool
) -> tuple[tuple[str, str], ...]:
    """Return the choices by which this device can settle a dispute, as pairs of posted value and button label.

    A phone can only accept the other phone's score. A director or helper (`helps` is true) can choose either score.
    `sides` are the names of the sides, and `side` is the phone's own side, or None if unknown. Return () if there is no
    dispute.
    """
    dispute = table.dispute
    if dispute is None:
        return ()
    own = dispute.device == device or (dispute.side is not None and dispute.side == side)
    ways = []
    # Without another score, the phone only says that this one is wrong.
    first, second = versions_of(table, dispute, dispute.points or table.points, sides)
    if own or helps:
        ways.append((KEEP, _("Keep %(score)s", score=first)))
    if dispute.points is not None and (helps or not own):
        ways.append((TAKE, _("Change to %(score)s", score=second)))
    return tuple(ways)


@table_finder
def find_table(session: Session, game: int) -> LeagueTable | None:
    """Return the league table at which the game with the row id `game` is played, or None if it is no league game."""
    query = select(NightRow, TableRow.id, TableRow.round).join(TableRow, TableRow.night_id == NightRow.id)
    row = session.execute(query.where(TableRow.game_id == game)).first()
    if row is None:
        return None
    night, table, number = row
    return LeagueTable(
        result=PageLink("leagues.table", {"night_id": night.public_id, "table": table}),
        night=PageLink("leagues.night", {"night_id": night.public_id}),
        desk=PageLink("leagues.desk", {"night_id": night.public_id, "round": number, "_anchor": "round"}),
        results=PageLink("leagues.results", {"night_id": night.public_id}),
        closed=night.closed_at is not None,
        **_of_round(session, night, table, number, game),
    )


def _of_round(session: Session, night: NightRow, table: int, number: int, game: int) -> dict[str, Any]:
    """Return the bell or the clock of a table (its id) in round `number`, by name of the field of `LeagueTable`.

    `game` is the row id of its game.
    """
    running = night.bell_at is not None or night.clock_at is not None
    if not running or number != last_begun(session, night):
        return {}
    if night.bell_at is not None:
        return {"bell": _bell(session, night, table, game)}
    return {"clock": clock_of(session.get_one(SeasonRow, night.season_id), night)}


def _bell(session: Session, night: NightRow, table: int, game: int) -> Bell | None:
    """Return what the game (row id) of a table (its id) has to do after the bell; None if nothing."""
    left = last_hand(session, night, session.get_one(GameRow, game).public_id)
    if not left:
        return None
    end = PageLink("leagues.end_game", {"night_id": night.public_id, "table": table})
    if left == "tied":
        return Bell(_("The bell has rung, and it's tied. Play one more hand."), None, "")
    if left == "played":
        return Bell(_("The bell has rung. Correct the last hand, or end the game."), end, _("End game"))
    return Bell(_("The bell has rung. Finish this hand: it's the last one."), end, _("No hand in progress"))


MOST_CARDS = 40


def cards_page(
    night: str,
    device: str | None,
    *,
    key: str,
    address: Callable[[int, str], str],
    short: Callable[[str], str],
    asked: int | None,
    wifi: Wifi | None,
    note: str,
) -> SimpleNamespace:
    """Return the page for printing the table cards of a night.

    The page has the cards of tables 1 to `asked`. If `asked` is None, it has a card for every table of the seating.
    `note` is shown above the cards. `wifi` is shown on each card.

    `address` makes the link of a card from its table number and token. `short` makes the short link from a
    `short_code`. `key` is the installation's secret key. Only directors get this page, since a card allows scoring.
    Raises `NoSuchLeagueError` or `NotAllowedError`.
    """
    at = seen(night)
    demand(at.league, device, Role.DIRECTOR)
    drawn = max((table.number for table in at.tables), default=1)
    cards = []
    for number in range(1, 1 + min(max(asked or drawn, 1), MOST_CARDS)):
        link = address(number, card_word(at.night, number, key))
        typed = short(short_code(at.night, number, key))
        cards.append(TableCard(number, link, typed, typed.partition("://")[2], code_of(link, border=2)))
    # Without a password, the code would be for an open network. Most networks whose password isn't told aren't open.
    code = code_of(wifi_code_text(wifi), border=2) if wifi and wifi.password else None
    shown = WifiView(wifi.name, wifi.password, code) if wifi else None
    return SimpleNamespace(
        night=page_of(at),
        cards=tuple(cards),
        wifi=shown,
        # A warning if other phones cannot open the cards; else empty.
        note=note,
    )


def wifi_code_text(wifi: Wifi) -> str:
    """Return the text of a QR code with which the cameras of phones join a Wi-Fi network with a password.

    The format is the one of ZXing, which Android and iOS read, too.
    """
    name, password = (re.sub(r'[\\;,:"]', r"\\\g<0>", text) for text in (wifi.name, wifi.password))
    return f"WIFI:T:WPA;S:{name};P:{password};;"


def card_behind(code: str, key: str) -> tuple[str, int, str] | None:
    """Return the night (public id), the table number and the token of the card with the short code `code`.

    Return None if no open night has such a card. `key` is the installation's secret key.
    """
    night, _dash, rest = code.lower().partition("-")
    number = rest.partition("-")[0]
    if not (night.isascii() and night.isdigit() and len(night) < 10 and number.isascii() and number.isdigit()):
        return None
    row = db.session().get(NightRow, int(night))
    if row is None or row.closed_at is not None or len(number) > 2:
        return None
    # The code has neither 0 nor 1, so that a typed one can only mean the letter.
    secret = rest.partition("-")[2].replace("0", "o").replace("1", "l")
    if not same_word(f"{night}-{number}-{secret}", short_code(row, int(number), key)):
        return None
    return row.public_id, int(number), card_word(row, int(number), key)


def rotation_page(night: str) -> SimpleNamespace:
    """Return the page with the seats of each person in all rounds, and with how often any two people meet.

    Raises `NoSuchLeagueError`.
    """
    at = seen(night)
    page = page_of(at)
    plans = plans_of(at.tables, at.byes)
    names = names_on(at)
    people = sorted({person for plan in plans for person in plan.present}, key=lambda each: names[each].casefold())
    ways = tuple(
        CardWay(index, names[person], tuple(_place(plan, person, names) for plan in plans))
        for index, person in enumerate(people, 1)
    )
    met = repeat_matrix(plans)
    fixed = at.plan.together == "fixed" or FORMATS[at.plan.format].teams
    matrix = tuple(
        tuple(None if one == other else met.get((min(one, other), max(one, other)), Met()) for other in people)
        for one in people
    )
    texts = (*_kept_texts(at), *_figure_texts(plans, fixed=fixed, stayed=fixed and _stayed_together(at.tables)))
    return SimpleNamespace(
        night=page,
        ways=ways,
        # How often any two people meet. There is a row and a column for each person, in the order of
        # `ways`. The values on the diagonal, where a person would meet themselves, are None.
        matrix=matrix,
        says=(*texts, *(() if fixed else _memory_texts(at, plans))) if plans else (),
    )


def _stayed_together(tables: Sequence[TableState]) -> bool:
    """Return whether nobody has different partners at these tables. A substitute counts as the regular."""
    partners: dict[int, set[int]] = {}
    for table in tables:
        for side in table.plan.sides:
            regulars = {table.subs.get(person, person) for person in side}
            if any(partners.setdefault(person, regulars) != regulars for person in regulars):
                return False
    return True


def _kept_texts(at: Seen) -> tuple[str, ...]:
    """Return sentences about the people who stay at one table all night."""
    by_id = {known.public_id: known.name for known in at.people.values()}
    return tuple(
        _("%(name)s stays at table %(number)s.", name=by_id[person], number=number)
        for person, number in at.plan.tables.items()
        if person in by_id
    )


def _memory_texts(at: Seen, plans: Sequence[RoundPlan]) -> tuple[str, ...]:
    """Return a sentence about how many pairs of partners were already partners on an earlier night of the season.

    Return () on the first night of the season.
    """
    earlier = earlier_on(db.session(), at.season, at.night)
    if not earlier:
        return ()
    count = partners_from(plans, earlier)
    if not count:
        return (_("No one is paired with a partner from an earlier night."),)
    return (
        ngettext(
            "%(num)s partnership from an earlier night is repeated.",
            "%(num)s partnerships from earlier nights are repeated.",
            count,
        ),
    )


def sheets_page(night: str, asked: int | None) -> SheetsPage:
    """Return the score sheets of round `asked`; None means the current round. Raises `NoSuchLeagueError`."""
    at = seen(night)
    page = page_of(at)
    number = asked or page.now
    names = names_on(at)
    sheets = tuple(
        _sheet(at, page, table, rules_of(at.season, at.night, table.number), names)
        for table in at.tables
        if table.round == number
    )
    rules = rules_of(at.season, at.night, 0)
    blank = sheet_fields(rules.preset, usual_seating(rules), differing(PRESETS[rules.preset], rules))
    return SheetsPage(page, number, sheets, blank)


def _sheet(at: Seen, page: NightPage, table: TableState, rules: Ruleset, names: Mapping[int, str]) -> PaperPage:
    blank = blank_sheet(rules, seating_of(len(table.seats), table.kind))
    people = people_by_side(table.seats, table.kind)
    bell = (
        ()
        if FORMATS[at.plan.format].bell == "none"
        else (_("When the bell rings, finish the hand. The most points win."),)
    )
    return structs.replace(
        blank,
        rules=(*blank.rules, *bell),
        title=_("Round %(round)s, table %(table)s", round=table.round, table=table.number),
        sides=tuple(
            structs.replace(side, name=join_names([names[each] for each in who]))
            for side, who in zip(blank.sides, people, strict=True)
        ),
        played=f"{page.title}, {page.day}",
        others=(),
    )


def _place(plan: RoundPlan, person: int, names: Mapping[int, str]) -> Place:
    for table in plan.tables:
        for side in table.sides:
            if person in side:
                return Place(table.number, tuple(names[other] for other in side if other != person))
    return Place(0 if person in plan.byes else -1, ())


def _figure_texts(plans: Sequence[RoundPlan], *, fixed: bool, stayed: bool) -> tuple[str, ...]:
    """Return sentences with statistics about a rotation, such as the number of repeated partners.

    `fixed` says that partners are to stay together all night, and `stayed` that all of them do.
    """
    found = figures(plans)
    sentences = []
    if fixed:
        sentences += [_("Partners stay together all night.")] if stayed else []
    elif found.partners_most == 1:
        sentences.append(_("Tonight, no one has the same partner twice."))
    elif found.partners_most:
        sentences.append(
            ngettext("One pair of partners meets again.", "Partners meet again %(num)s times.", found.partners_repeated)
        )
    if found.opponents_most:
        sentences.append(
            ngettext(
                "Tonight, no one faces the same opponent twice.",
                "Tonight, no one faces the same opponent more than %(num)s times.",
                found.opponents_most,
            )
        )
    if found.byes_most:
        sentences.append(_byes_text(found))
    return tuple(sentences)


def _byes_text(found: Figures) -> str:
    least, most = found.byes_least, found.byes_most
    if least == most:
        return ngettext(
            "Everyone who is here all night sits out once.",
            "Everyone who is here all night sits out %(num)s times.",
            most,
        )
    if not least:
        return ngettext(
            "No one who is here all night sits out more than once.",
            "No one who is here all night sits out more than %(num)s times.",
            most,
        )
    return _("Everyone who is here all night sits out %(least)s to %(most)s times.", least=least, most=most)
