"""Every use case (a function that changes the database) adds a line to a log.

A line about a changed value also has the old value.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select

import scorekeeper
from scorekeeper.accounts.devices import Actor
from scorekeeper.accounts.models import AccountEventRow, AccountRow
from scorekeeper.accounts.service import add_account
from scorekeeper.accounts.sessions import Caller
from scorekeeper.games.logic.reconcile import WaitingHand, set_aside
from scorekeeper.games.services import deletion, hands, offline_sync, recovery, scoring, sharing
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.games.store.event_store import find
from scorekeeper.games.store.game_export import game_record
from scorekeeper.games.store.models import EventRow, NoteRow, ScorerRow
from scorekeeper.leagues.audit.messages import CHANGES, SENTENCES, line_change, line_words
from scorekeeper.leagues.calendar import links as personal_links
from scorekeeper.leagues.calendar import service
from scorekeeper.leagues.calendar.settings import Details, GivenAnswer
from scorekeeper.leagues.core import unit_of_work
from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.models import (
    FixtureRow,
    LeagueEventRow,
    LeagueTextRow,
    NightRow,
    PaymentRow,
    PersonRow,
    PlannedRow,
    PresentRow,
    SeasonRow,
    SeatRow,
    SquadRow,
)
from scorekeeper.leagues.core.roles import InvitationRow, Role, RoleRow
from scorekeeper.leagues.members import service as members
from scorekeeper.leagues.members.service import handover_path
from scorekeeper.leagues.money import payments
from scorekeeper.leagues.money import service as purse
from scorekeeper.leagues.money.settings import MoneySettings, Pot
from scorekeeper.leagues.nights import (
    bell,
    closing,
    opening,
    outdated,
    places,
    removal,
    seating,
    table_disputes,
    tables,
)
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.privacy.service import make_anonymous
from scorekeeper.leagues.publishing import service as publishing
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.playoff_settings import PlayoffSettings
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.leagues.teams import fixtures, matches, playoffs
from scorekeeper.leagues.teams import service as team_service
from scorekeeper.leagues.transfer import past_nights, undo
from scorekeeper.leagues.transfer.past_reading import Said
from scorekeeper.rules.commands import EnterHand, EnterResult, Undo
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.record import read_record
from scorekeeper.web.extensions import db
from tests.support.architecture import REPEATED
from tests.support.league_night import DIRECTOR, NAMES, Hall, open_hall

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

KEY = "0123456789abcdef0123456789abcdef"
LOGS: tuple[Any, ...] = (LeagueEventRow, EventRow, NoteRow, AccountEventRow)

WITHOUT = {
    "accounts.sessions._seen": "only the day a session was last used",
    "accounts.sessions.renew": "the session gets a new secret; the reason for it has its own line",
    "games.services.offline_start._let_in": "the phone that started the game without signal has a new cookie",
    "games.services.house_rules.save_house_rules": "rules saved on a phone; a game holds a copy of its own",
    "games.services.house_rules.delete_house_rules": "the same",
    "leagues.transfer.archive._bring_in": "an imported league brings its own log, which must not change",
    "leagues.transfer.archive._sum_up": "totals of data that is already there",
    "leagues.privacy.service.forget_deleted": "deletes games for good, with their logs",
    "leagues.privacy.service.forget_games": "the same",
    "leagues.calendar.service.answer": "everyone may read the history, but not the answers; each has its time",
    "leagues.money.service.settle_again": "works out the money of the demo while it is made",
    "leagues.transfer.demo.remove_demo": "deletes the demo with its log",
    "leagues.transfer.league_file.keep": "an upload that nobody imported yet changes nothing",
    "leagues.transfer.league_file._remove": "the same; the imported league brings its own log",
    "ops.scheduler.tidy": "deletes expired rows",
    "web.form_answers.store": "a page with an error, kept for an hour",
    "web.extensions.agree_on_key": "what servers agree on as they start",
    "web.extensions.await_others": "only waits",
    "web.extensions.turn_maintenance": "changes nothing in any league; the operator's page shows it",
    "web.extensions.note_publication": "changes nothing in any league; the desk shows it",
    "leagues.nights.closing.publish_pages": "the same",
    "web.extensions.take": "which process does something now",
    "web.extensions.give_back": "the same",
    "games.services.deletion.change_games": "the same as deleting a game on a phone, which keeps it and its log",
    "games.services.deletion.delete_unused_games": "the same as deleting a game on a phone, which keeps it and its log",
    "games.services.hands.add_photo": "notes and photos are not part of the score",
    "games.services.hands.note_coke_hand": "notes and photos are not part of the score",
    "games.services.hands.remove_photo": "notes and photos are not part of the score",
    "games.services.hands.write_note": "notes and photos are not part of the score",
    "games.services.recovery.note_down": "that a code is on paper is no part of the score",
    "games.services.recovery.make_table_code": "a home table has no log; its page lists its phones",
    "games.services.recovery.take_over_table": "a home table has no log; its page lists its phones",
    "games.services.sharing.join_table": "a home table has no log; its page lists its phones",
    "games.services.sharing.leave_table": "a home table has no log; its page lists its phones",
    "games.services.sharing.let_score": "a home table has no log; its page lists its phones",
    "games.services.sharing.make_table_link": "a home table has no log; its page lists its phones",
    "games.services.sharing.remove_phone": "a home table has no log; its page lists its phones",
    "games.services.sharing.remove_table_link": "a home table has no log; its page lists its phones",
    "games.services.sharing.show_odds": "a home table has no log; its page lists its phones",
    "games.services.sharing.switch_table": "a home table has no log; its page lists its phones",
}
"""Names of use cases that add no line to a log, each with the reason."""
NO_LOG = {
    "games.services.home_people": "a home table has no log; its people are names, colors and photos",
    "games.services.table_transfer": "an imported game brings its hands as its log",
}
"""Modules whose use cases all leave no line in a log, each with the reason."""
ELSEWHERE = {"accounts": "tests/accounts checks the log on the account's page"}
"""Packages whose use cases are checked by other tests, each with a note that says which tests."""


def use_cases() -> set[str]:
    """Return the names of all use cases, like "leagues.nights.service.draw"."""
    top = Path(scorekeeper.__file__).parent
    found = set()
    for file in top.rglob("*.py"):
        module = ".".join(file.relative_to(top).with_suffix("").parts)
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef) and any(
                isinstance(each, ast.Name) and each.id in REPEATED for each in node.decorator_list
            ):
                found.add(f"{module}.{node.name}")
    return found


class Walk:
    """A league, and a record of the use cases that the test has carried out in that league.

    `done` has the names of the use cases. `kinds` has the data of the log lines that these use cases added, grouped by
    the kind of line.
    """

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.person = hall.people
        self.done: set[str] = set()
        self.kinds: dict[str, list[dict[str, Any]]] = {}

    def do(self, act: Callable[..., Any], **given: Any) -> Any:
        """Carry out a use case, check that a line was added to a log, and return the use case's result.

        `act` is the use case, and `given` are its arguments.
        """
        name = f"{act.__module__.removeprefix('scorekeeper.')}.{act.__name__}"
        before = [db.session.scalar(select(func.max(log.id))) or 0 for log in LOGS]
        result = act(**given)
        news = [
            db.session.scalars(select(log).where(log.id > last)).all() for log, last in zip(LOGS, before, strict=True)
        ]
        assert any(news), f"{name} left no line in any log"
        for row in news[0]:
            assert isinstance(row, LeagueEventRow)
            assert row.device or row.kind in unit_of_work.KINDS, name
            texts = select(LeagueTextRow.key, LeagueTextRow.text).where(LeagueTextRow.event_id == row.id)
            self.kinds.setdefault(row.kind, []).append(row.data | dict(db.session.execute(texts).all()))
        self.done.add(name)
        return result


@pytest.fixture
def walk(app: Flask, client: Phone) -> Walk:
    """Return a `Walk` on a league with a night on which eight people are checked in."""
    hall = open_hall(app, client, plan=NightPlan(rounds=2))
    hall.check_in(*NAMES[:8])
    return Walk(hall)


@pytest.mark.slow
def test_every_use_case_leaves_a_line(app: Flask, walk: Walk) -> None:
    """Every use case adds a line to a log, except those in `WITHOUT`, `NO_LOG` and `ELSEWHERE`.

    A line about a changed value also has the old value.
    """
    with app.app_context():
        _games(walk)
        _night(walk)
        _money(walk)
        _bell(walk)
        _tied(walk)
        _teams(walk)
        _calendar(walk)
        _league(walk)
        xia = db.session.scalars(select(PersonRow.public_id).where(PersonRow.name == "Xia")).one()
    found = use_cases()
    modules = {name.rpartition(".")[0] for name in found}
    asked = {
        name for name in found if name.partition(".")[0] not in ELSEWHERE and name.rpartition(".")[0] not in NO_LOG
    } - WITHOUT.keys()
    assert walk.done == asked, f"not done here, or no use case: {sorted(walk.done ^ asked)}"
    assert found >= WITHOUT.keys()
    assert modules >= NO_LOG.keys()
    _check_values_before(walk)
    assert walk.kinds["past_brought_in"][1]["people"] == [xia]


@pytest.mark.slow
def test_every_use_case_of_accounts_leaves_a_line() -> None:
    """Every use case of the account packages in `ELSEWHERE` calls a function that adds a line to a log.

    The test looks for such a call in the source code.
    """
    for name in use_cases() - WITHOUT.keys():
        package, module, function = name.rsplit(".", 2)
        if package in ELSEWHERE:
            code = inspect.getsource(importlib.import_module(f"scorekeeper.{package}.{module}"))
            (node,) = [each for each in ast.parse(code).body if getattr(each, "name", "") == function]
            names = (each.func for each in ast.walk(node) if isinstance(each, ast.Call))
            called = {each.id for each in names if isinstance(each, ast.Name)}
            assert called & {"note", "begin", "make_account", "_open", "_try_code"}, name


def _check_values_before(walk: Walk) -> None:
    for kind in CHANGES.keys() | {"cards_made", "result_told"}:
        assert all("before" in data for data in walk.kinds[kind]), kind
    for kind, told in walk.kinds.items():
        assert kind in SENTENCES, f"{kind} has no sentence"
        assert all(line_words(kind, data, str, "Bob") for data in told)
    changed = walk.kinds["person_changed"][0]
    assert changed["changed"] == {"nickname": None, "guest": [False, True]}
    assert (changed.get("nickname.before"), changed["nickname.after"]) == (None, "Annie")
    (swap,) = walk.kinds["swapped"]
    assert swap["before"] == swap["after"][::-1]
    assert [data["before"] for data in walk.kinds["result_told"]] == [None, [21, 13], None]
    assert [data["before"] for data in walk.kinds["sub_set"]] == [None, walk.person["Ida"]]
    assert walk.kinds["night_planned"][0]["before"]["rounds"] == 2
    assert walk.kinds["jar_told"][1]["before"] == {"opened": True, "last": False}
    assert walk.kinds["pot_told"][1]["before"] == [[walk.person["Ann"], walk.person["Bob"]], [walk.person["Ann"]]]
    assert line_change("sub_set", walk.kinds["sub_set"][1], {walk.person["Ida"]: "Ida"}.__getitem__) == (
        "plays for Ida",
        "no longer a substitute",
    )


def _tap(word: str, device: str = DIRECTOR, version: int | None = None) -> ClientRequest:
    return ClientRequest(device, f"tap-of-{word}", version)


def _games(walk: Walk) -> None:
    """Carry out the use cases of a game outside a league, from start to deletion, and import the game's record."""
    hand = {"bidder": 0, "bid": 2, "points": {"high": 0, "low": 0, "jack": 1, "game": 1}}
    other = hand | {"points": {"high": 0, "low": 1, "jack": 0, "game": 1}}
    table = {"rules": PRESETS["setback-21"], "sides": ((0, 2), (1, 3)), "first_dealer": 3}
    game = walk.do(scoring.start_game, **table, names=NAMES[:4], request=_tap("start"))
    at, mine = {"public_id": game}, {"public_id": game, "device": DIRECTOR}
    walk.do(sharing.make_link, **mine)
    walk.do(sharing.remove_link, **mine)
    walk.do(sharing.join_game, secret=sharing.make_link(**mine), device="second", seat=1)
    walk.do(scoring.act, **at, command=EnterHand(hand), request=_tap("hand", version=1))
    told = EnterHand(other)
    walk.do(hands.report_hand, **at, command=lambda _game: told, number=1, request=_tap("other", "second", 1))
    settled = {"seq": 2, "report": 3, "how": "keep", "reason": ""}
    walk.do(hands.settle_report, **at, **settled, request=_tap("settles", "second"))
    walk.do(hands.note_seen, **at, request=_tap("seen"), now=datetime.now(UTC))
    sent = [WaitingHand("waits-0001", 2, hand | {"dealer": 0})]
    walk.do(offline_sync.save_waiting, **mine, version=_version(game), hands=sent)
    tail = {"hands": [WaitingHand("waits-0002", 2, other | {"dealer": 0})], "carried": False, "now": None}
    walk.do(offline_sync._settle, **at, device="second", version=_version(game), **tail, settling=set_aside)
    walk.do(scoring.name_players, **at, names=["Ann", "Bob", "Cid", "Dora"], request=_tap("names"))
    walk.do(scoring.replace_player, **at, seat=2, name="Eve", request=_tap("seat"))
    walk.do(sharing.set_watching, **mine, allowed=False)
    sharing.set_watching(**mine, allowed=True)
    walk.do(recovery.make_code, **mine)
    unused = walk.do(scoring.rematch, **at, request=_tap("again"))
    walk.do(deletion.delete_unused, public_ids=[unused], device=DIRECTOR)
    scorer = db.session.scalars(select(ScorerRow.id).where(ScorerRow.device == "second").order_by(ScorerRow.id)).first()
    walk.do(sharing.remove_scorer, **mine, scorer=scorer)
    walk.do(recovery.take_over, code=recovery.code_of(game, KEY), key=KEY, device="found")
    walk.do(deletion.delete_game, **at, request=_tap("gone", "found"))
    walk.do(deletion.undelete_game, **at, request=_tap("gone", "found"))
    after = scoring.act(**at, command=EnterHand(hand), request=_tap("last", "found"))
    walk.do(scoring.import_game, record=read_record(game_record(after, NAMES[:4])), request=_tap("import"))


