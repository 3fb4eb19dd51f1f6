"""Read a home table (a group that plays at home) from the database, and return the models of its pages."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from msgspec import Struct, structs
from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.games.forms.our_table import Asked
from scorekeeper.games.list_queries import game_cards
from scorekeeper.games.logic.statistics.table_games import Side, TableGame
from scorekeeper.games.logic.statistics.table_statistics import (
    IN_PAIRS,
    KINDS,
    USUAL,
    Figure,
    Meeting,
    PersonNumbers,
    TableFilter,
    evenings_of,
    games_of_figure,
    meetings_of,
    people_of,
)
from scorekeeper.games.pages.common import Choice
from scorekeeper.games.pages.our_table import (
    FilterView,
    HistoryGame,
    OurTablePage,
    PlayerPage,
    TableChoice,
    TableHistoryPage,
    TablePhone,
)
from scorekeeper.games.pages.start import EveningLine
from scorekeeper.games.presenters import our_table as words
from scorekeeper.games.services.recovery import spelled, table_code_of
from scorekeeper.games.services.sharing import LINK_LASTS
from scorekeeper.games.store.home_games import TableLog, games_at, games_of_table, latest_games
from scorekeeper.games.store.models import GameRow
from scorekeeper.i18n.catalog import _, ngettext, spoken
from scorekeeper.i18n.ruleset_labels import house_rules
from scorekeeper.i18n.sentences import isolated, join_names
from scorekeeper.people.models import HomeLinkRow, HomePersonRow, HomePhoneRow, HomeTableRow
from scorekeeper.people.tables import current_table
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from scorekeeper.web.extensions import db
from scorekeeper.web.links import PageLink
from scorekeeper.web.text import unaccented

AT_ONCE = 30
"""Maximum number of games on one page of the history."""
EARLIER = 5
"""Maximum number of evenings that the page of the home table lists in addition to the last evening."""
MOST_LAST, FEWER = 4, 3
"""If the last evening had at most `MOST_LAST` games, all are shown; otherwise only the latest `FEWER` games."""
LATELY = 40
"""Number of latest games that are read to find the last evening's result for the home page; no evening has so many."""


class NoSuchPlayerError(Exception):
    """The phone's home table has no person with that public id."""


class _Table(Struct, frozen=True):
    """A phone's home table, with its people and games, as seen by that phone."""

    id: int
    name: str
    people: Mapping[int, words.KnownPlayer]
    """The people of the table by row id, without people who were merged into others."""
    log: TableLog
    keeper: bool
    may_score: bool
    device: str

    @property
    def shown(self) -> tuple[TableGame, ...]:
        return tuple(game for game in self.log.games if not game.hidden)

    def person(self, public_id: str) -> int | None:
        """Return the row id of the person with the public id `public_id`, or None if nobody at this table has it."""
        return next((id_ for id_, person in self.people.items() if person.public_id == public_id), None)


class _TableNumbers(Struct, frozen=True):
    """The statistics of a home table's games: evenings, head-to-head results, and people."""

    evenings: tuple[tuple[TableGame, ...], ...]
    meetings: tuple[Meeting, ...]
    people: tuple[PersonNumbers, ...]


def last_evening(device: str | None) -> EveningLine | None:
    """Return the result of the last evening at the home table of the phone `device`, for the home page.

    Returns None if the phone has no home table, or if the table has no finished game.
    """
    session = db.session()
    table = current_table(session, device)
    games = () if table is None else latest_games(session, table, LATELY)
    evening = next((each for each in evenings_of(games) if any(game.counts for game in each)), None)
    if table is None or evening is None:
        return None
    line = words.evening_line(words.Voice(_people(session, table), {}), evening)
    return structs.replace(line, page=PageLink("games.our_table", {}))


