"""Read the desk page. The number of queries does not grow during the season."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType

from sqlalchemy import select, tuple_
from sqlalchemy.orm import Session

from scorekeeper.games.presenters.agreements import amount_text
from scorekeeper.games.store.event_store import find as find_game
from scorekeeper.games.store.event_store import load
from scorekeeper.games.store.models import EventRow, GameRow, ScorerRow
from scorekeeper.i18n.catalog import _, ngettext
from scorekeeper.i18n.sentences import isolated, join_names
from scorekeeper.leagues.calendar.queries import Answered, answers_for_night
from scorekeeper.leagues.calendar.settings import NO, REPLIES, YES
from scorekeeper.leagues.core.access import demand, role_of
from scorekeeper.leagues.core.models import NightRow, PresentRow, SeasonRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import is_public
from scorekeeper.leagues.money.queries import fees_panel
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.leagues.nights.opening import checked_in_at_once, money_on, totals_on
from scorekeeper.leagues.nights.outdated import is_kept, outdated_round
from scorekeeper.leagues.nights.pages import DeskPage, Door, OutdatedView, Person, RoundView, TableView
from scorekeeper.leagues.nights.places import drawn_by_lot, seating_before, teams_before, without_partners
from scorekeeper.leagues.nights.queries.night import page_of, sets_label
from scorekeeper.leagues.nights.tables import forfeit_points, rules_of
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.formats.round_robin import ROUND_ROBIN, full_circle
from scorekeeper.leagues.schedule.formats.team_match import TEAM_MATCH
from scorekeeper.leagues.schedule.plan import seating_of, table_sizes
from scorekeeper.leagues.standings.night_snapshot import Known, Seen, seen, teams_of
from scorekeeper.leagues.standings.queries import sets_cost
from scorekeeper.web.extensions import db, publication
from scorekeeper.web.text import unaccented

MOST_SHOWN = 120
"""Most names in `Door.others`; the filter finds the rest."""
NO_ANSWERS: Mapping[int, Answered] = MappingProxyType({})


def desk_page(
    night: str, device: str | None, *, shown: int | None = None, find: str = "", need: Role = Role.HELPER
) -> DeskPage:
    """Return the desk page of a night, which only directors and helpers may see.

    `shown` is the number of the round on the page; None means the current round. `find` is the text by which the user
    searches for people to check in. Raises `NoSuchLeagueError`, or `NotAllowedError` for less than the role `need`.
    """
    at = seen(night)
    demand(at.league, device, need)
    page = page_of(at)
    session = db.session()
    present = session.scalars(select(PresentRow).where(PresentRow.night_id == at.night.id)).all()
    here = [row for row in present if row.to_round is None]
    left = [row for row in present if row.to_round is not None]
    absent, last_time = _absent(at, present), _last_time(session, at)
    answers = answers_for_night(session, at.night.id)
    rounds = {each.number: each for each in page.rounds}
    # A round that is gone since a new seating was made can't be shown.
    on_page = rounds.get(shown or page.now) or rounds.get(page.now)
    teams = {row.team: [each for each in here if each.team == row.team] for row in here if row.team is not None}
    form = FORMATS[at.plan.format]
    stay = at.plan.together == "fixed" or form.teams
    alone = [row for row in here if row.team is None] if at.plan.solo else without_partners(here)
    tables = [table for each in page.rounds for table in each.tables]
    outdated = _outdated(session, at, tables)
    directs = role_of(at.league, device) >= Role.DIRECTOR
    fees, has_money = fees_panel(session, at.season, at.night, at.people), money_on(session, at.night.id)
    may_remove = not (at.begun or totals_on(session, at.night.id))
    at_once, undoable = checked_in_at_once(at.night.id) if answers else (0, ())
    return DeskPage(
        night=page,
        directs=directs,
        shown=on_page,
        swappable=() if on_page is None else _swappable(at, on_page.number, here),
        door=_door(absent, last_time, find, answers),
        here=_with_notes(at, here),
        left=_with_notes(at, left),
        substitutes=_with_notes(at, [row for row in here if row.sub_for is not None]),
        absent=_people(_regulars(at, absent, here, left, last_time)),
        sitting_out=_sitting_out(at, len(here)),
        kept=tuple(
            Person(known.public_id, known.name, _note(known, _("stays at table %(number)s", number=number)))
            for known, number in _kept(at)
        ),
        keeps=form.keeps_tables,
        fixed=stay,
        teams=tuple(
            _with_notes(at, teams[number]) for number in sorted(teams) if at.plan.solo or len(teams[number]) > 1
        ),
        again=_again(session, at) if stay else (),
        alone=_with_notes(at, alone),
        by_lot=len(drawn_by_lot(session, at.night, here)) if stay else 0,
        unpaired=at.plan.together == "fixed" and not form.teams and len(alone) >= at.plan.partners,
        vacancies=_vacancies(at, here, alone if stay else here),
        undo_seating=at.last > at.begun and seating_before(session, at.night, at.begun) is not None,
        team_size=at.plan.partners,
        plan=at.plan,
        disputed=_disputed(session, at),
        misfits=_misfits(session, at, present, outdated),
        pairs_missing=form.teams and len(teams) < 2,
        circle=_circle(at, len(teams)),
        begun=at.begun,
        missing=tuple(table for table in tables if table.state != "done"),
        may_remove=may_remove and not has_money,
        kept_for_fees=may_remove and has_money and fees is not None and any(payer.at_desk for payer in fees.rows),
        over=bool(page.champion) or _final_is_on(at),
        unconfirmed=_unconfirmed(session, at, tables),
        has_bell=form.bell != "none" and not _no_bell(at),
        rung=at.night.bell_at is not None,
        clock_minutes=_clock_minutes(at, on_page),
        time_up=page.clock is not None and page.clock.ends <= datetime.now(UTC),
        head_done=form.bell == "head_table" and on_page is not None and _head_done(on_page),
        sets_label=sets_label(at.season),
        shows_sets=sets_cost(at.season) or any(table.sets for table in tables),
        fees=fees,
        date=at.night.day.isoformat(),
        said_yes=sum(_said(answers, known) == YES for known in absent),
        forfeit_points=forfeit_points(at.season, at.night),
        at_once=at_once,
        undoable=sum(row.from_round > at.begun for row in undoable),
        sets_cost=_sets_cost(at),
        outdated=outdated,
        publication=publication() if directs and is_public(session, at.league.id) else None,
    )


def _no_bell(at: Seen) -> bool:
    """Return whether the bell of the last started round can neither be undone nor end anything anymore."""
    current = [table for table in at.tables if table.round == at.begun]
    is_last = at.begun == at.last and at.begun >= at.plan.rounds
    over = is_last and at.night.bell_at is None and all(table.done for table in current)
    return over or any(table.built_on for table in current)


def _sets_cost(at: Seen) -> str:
    """Return what the sets (failed bids) of the finished games of a night cost, as text; "" if they cost nothing."""
    cents = MoneySettings.from_json(at.season.money).per_set * sum(sum(each.sets) for each in at.tables if each.done)
    return amount_text(cents) if cents else ""


def _outdated(session: Session, at: Seen, tables: Sequence[TableView]) -> OutdatedView | None:
    """Return the first round that no longer fits the results before it, or None. `tables` are all tables."""
    found = outdated_round(session, at.night, at.tables)
    if found is None:
        return None
    shown = {table.id: table for table in tables}
    changes = []
    for table, was in found.changed:
        sides, now = [side.name for side in shown[table.id].sides], table.verdict.winner if table.verdict else None
        changes.append(
            _(
                "at table %(table)s of round %(round)s, %(winner)s won, not %(other)s",
                table=table.number,
                round=table.round,
                winner=isolated(sides[now or 0]),
                other=isolated(sides[was]),
            )
        )
    says = _(
        "The seating from round %(round)s on no longer fits the results: %(changes)s.",
        round=found.number,
        changes="; ".join(changes),
    )
    gone = tuple(shown[table.id] for table in at.tables if table.round >= found.number and table.game)
    return OutdatedView(found.number, says, gone)


def _clock_minutes(at: Seen, shown: RoundView | None) -> int:
    """Return for how many minutes the clock can be started for the round on the page; 0 if it can't."""
    night = at.night
    if shown is None or not shown.still or not at.begun <= shown.number <= at.begun + 1:
        return 0
    # The round before may still be playing.
    waits = shown.number > at.begun and not all(table.done for table in at.tables if table.round == at.begun)
    runs = shown.number == at.begun and (night.bell_at is not None or night.clock_at is not None)
    return 0 if waits or runs else at.plan.options.get("minutes", 0)