def _version(game: str) -> int:
    found = find(db.session(), game)
    assert found is not None
    return found.version


def _night(walk: Walk) -> None:
    """Carry out the use cases of a night."""
    hall, person = walk.hall, walk.person
    at = {"night": hall.night, "device": DIRECTOR}
    walk.do(nights.open_night, season=hall.season, day=date(2026, 9, 8), device=DIRECTOR)
    walk.do(nights.plan_night, **at, plan=NightPlan(rounds=3))
    walk.do(nights.check_in, **at, people=[person["Ida"]])
    walk.do(nights.check_out, **at, person=person["Ida"])
    walk.do(nights.let_in, **at, told=PersonData(name="Ida"))
    nights.check_out(night=hall.night, device=DIRECTOR, person=person["Ida"])
    walk.do(nights.let_in, **at, told=PersonData(name="Moe"))
    nights.check_out(
        night=hall.night,
        device=DIRECTOR,
        person=db.session.scalars(select(PersonRow.public_id).where(PersonRow.name == "Moe")).one(),
    )
    walk.do(seating.set_sub, **at, person=person["Hal"], regular=person["Ida"])
    walk.do(seating.set_sub, **at, person=person["Hal"], regular=None)
    walk.do(nights.set_team, **at, people=[person["Ann"], person["Bob"]])
    later = nights.open_night(season=hall.season, day=date(2026, 9, 15), device=DIRECTOR)
    nights.check_in(night=later, device=DIRECTOR, people=[person["Ann"], person["Bob"]])
    walk.do(places.repeat_teams, night=later, device=DIRECTOR)
    nights.check_in(night=later, device=DIRECTOR, people=[person["Cid"], person["Dee"]])
    walk.do(places.draw_partners, night=later, device=DIRECTOR, seed=1)
    nights.draw(night=later, device=DIRECTOR, seed=1)
    nights.draw(night=later, device=DIRECTOR, seed=2)
    walk.do(places.undo_seating, night=later, device=DIRECTOR)
    nights.check_out(night=later, device=DIRECTOR, person=person["Ann"])
    nights.check_in(night=later, device=DIRECTOR, people=[person["Eve"]])
    walk.do(places.take_places, night=later, device=DIRECTOR, gone=person["Ann"], came=person["Eve"])
    walk.do(seating.keep_table, **at, person=person["Ann"], table=1)
    walk.do(nights.draw, **at, seed=1)
    one, two = (table for table in tables_of(db.session(), hall.row()) if table.round == 1)
    seated = select(PersonRow.public_id).join(SeatRow, SeatRow.person_id == PersonRow.id).where(SeatRow.seat == 0)
    pair = db.session.scalars(seated.where(SeatRow.table_id.in_((one.id, two.id)))).all()
    walk.do(nights.swap, **at, round_number=1, one=pair[0], other=pair[1])
    walk.do(nights.new_cards, **at)
    walk.do(nights.start_round, **at, number=1)
    walk.do(tables.start_table, **at, table=one.id, client_id="tap-of-table")
    walk.do(bell.ring, **at)
    walk.do(tables.tell_result, **at, table=two.id, totals=(21, 13))
    walk.do(tables.tell_result, **at, table=two.id, totals=(21, 14), reason="misread")
    walk.do(removal.remove_result, **at, table=two.id, reason="wrong table")
    walk.do(tables.start_table, **at, table=two.id, client_id="by-hand")
    removal.remove_result(night=hall.night, device=DIRECTOR, table=two.id, reason="wrong table", hands=True)
    walk.do(removal.bring_back, **at, table=two.id)
    walk.do(tables.tell_result, **at, table=two.id, totals=(21, 14))
    walk.do(tables.tell_sets, **at, table=two.id, sets=(0, 2))
    walk.do(tables.tell_sets, **at, table=two.id, sets=(1, 2))
    _results(walk, at, two.id)
    walk.do(closing.close_night, **at, anyway=True)
    walk.do(closing.reopen_night, **at, reason="a slip")
    closing.close_night(night=hall.night, device=DIRECTOR, anyway=True)