def our_table_page(device: str | None, asked: Asked) -> OurTablePage:
    """Return the "Our table" page of the phone `device`, with statistics of the games that `asked` selects."""
    table = _table_of(device)
    chosen = _chosen(table, asked)
    voice = words.Voice(table.people if table else {}, _fields(chosen))
    filters = _filter_view(table, chosen)
    if table is None or not table.shown:
        return OurTablePage("", 0, None, None, (), 0, (), filters, (), (), (), "")
    wanted = _filter_of(table, chosen)
    games = tuple(game for game in table.shown if wanted.takes(game))
    counted = _counted(table.log, games, wanted)
    evenings = [each for each in counted.evenings if any(game.counts for game in each)]
    return OurTablePage(
        name=table.name,
        played=len(table.shown),
        since=table.shown[0].began,
        last=words.evening_line(voice, evenings[0]) if evenings else None,
        last_games=_cards(_latest(evenings[0] if evenings else ())),
        last_count=len(evenings[0]) if evenings else 0,
        earlier=tuple(words.evening_line(voice, each) for each in evenings[1 : EARLIER + 1]),
        filters=filters,
        meetings=tuple(words.meeting_line(voice, each) for each in counted.meetings),
        people=tuple(words.person_line(voice, own) for own in counted.people),
        records=words.records(voice, counted.people),
        note=words.counting_note(),
        history=PageLink(words.HISTORY, _fields(chosen)),
    )


def _latest(evening: Sequence[TableGame]) -> Sequence[TableGame]:
    return evening if len(evening) <= MOST_LAST else evening[-FEWER:]


def player_page(device: str | None, person_id: str, asked: Asked) -> PlayerPage:
    """Return the page with the statistics of a person at the home table of the phone `device`.

    `person_id` is the public id of the person. The filter `asked` selects the games. Raises `NoSuchPlayerError`.
    """
    table = _table_of(device)
    person = None if table is None else table.person(person_id)
    if table is None or person is None:
        raise NoSuchPlayerError
    chosen = _chosen(table, asked)
    wanted = _filter_of(table, chosen)
    games = tuple(game for game in table.shown if wanted.takes(game))
    voice = words.Voice(table.people, _fields(chosen))
    own = next((each for each in _counted(table.log, games, wanted).people if each.person == person), None)
    page = PlayerPage(
        person_id, table.people[person].name, (), (), (), (), _filter_view(table, chosen), words.counting_note()
    )
    if own is None:
        return page
    return structs.replace(
        page,
        facts=words.person_facts(voice, own),
        levels=words.level_rows(voice, own),
        partners=words.companion_rows(voice, person, "with", own.games.partners.everyone),
        opponents=words.companion_rows(voice, person, "against", own.games.opponents.everyone),
        history=PageLink(words.HISTORY, {**_fields(chosen), "people": person_id}),
    )


def history_page(device: str | None, asked: Asked) -> TableHistoryPage:
    """Return one page of the list of games at the home table of the phone `device`, latest first.

    `asked` has the filter for the games. The page begins after the game `asked.before`.
    """
    table = _table_of(device)
    chosen = _chosen(table, asked)
    filters = _filter_view(table, chosen, history=True)
    if table is None:
        return TableHistoryPage("", (), 0, filters, None, None, None, picking=False, actions=())
    heading, ids = _wanted_games(table, chosen)
    at = ids.index(chosen.before) + 1 if chosen.before in ids else 0
    here = ids[at : at + AT_ONCE]
    games = _history_games(table, here)
    fields = _fields(chosen)
    more = len(ids) > at + AT_ONCE
    return TableHistoryPage(
        heading=heading,
        games=games,
        found=len(ids),
        filters=filters,
        older=PageLink(words.HISTORY, {**fields, "before": here[-1]}) if more else None,
        newest=PageLink(words.HISTORY, fields) if at else None,
        pick=PageLink(words.HISTORY, {**fields, "before": chosen.before, "pick": "1"})
        if table.may_score and games and not chosen.picking
        else None,
        picking=chosen.picking and table.may_score and bool(games),
        actions=_actions(chosen.show, may_delete=any(game.mine for game in games)),
        kept=tuple((key, str(value)) for key, value in fields.items()),
    )