def _head_done(shown: RoundView) -> bool:
    """Return whether table 1 has finished while other tables of the round are playing."""
    return any(table.number == 1 and table.state == "done" for table in shown.tables) and shown.still > 0


def _again(session: Session, at: Seen) -> tuple[str, ...]:
    """Return the names of teams of an earlier night whose players can form the same team tonight, as in "Ann and Bob".

    Return () once a knockout has started.
    """
    if at.bracket is not None and at.begun:
        return ()
    teams = teams_before(session, at.league.id, at.night)
    return tuple(join_names([at.people[person].name for person in team]) for team in teams)


def _sitting_out(at: Seen, here: int) -> str:
    """Return a sentence about how many people sit out each round; "" if nobody does.

    `here` is the number of people who are checked in. If everyone would have a seat with one more table size, a second
    sentence says which sizes to set. The result is also "" for fixed partners, for too few
    people, and for formats without `Format.keeps_tables`.
    """
    sizes = at.plan.sizes
    if at.plan.together == "fixed" or not FORMATS[at.plan.format].keeps_tables or here < min(sizes):
        return ""
    out = here - sum(table_sizes(here, sizes))
    if not out:
        return ""
    sentence = ngettext(
        "%(here)s are here: %(num)s sits out each round.",
        "%(here)s are here: %(num)s sit out each round.",
        out,
        here=here,
    )
    seatings, how = rules_of(at.season, at.night).seatings, at.plan.rotation
    least = 4 if how.pairs else 2  # two pairs, or two players
    fitting = {
        each.players
        for each in seatings
        if each.players >= least and each == seating_of(each.players, how.kind_at(each.players))
    }
    others = sorted(fitting - {*sizes})
    better = next((size for size in others if sum(table_sizes(here, (*sizes, size))) == here), None)
    if better is None:
        return sentence
    both = ", ".join(map(str, (*sizes, better)))
    return sentence + " " + _("Set players per table to “%(sizes)s” and nobody sits out.", sizes=both)