def _bell(walk: Walk) -> None:
    """End a game after the bell of a timed round."""
    told: dict[str, Any] = {"rules": PRESETS["setback-21"], "counting": StandingSettings()}
    plan = NightPlan(format="timed", options={"minutes": 20, "one_more": 0}, rounds=1)
    season = seasons.open_season(league=walk.hall.league, name="Timed", plan=plan, **told, device=DIRECTOR)
    night = nights.open_night(season=season, day=date(2026, 11, 1), device=DIRECTOR)
    at: dict[str, Any] = {"night": night, "device": DIRECTOR}
    nights.check_in(**at, people=[walk.person[name] for name in ("Ann", "Bob", "Cid", "Dee")])
    nights.draw(**at, seed=1)
    row = db.session.scalars(select(NightRow).where(NightRow.public_id == night)).one()
    table = tables_of(db.session(), row)[0].id
    tables.start_table(**at, table=table, client_id="tap-of-timed-table")
    walk.do(bell.set_clock, **at, number=1, what="start")
    bell.ring(**at)
    walk.do(bell.end_game, **at, table=table)
    closing.close_night(**at)


def _results(walk: Walk, at: dict[str, Any], table: int) -> None:
    """Undo a hand of one game, and dispute, settle, confirm and reopen the result of a table, each with its use case.

    `at` is a dict of the arguments `night` and `device`, which most of these use cases take. `table` is the table's id.
    """
    played = walk.hall.tables()[0].game
    hand = {"bidder": 0, "bid": 4, "points": dict.fromkeys(("high", "low", "jack", "game"), 0)}
    for number in range(6):
        scoring.act(
            public_id=played, command=EnterHand(hand), request=ClientRequest(DIRECTOR, f"played-{number}", None)
        )
    walk.do(scoring.act, public_id=played, command=Undo(), request=ClientRequest(DIRECTOR, "not-played", None))
    game = walk.hall.tables()[1].game
    secret = sharing.make_link(public_id=game, device=DIRECTOR)
    sharing.join_game(secret=secret, device="another phone", seat=1)
    there = at | {"table": table, "device": "another phone"}
    walk.do(table_disputes.tell, **there, result=EnterResult((14, 21)))
    walk.do(table_disputes.settle, **at, table=table, how=table_disputes.TAKE, reason="the sheet says so")
    walk.do(table_disputes.object_to, **there, points=(14, 21))
    for side in (0, 1):
        walk.do(table_disputes.confirm, **at, table=table, side=side, seat=side, points=(14, 21))
    walk.do(table_disputes.confirm, **there, side=1, points=(14, 21))
    walk.do(table_disputes.reopen_result, **at, table=table, reason="a hand was missing")