def _actions(show: str, *, may_delete: bool) -> tuple[Choice, ...]:
    hide, delete = Choice("hide", _("Hide games")), Choice("delete", _("Delete games"))
    if show == "deleted":
        return (Choice("restore", _("Restore games")),)
    if show == "hidden":
        hide = Choice("show", _("Show games again"))
    return (hide, delete) if may_delete else (hide,)


def _table_of(device: str | None) -> _Table | None:
    """Return the current home table of the phone `device`, or None if the phone has no home table."""
    session = db.session()
    table = current_table(session, device)
    if table is None or device is None:
        return None
    row = session.get_one(HomeTableRow, table)
    phone = session.scalars(
        select(HomePhoneRow).where(HomePhoneRow.table_id == table, HomePhoneRow.device == device)
    ).one()
    people = _people(session, table)
    return _Table(table, row.name, people, games_at(session, table), phone.keeper, phone.may_score, device)


def _people(session: Session, table: int) -> dict[int, words.KnownPlayer]:
    query = select(HomePersonRow.id, HomePersonRow.name, HomePersonRow.public_id)
    rows = session.execute(query.where(HomePersonRow.table_id == table, HomePersonRow.joined_into.is_(None)))
    return {id_: words.KnownPlayer(name, public_id) for id_, name, public_id in rows}


def _counted(log: TableLog, games: Sequence[TableGame], wanted: TableFilter) -> _TableNumbers:
    """Return the statistics of `games`. `games` are the games in `log` that the filter `wanted` selects.

    The statistics of all games, without a filter, are cached until something changes.
    """
    if wanted != TableFilter():
        return _TableNumbers(evenings_of(games), meetings_of(games), people_of(games))
    known: _TableNumbers | None = log.remembered.get("counted")
    if known is None:
        known = log.remembered["counted"] = _TableNumbers(evenings_of(games), meetings_of(games), people_of(games))
    return known


def _chosen(table: _Table | None, asked: Asked) -> Asked:
    """Return the filter `asked` without choices that this table doesn't have, such as unknown people."""
    if table is None:
        return Asked()
    games = {game.preset for game in table.log.games}
    preset = asked.preset if asked.preset in games else ""
    return structs.replace(
        asked,
        preset=preset,
        rules=asked.rules if (preset, asked.rules) in table.log.rules else "",
        people=tuple(person for person in asked.people if table.person(person) is not None),
        show=asked.show if asked.show in ("hidden", "deleted") else "",
    )


def _filter_of(table: _Table, asked: Asked) -> TableFilter:
    people = frozenset(person for each in asked.people if (person := table.person(each)) is not None)
    anyone = None
    if asked.who:
        looked_for = unaccented(asked.who)
        anyone = frozenset(id_ for id_, each in table.people.items() if looked_for in unaccented(each.name))
    return TableFilter(
        asked.preset, asked.rules, people, anyone, asked.moment(asked.since), asked.moment(asked.until, 1)
    )