def _kept(at: Seen) -> list[tuple[Known, int]]:
    """Return the people who stay at one table all night, each with the number of the table, sorted by name."""
    by_id = {known.public_id: known for known in at.people.values()}
    kept = [(by_id[person], number) for person, number in at.plan.tables.items() if person in by_id]
    return sorted(kept, key=lambda each: unaccented(each[0].name))


def _absent(at: Seen, present: Sequence[PresentRow]) -> list[Known]:
    """Return the active people of the league who were not checked in on the night, sorted by name."""
    came = {at.people[row.person_id].id for row in present}
    return _by_name({known.id: known for known in at.people.values() if known.active and known.id not in came}.values())


def _regulars(
    at: Seen, absent: Sequence[Known], here: Sequence[PresentRow], left: Sequence[PresentRow], last_time: frozenset[int]
) -> list[Known]:
    """Return the people that a substitute can play for.

    These are the people who are not here and have no substitute yet. People who were checked in on the previous night
    (`last_time`, person ids) are listed first. Both groups are sorted by name.
    """
    taken = {at.people[row.sub_for].id for row in here if row.sub_for is not None}
    away = [*absent, *(at.people[row.person_id] for row in left)]
    return sorted(
        (known for known in _by_name(away) if known.id not in taken), key=lambda known: known.id not in last_time
    )