def _season(walk: Walk, name: str, money: Any = None) -> str:
    told = {"rules": PRESETS["setback-21"], "counting": StandingSettings(), "plan": NightPlan(rounds=1), "money": money}
    return str(walk.do(seasons.open_season, league=walk.hall.league, name=name, **told, device=DIRECTOR))


def _money(walk: Walk) -> None:
    """Carry out the use cases of a night played for money."""
    season = _season(walk, "Money", MoneySettings(entry_fee=500, pots=(Pot("High set", 100),)).to_json())
    night = nights.open_night(season=season, day=date(2026, 10, 1), device=DIRECTOR)
    at = {"night": night, "device": DIRECTOR}
    two = [walk.person["Ann"], walk.person["Bob"]]
    walk.do(nights.check_in, **at, people=two)
    walk.do(purse.save_pot, **at, pot="High set", entrants=two, winners=two[:1])
    walk.do(purse.save_pot, **at, pot="High set", entrants=two[:1], winners=[])
    walk.do(purse.save_kitty, **at, opened=True, last=False)
    walk.do(purse.save_kitty, **at, opened=False, last=False)
    walk.do(purse.note_amount, **at, cents=500, reason="a gift")
    _payments(walk, night)


def _payments(walk: Walk, night: str) -> None:
    """Take an entry fee and undo it, save a payment and a charge, and void the payment."""
    ann, by = walk.person["Ann"], {"device": DIRECTOR}
    walk.do(payments.set_fees, night=night, people=[ann], paid=True, **by)
    walk.do(payments.set_fees, night=night, people=[ann], paid=False, **by)
    season = db.session.scalars(
        select(SeasonRow.public_id)
        .join(NightRow, NightRow.season_id == SeasonRow.id)
        .where(NightRow.public_id == night)
    ).one()
    to: Any = {"season": season, "people": [ann], "day": date(2026, 9, 1), "now": datetime.now(UTC), **by}
    walk.do(payments.save_payment, **to, cents=500, what="cash", tap="tap-pay")
    walk.do(payments.save_payment, **to, cents=1000, charge=True, tap="tap-dues")
    (paid,) = db.session.scalars(select(PaymentRow.id).where(PaymentRow.kind == payments.PAYMENT))
    walk.do(payments.correct_payment, season=season, payment=paid, now=datetime.now(UTC), **by)