def _fields(asked: Asked) -> dict[str, str | int]:
    """Return the query fields of the filter `asked`, by name. Fields without a value are left out."""
    fields = {
        "game": asked.preset,
        "rules": asked.rules,
        "people": ".".join(asked.people),
        "who": asked.who,
        "since": asked.since.isoformat() if asked.since else "",
        "until": asked.until.isoformat() if asked.until else "",
        "offset": str(int(asked.offset.total_seconds() // 60)) if asked.since or asked.until else "",
        "show": asked.show,
        "of": asked.figure,
        "evening": asked.evening,
    }
    return {key: value for key, value in fields.items() if value}


def _filter_view(table: _Table | None, asked: Asked, *, history: bool = False) -> FilterView:
    """Return the filter form, with the games, rules and people of this table as choices.

    With `history`, the form also has a choice between visible, hidden and deleted games.
    """
    if table is None:
        return FilterView((), (), (), ())
    played = dict.fromkeys(game.preset for game in table.log.games if game.preset in PRESETS)
    games = tuple(Choice(key, spoken(PRESETS[key].name), chosen=key == asked.preset) for key in played)
    rules = _rules_choices(table, asked)
    people = tuple(
        Choice(each.public_id, each.name, chosen=each.public_id in asked.people)
        for each in sorted(table.people.values(), key=lambda each: unaccented(each.name))
    )
    shows = (("", _("Visible")), ("hidden", _("Hidden")), ("deleted", _("Deleted"))) if history else ()
    active = [choice.label for choice in (*games, *rules, *people) if choice.chosen and choice.value]
    return FilterView(
        games=games,
        rules=rules if len(rules) > 1 else (),
        people=people,
        active=tuple(active),
        who=asked.who,
        since=asked.since.isoformat() if asked.since else "",
        until=asked.until.isoformat() if asked.until else "",
        show=tuple(Choice(value, label, chosen=value == asked.show) for value, label in shows),
    )


def _rules_choices(table: _Table, asked: Asked) -> tuple[Choice, ...]:
    found = ((key, changed) for (preset, key), changed in table.log.rules.items() if preset == asked.preset)
    return tuple(
        Choice(key, _rules_text(asked.preset, key, changed), chosen=key == asked.rules) for key, changed in found
    )


def _rules_text(preset: str, key: str, changed: Mapping[str, Any]) -> str:
    if key == USUAL:
        return _("Usual rules")
    return " ".join(house_rules(with_options(PRESETS[preset], changed))) or _("House rules")


def _wanted_games(table: _Table, asked: Asked) -> tuple[str, list[str]]:
    """Return a heading, and the public ids of the games that the filter `asked` selects, latest first.

    If the reader clicked a number in the statistics, the heading says what that number counts. Otherwise the heading is
    "".
    """
    if asked.show == "deleted":
        return "", _deleted(table)
    wanted = structs.replace(_filter_of(table, asked), hidden=asked.show == "hidden")
    games = [game for game in table.log.games if wanted.takes(game)]
    heading, figure = "", _figure(table, asked.figure)
    if figure is not None:
        counted = games_of_figure(games, figure)
        games = [game for game in games if game.id in counted]
        heading = words.HEADINGS[figure.kind](words.Voice(table.people, {}), figure.sides, figure.bid)
    if asked.evening:
        games = list(next((each for each in evenings_of(games) if each[0].id == asked.evening), ()))
    return heading, [game.id for game in reversed(games)]


def _figure(table: _Table, text: str) -> Figure | None:
    """Return the number in the statistics that `text` describes, or None if this table has no such number.

    `text` is from the query string of a link. A `Figure` is a number in the statistics that counts games.
    """
    kind, *parts = text.split(":")
    if kind not in KINDS or not parts:
        return None
    about = parts if kind in IN_PAIRS else parts[0].split("-")
    sides = [_side(table, part) for part in about]
    if any(side is None for side in sides) or (kind in IN_PAIRS and len(sides) != 2):
        return None
    bid = parts[1] if kind in ("bid", "set") and len(parts) > 1 else ""
    return Figure(kind, tuple(side for side in sides if side is not None), bid)


def _side(table: _Table, text: str) -> Side | None:
    people = [table.person(each) for each in text.split(".")]
    return None if None in people else tuple(sorted(person for person in people if person is not None))


def _deleted(table: _Table) -> list[str]:
    query = games_of_table(table.id).where(GameRow.deleted_at.is_not(None)).order_by(GameRow.deleted_at.desc())
    return [row.public_id for row in db.session().scalars(query) if table.keeper or row.device == table.device]


def _history_games(table: _Table, ids: Sequence[str]) -> tuple[HistoryGame, ...]:
    rows = {row.public_id: row for row in db.session().scalars(select(GameRow).where(GameRow.public_id.in_(ids)))}
    here = [rows[each] for each in ids if each in rows]
    return tuple(
        HistoryGame(card, table.keeper or row.device == table.device)
        for card, row in zip(game_cards(here), here, strict=True)
    )


def _cards(games: Sequence[TableGame]) -> tuple[Any, ...]:
    ids = [game.id for game in games]
    rows = {row.public_id: row for row in db.session().scalars(select(GameRow).where(GameRow.public_id.in_(ids)))}
    return game_cards([rows[each] for each in ids if each in rows])


def table_phones_page(device: str | None, key: str, *, error: str = "") -> SimpleNamespace | None:
    """Return the page for sharing the home table of the phone `device`, or None if the phone has no home table.

    Only the main phone of the table sees the backup code. `key` is the installation's secret key, from which the code
    is derived.
    """
    session = db.session()
    table = current_table(session, device)
    if table is None:
        return None
    here = select(HomePhoneRow).where(HomePhoneRow.table_id == table, HomePhoneRow.left_at.is_(None))
    rows = session.scalars(here.order_by(HomePhoneRow.id)).all()
    keeps = any(row.keeper and row.device == device for row in rows)
    mine = select(HomePhoneRow.table_id).where(HomePhoneRow.device == device, HomePhoneRow.left_at.is_(None))
    tables = session.scalars(select(HomeTableRow).where(HomeTableRow.id.in_(mine)).order_by(HomeTableRow.id)).all()
    unused = select(HomeLinkRow.made_at).where(
        HomeLinkRow.table_id == table, HomeLinkRow.used_at.is_(None), HomeLinkRow.revoked_at.is_(None)
    )
    fresh = [made for made in session.scalars(unused) if datetime.now(UTC) - made < LINK_LASTS] if keeps else []
    row = session.get_one(HomeTableRow, table)
    return SimpleNamespace(
        name=_table_name(session, row),
        shows_odds=bool(row.shows_odds),
        keeps=keeps,
        phones=tuple(TablePhone(one.id, one.since, one.keeper, one.may_score, one.device == device) for one in rows),
        tables=tuple(TableChoice(one.public_id, _table_name(session, one), one.id == table) for one in tables),
        link_made=max(fresh, default=None),
        code=spelled(table_code_of(session, table, key)) if keeps else "",
        error=error,
    )


def join_table_page(secret: str, table: int, *, may_score: bool) -> SimpleNamespace:
    """Return the page that asks for confirmation before a phone joins a home table (row id).

    `secret` is the token of the link. `may_score` says whether the phone may score after joining.
    """
    session = db.session()
    return SimpleNamespace(
        secret=secret, name=_table_name(session, session.get_one(HomeTableRow, table)), may_score=may_score
    )


NAMED_AFTER = 4
"""Number of people listed in the name of a table that was not given a name, such as "Ann, Bob, Cid, Dee and 2 more".

If there is only one more person, all five are listed.
"""


def _table_name(session: Session, table: HomeTableRow) -> str:
    """Return the name of a home table.

    If the table was not given a name, it is named after the people who were added first, or "Our table" without people.
    """
    if table.name:
        return table.name
    people = select(HomePersonRow.name).where(
        HomePersonRow.table_id == table.id, HomePersonRow.joined_into.is_(None), HomePersonRow.hidden.is_(False)
    )
    names = [isolated(name) for name in session.scalars(people.order_by(HomePersonRow.id))]
    if not names:
        return _("Our table")
    more = len(names) - NAMED_AFTER
    if more < 2:  # the name of one more takes no more room than its number
        return join_names(names)
    told = ", ".join(names[:NAMED_AFTER])
    return ngettext("%(told)s and %(num)s more", "%(told)s and %(num)s more", more, told=told)