def _door(absent: Sequence[Known], last_time: frozenset[int], find: str, answers: Mapping[int, Answered]) -> Door:
    wanted = unaccented(find.strip())
    found = [known for known in absent if wanted in unaccented(known.name) or wanted in unaccented(known.nickname)]
    expected = [known for known in found if _said(answers, known) == YES]
    likely = [known for known in found if known.id in last_time and _said(answers, known) not in (YES, NO)]
    others = [known for known in found if known not in expected and known not in likely]
    return Door(
        find=find,
        expected=_people(expected, answers),
        last_time=_people(likely, answers),
        others=_people(others[:MOST_SHOWN], answers),
        hidden=max(0, len(others) - MOST_SHOWN),
    )


def _said(answers: Mapping[int, Answered], known: Known) -> str:
    """Return a person's advance answer about whether they will come, as a key of `REPLIES`; empty if they gave none."""
    told = answers.get(known.id)
    return "" if told is None else told.says


def _last_time(session: Session, at: Seen) -> frozenset[int]:
    """Return the ids of the people who were checked in on the league's previous night."""
    before = (
        select(NightRow.id)
        .join(SeasonRow, SeasonRow.id == NightRow.season_id)
        .where(SeasonRow.league_id == at.league.id, NightRow.number > 0)
        .where(tuple_(NightRow.day, NightRow.id) < (at.night.day, at.night.id))
        .order_by(NightRow.day.desc(), NightRow.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    ids = session.scalars(select(PresentRow.person_id).where(PresentRow.night_id == before))
    return frozenset(at.people[person].id for person in ids)


def _by_name(people: Iterable[Known]) -> list[Known]:
    return sorted(people, key=lambda known: (unaccented(known.name), known.id))


def _people(people: Iterable[Known], answers: Mapping[int, Answered] = NO_ANSWERS) -> tuple[Person, ...]:
    """Return people as buttons, with their nickname and their advance answer as notes."""
    return tuple(Person(known.public_id, known.name, _note(known, *_told(answers.get(known.id)))) for known in people)


def _told(answer: Answered | None) -> tuple[str, ...]:
    """Return two notes for the desk page about whether a person said they would come; () if they did not answer.

    The first note describes the answer, such as "needs a substitute: Zoe". It is empty if the person will simply come.
    The second note is the one that the person wrote, or "".
    """
    if answer is None:
        return ()
    said = "" if answer.says == YES else _(REPLIES[answer.says].at_desk)
    if answer.sub:
        said = _("needs a substitute: %(name)s", name=answer.sub)
    return said, answer.note


def _with_notes(at: Seen, rows: Sequence[PresentRow]) -> tuple[Person, ...]:
    """Return the people who have these check-ins, sorted by name, with notes such as "from round 2" and "for Ann"."""
    people = []
    for row in sorted(rows, key=lambda row: unaccented(at.people[row.person_id].name)):
        known = at.people[row.person_id]
        notes = []
        if row.from_round > 1:
            notes.append(_("from round %(number)s", number=row.from_round))
        if row.to_round is not None:
            notes.append(_("left after round %(number)s", number=row.to_round))
        if row.sub_for is not None:
            notes.append(_("for %(name)s", name=at.people[row.sub_for].name))
        if number := at.plan.tables.get(known.public_id):
            notes.append(_("stays at table %(number)s", number=number))
        regular = "" if row.sub_for is None else at.people[row.sub_for].public_id
        people.append(Person(known.public_id, known.name, _note(known, *notes), regular))
    return tuple(people)


def _note(known: Known, *notes: str) -> str:
    """Return the note shown after a full name: the nickname, if any, and then `notes`, separated by commas."""
    return ", ".join(filter(None, (known.nickname, *notes)))


def _swappable(at: Seen, number: int, here: Sequence[PresentRow]) -> tuple[Person, ...]:
    """Return the people who can still be swapped in a round, sorted by name. `here` are the check-ins of people here.

    The note of each person says at which table they are, that they sit out, or that they have no seat.
    """
    free = [
        (person, table.number)
        for table in at.tables
        if table.round == number and not table.game
        for person in table.seats
    ]
    free += [(person, 0) for person in at.byes.get(number, ())]
    if number > at.begun:
        placed = {person for person, _table in free}
        free += [(row.person_id, -1) for row in here if row.person_id not in placed]
    where = {0: _("sitting out"), -1: _("no seat")}
    people = [
        Person(
            at.people[person].public_id,
            at.people[person].name,
            _note(at.people[person], where.get(table) or _("table %(number)s", number=table)),
        )
        for person, table in free
    ]
    return tuple(sorted(people, key=lambda person: unaccented(person.name)))


def _misfits(
    session: Session, at: Seen, present: Sequence[PresentRow], outdated: OutdatedView | None
) -> tuple[str, ...]:
    """Return sentences that explain why the coming rounds need other seats.

    Each sentence names people without a seat, people who have left or never came, people seated away from the table
    they keep, or partners who don't sit together. If a knockout's round is `outdated`, or was kept although it was,
    nobody is expected in it who has no seat.
    """
    first = at.begun + 1
    if first > at.last:
        return ()
    drawn = _placed(at)
    here = [row for row in present if row.to_round is None]
    now = {row.person_id for row in here}
    sentences = []
    # In a knockout, nobody who lost or has no team is expected in a later round.
    plain = set() if at.plan.format == TEAM_MATCH.key else now  # a lineup says who plays
    expected = plain if at.bracket is None else {row.person_id for row in here if row.team} - at.bracket.out
    if at.bracket is not None and (outdated or is_kept(session, at.night, first)):
        expected = set()
    if new := _names(at, expected - drawn):
        sentences.append(
            ngettext(
                "%(names)s has no seat yet.",
                "%(names)s have no seats yet.",
                len(new),
                names=join_names(new),
            )
        )
    kept = {known.id: number for known, number in _kept(at)}
    coming = [table for table in at.tables if table.round >= first]
    if moved := _names(at, {p for table in coming for p in table.seats if kept.get(p, table.number) != table.number}):
        sentences.append(
            ngettext(
                "%(names)s isn't seated at the table they keep. Swap them with someone there, or redo the seating.",
                "%(names)s aren't seated at the tables they keep. Swap them with someone there, or redo the seating.",
                len(moved),
                names=join_names(moved),
            )
        )
    # Only a lineup can have someone who never came.
    never = drawn - {row.person_id for row in present} if at.plan.format == TEAM_MATCH.key else set()
    if absent := _names(at, never):
        sentences.append(
            ngettext(
                "%(names)s isn't here. Forfeit that table, or choose someone else for the lineup.",
                "%(names)s aren't here. Forfeit their tables, or choose others for the lineup.",
                len(absent),
                names=join_names(absent),
            )
        )
    if gone := _names(at, drawn - now - never):
        sentences.append(
            ngettext(
                "%(names)s has left but still has a seat. A newcomer or a substitute can take it.",
                "%(names)s have left but still have seats. Newcomers or substitutes can take them.",
                len(gone),
                names=join_names(gone),
            )
        )
    sides = [set(side) for table in coming for side in table.plan.sides]
    teams = teams_of(here) if at.plan.partners_stay else ()
    apart = [team for team in teams if any(0 < len(side.intersection(team)) < len(team) for side in sides)]
    sentences += [
        _("%(names)s are partners but don't sit together. Redo the seating.", names=join_names(_names(at, team)))
        for team in apart
    ]
    return tuple(sentences)


def _placed(at: Seen) -> set[int]:
    """Return the ids of the people who have a seat or a bye in a round that hasn't started."""
    seated = {person for table in at.tables if table.round > at.begun for person in table.seats}
    return seated.union(*(people for number, people in at.byes.items() if number > at.begun))


def _vacancies(at: Seen, here: Sequence[PresentRow], free: Sequence[PresentRow]) -> tuple[tuple[Person, Person], ...]:
    """Return pairs of someone who left but has coming seats, and of someone of `free` without any, who can take them.

    Those who sit out in all rounds can, too. Both are in the order in which they came. A lineup says who plays team
    matches, so there the result is ().
    """
    placed = _placed(at)
    if not placed or at.plan.format == TEAM_MATCH.key:
        return ()
    gone = sorted(placed - {row.person_id for row in here})
    seated = {person for table in at.tables if table.round > at.begun for person in table.seats}
    came = sorted((row for row in free if row.person_id not in seated), key=lambda row: row.id)
    return tuple(zip(_people(at.people[person] for person in gone), _with_notes(at, came), strict=False))


def _disputed(session: Session, at: Seen) -> frozenset[int]:
    """Return the ids of the tables where two phones disagree on a hand.

    Only games in which a phone has reported a hand are replayed.
    """
    games = {table.game: table.id for table in at.tables if table.game}
    if not games:
        return frozenset()
    reported = (
        select(GameRow.public_id)
        .join(EventRow, EventRow.game_id == GameRow.id)
        .where(GameRow.public_id.in_(games), EventRow.kind == "HandReported")
        .distinct()
    )
    games_found = ((game, find_game(session, game)) for game in session.scalars(reported))
    return frozenset(
        games[game]
        for game, found in games_found
        if found is not None and any(line.entry.disputes for line in load(session, found).game.lines)
    )


def _unconfirmed(session: Session, at: Seen, tables: Sequence[TableView]) -> tuple[TableView, ...]:
    """Return the finished tables whose result still has to be checked by a director or helper.

    These are tables with a disputed result, and tables that were scored on a phone but not confirmed by every side.
    """
    query = (
        select(TableRow.id)
        .join(ScorerRow, ScorerRow.game_id == TableRow.game_id)
        .where(TableRow.night_id == at.night.id)
        .distinct()
    )
    with_phones = frozenset(session.scalars(query))
    return tuple(
        table
        for table in tables
        if table.state == "done" and not table.confirmed and (table.dispute or table.id in with_phones)
    )


def _final_is_on(at: Seen) -> bool:
    """Return whether the final of a knockout has started, so that no round can follow."""
    last = [table for table in at.tables if table.round == at.last]
    return at.bracket is not None and at.begun == at.last and len(last) == 1 and not at.byes.get(at.last)


def _circle(at: Seen, teams: int) -> str:
    """Return sentences about the length of a full round robin of that many teams.

    One sentence says how many rounds the teams need. If the plan has more or fewer rounds, another sentence says so.
    Return "" if the format isn't a round robin, or if there are fewer than two teams.
    """
    if at.plan.format != ROUND_ROBIN.key or teams < 2:
        return ""
    takes = full_circle(teams)
    sentences = [
        ngettext(
            "%(teams)s teams play each other once in one round.",
            "%(teams)s teams play each other once in %(num)s rounds.",
            takes,
            teams=teams,
        )
    ]
    if at.plan.rounds < takes:
        missing = teams * (teams - 1) // 2 - at.plan.rounds * (teams // 2)
        sentences.append(
            ngettext(
                "With the rounds planned, one match won't be played.",
                "With the rounds planned, %(num)s matches won't be played.",
                missing,
            )
        )
    elif at.plan.rounds > takes:
        sentences.append(_("With the rounds planned, some teams meet twice."))
    return " ".join(sentences)


def _names(at: Seen, people: Iterable[int]) -> list[str]:
    return sorted((at.people[person].name for person in people), key=unaccented)