def _tied(walk: Walk) -> None:
    """Name the winner of a game that ended in a tie, and remove a night that was opened by mistake."""
    night = nights.open_night(season=walk.hall.season, day=date(2026, 10, 2), device=DIRECTOR)
    at: Any = {"night": night, "device": DIRECTOR}
    nights.plan_night(**at, plan=NightPlan(format="progressive", options={"hands": 0}))
    nights.check_in(**at, people=[walk.person[name] for name in NAMES[:4]])
    nights.draw(**at, seed=1)
    (table,) = tables_of(db.session(), night_at(db.session(), night))
    tables.tell_result(**at, table=table.id, totals=(12, 12))
    walk.do(tables.settle_tie, **at, table=table.id, side=0, points=(12, 12))
    _outdated(walk, at)
    empty = nights.open_night(season=walk.hall.season, day=date(2026, 10, 3), device=DIRECTOR)
    walk.do(opening.move_night, night=empty, day=date(2026, 10, 4), reason="Played on Sunday", device=DIRECTOR)
    walk.do(opening.remove_night, night=empty, device=DIRECTOR)


def _outdated(walk: Walk, at: dict[str, Any]) -> None:
    """Change winners of the progressive night `at` after the next round was seated; keep that round, and take it back.

    The night has one table of four, so four more people come for round 2.
    """
    nights.check_in(**at, people=[walk.person[name] for name in NAMES[4:8]])
    nights.draw(**at, seed=2)
    lost = next(table.id for table in tables_of(db.session(), night_at(db.session(), at["night"])) if table.round == 2)
    for side in (1, None):
        walk.do(tables.forfeit_table, **at, table=lost, side=side)
    _score(walk, at, 2, (21, 13))
    nights.draw(**at, seed=3)
    _score(walk, at, 2, (13, 21))
    walk.do(outdated.keep_round, **at, number=3, reason="nobody noticed")
    _score(walk, at, 2, (21, 13))
    walk.do(outdated.take_rounds_back, **at, number=3, listed=[])


def _score(walk: Walk, at: dict[str, Any], number: int, totals: tuple[int, int]) -> None:
    """Enter or correct the scores of all tables of the round `number`."""
    for table in tables_of(db.session(), night_at(db.session(), at["night"])):
        if table.round == number:
            told: dict[str, Any] = {
                "table": table.id,
                "totals": totals,
                "winner": int(totals[1] > totals[0]),
                "ended_by": "agreed",
            }
            tables.tell_result(**at, **told, reason="" if table.game == "" else "misread")


PAIRS = (("Owls", ["Ann", "Bob"]), ("Elks", ["Cid", "Dee"]))


def _teams(walk: Walk) -> None:
    """Set up teams, choose a lineup, and start playoffs."""
    hall, by = walk.hall, {"device": DIRECTOR}
    told: dict[str, Any] = {"rules": PRESETS["setback-21"], "counting": StandingSettings(), **by}
    told |= {"league": hall.league, "playoffs": PlayoffSettings(nights=1, qualify=2)}
    plan = NightPlan(format="team_match", options={"tables": 1}, rounds=1)
    season = seasons.open_season(name="Teams", plan=plan, **told)
    for team, two in (*PAIRS, ("Jays", ["Gus", "Hal"]), ("Cats", ["Eve", "Fay"])):
        given: dict[str, Any] = {"season": season, "squad": None, "name": team, "division": "", "players": two}
        walk.do(team_service.save_squad, **given, tap=team, **by)
    cats = db.session.scalars(select(SquadRow.public_id).where(SquadRow.name == "Cats")).one()
    walk.do(team_service.remove_squad, season=season, squad=cats, **by)
    walk.do(team_service.make_matches, season=season, double=False, **by)
    night = nights.open_night(season=season, day=date(2026, 10, 4), device=DIRECTOR)
    four = [walk.person[name] for name in NAMES[:4]]
    nights.check_in(night=night, people=four, device=DIRECTOR)
    played = [db.session.scalars(select(SquadRow.id).where(SquadRow.name == team)).one() for team, _two in PAIRS]
    between = select(FixtureRow.public_id, FixtureRow.home_id).where(
        FixtureRow.home_id.in_(played), FixtureRow.away_id.in_(played)
    )
    match, home = db.session.execute(between).one()
    walk.do(team_service.choose_matches, night=night, matches=[match], **by)
    side = int(db.session.get_one(SquadRow, home).name != "Owls")
    walk.do(team_service.set_lineup, night=night, match=match, side=side, people=four[1::-1], **by)
    for forfeit in (side, None, fixtures.BOTH, None):
        walk.do(matches.set_forfeit, night=night, match=match, side=forfeit, **by)
    nights.draw(night=night, device=DIRECTOR, seed=1)
    (table,) = tables_of(db.session(), night_at(db.session(), night))
    tables.tell_result(night=night, table=table.id, totals=(21, 12), device=DIRECTOR)
    closing.close_night(night=night, anyway=True, device=DIRECTOR)
    final = playoffs.start_playoffs(season=season, day=date(2026, 10, 11), reason="Snow", device=DIRECTOR)
    owls = db.session.scalars(select(SquadRow.public_id).where(SquadRow.name == "Owls")).one()
    walk.do(playoffs.replace_team, night=final, gone=owls, came="", device=DIRECTOR)
    opening.remove_night(night=final, device=DIRECTOR)
    _play_offs(walk, seasons.open_season(name="Solo", plan=NightPlan(rounds=1), **told), four)


def _play_offs(walk: Walk, season: str, four: list[str]) -> None:
    at: dict[str, Any] = {"night": nights.open_night(season=season, day=date(2026, 10, 5), device=DIRECTOR)}
    at["device"] = DIRECTOR
    nights.check_in(**at, people=four)
    nights.draw(**at, seed=1)
    (table,) = tables_of(db.session(), night_at(db.session(), at["night"]))
    tables.tell_result(**at, table=table.id, totals=(21, 12))
    closing.close_night(**at)
    final = walk.do(playoffs.start_playoffs, season=season, day=date(2026, 10, 6), device=DIRECTOR)
    seed = (
        select(PersonRow.public_id).join(PresentRow, PresentRow.person_id == PersonRow.id).where(PresentRow.team == 1)
    )
    gone = db.session.scalars(
        seed.join(NightRow, NightRow.id == PresentRow.night_id).where(NightRow.public_id == final)
    )
    walk.do(playoffs.replace_qualifier, night=final, person=gone.one(), device=DIRECTOR)
    closing.reopen_night(**at, reason="sides swapped")
    tables.tell_result(**at, table=table.id, totals=(12, 21), reason="sides swapped")
    walk.do(outdated.keep_playoffs, season=season, reason="too late", device=DIRECTOR)
    tables.tell_result(**at, table=table.id, totals=(21, 12), reason="they were right")
    walk.do(outdated.redo_playoffs, season=season, listed=[], device=DIRECTOR)
    opening.remove_night(night=final, device=DIRECTOR)


def _calendar(walk: Walk) -> None:
    """Plan, change and cancel nights, enter an answer, make and revoke a personal link, and open a planned night."""
    day, before = date(2026, 11, 5), datetime(2026, 11, 1, tzinfo=UTC)
    plan: Any = {"season": walk.hall.season, "told": Details(day=day, starts=1140), "device": DIRECTOR}
    walk.do(service.plan_nights, **plan, days=[day], zone="America/New_York")
    walk.do(service.plan_nights, **plan, days=[date(2026, 11, 12)], zone="America/Chicago")
    first = db.session.scalars(select(PlannedRow.public_id).order_by(PlannedRow.id)).first() or ""
    at: Any = {"planned": first, "device": DIRECTOR}
    walk.do(service.change_night, **at, told=Details(day=day, starts=1170))
    walk.do(service.change_night, **at, told=Details(day=day, starts=1170, note="bring a dish"))
    for state in ("canceled", "planned"):
        walk.do(service.set_state, **at, state=state)
    walk.do(service.answer_for, **at, person=walk.person["Ann"], told=GivenAnswer("yes"), now=before)
    links: Any = {"league": walk.hall.league, "people": [walk.person["Ann"]], "device": DIRECTOR}
    walk.do(personal_links.make_links, **links)
    walk.do(personal_links.revoke_links, **links)
    night = nights.open_night(season=walk.hall.season, day=day, device=DIRECTOR)
    walk.do(opening.check_in_expected, night=night, device=DIRECTOR)
    walk.do(opening.undo_expected, night=night, device=DIRECTOR)


def _league(walk: Walk) -> None:
    """Carry out the use cases of people, seasons, imports, roles and accounts."""
    hall, person, by = walk.hall, walk.person, {"device": DIRECTOR}
    walk.do(seasons.make_league, name="Other", client_id="tap-other", **by)
    for because in ("It sells things.", None):
        walk.do(unit_of_work.turn, league=hall.league, because=because)
    new = [PersonData(name="Anne"), PersonData(name="Zoe")]
    anne, zoe = walk.do(people.add_people, league=hall.league, people=new, **by)
    told = PersonData(name="Ann", nickname="Annie", guest=True, notes="owes me a beer")
    walk.do(people.change_person, person=person["Ann"], told=told, **by)
    walk.do(people.merge_people, person=anne, into=person["Ann"], **by)
    walk.do(make_anonymous, person=zoe, reason="asked", tap="tap-forget", **by)
    season = _season(walk, "Old")
    head = "date,round,table,player 1,player 2,player 3,player 4,points 1,points 2"
    said = Said(names={"who-xia": "+", "who-yul": "+"})
    past: dict[str, Any] = {"season": season, "said": said, "today": date(2026, 9, 1), **by}
    done = walk.do(past_nights.bring_in_past, text=f"{head}\n2025-09-01,1,1,Ann,Bob,Cid,Yul,21,9\n", **past)
    walk.do(undo.undo_import, league=hall.league, brought_in=done, **by)
    walk.do(past_nights.bring_in_past, text=f"{head}\n2025-09-01,1,1,Ann,Bob,Cid,Xia,21,9\n", **past)
    walk.do(seasons.close_season, season=season, **by)
    walk.do(seasons.reopen_season, season=season, reason="one more", **by)
    club = {"league": hall.league, "slug": "fire-hall", **by}
    for names, is_open in (("full", True), ("initials", True), ("initials", False)):
        walk.do(publishing.save_club, names=names, is_open=is_open, **club)
    walk.do(members.keep_in_account, league=hall.league, actor=Actor(DIRECTOR, _account("Rita")))
    invited = {"league": hall.league, "role": Role.HELPER, **by}
    walk.do(members.invite, called="Max", **invited)
    first = db.session.scalars(select(InvitationRow.id)).one()
    walk.do(members.take_back, league=hall.league, invitation=first, **by)
    word = members.invite(league=hall.league, role=Role.HELPER, called="Max", device=DIRECTOR)
    walk.do(members.accept, word=word, account=_account("Max"), device="a laptop")
    member = db.session.scalars(select(RoleRow.id).where(RoleRow.called == "Max")).one()
    word = members.invite(league=hall.league, role=Role.HELPER, called="Ivy", device=DIRECTOR)
    walk.do(members.accept_anew, word=word, name="Ivy", password="hashed", caller=Caller(device="theirs"))
    walk.do(members.change_role, league=hall.league, member=member, role=Role.NOBODY, **by)
    ivy = db.session.scalars(select(RoleRow.account_id).where(RoleRow.called == "Ivy")).one()
    walk.do(members.delete_account, account=ivy, caller=Caller(device="theirs"))
    word = handover_path(db.session(), hall.league, KEY).rpartition("/")[2]
    walk.do(members.take_over, league=hall.league, word=word, key=KEY, device="new director")
    walk.do(members.release, league=hall.league, device="new director")


def _account(name: str) -> int:
    add_account(name=name)
    return db.session.scalars(select(AccountRow.id).where(AccountRow.name == name)).one()
