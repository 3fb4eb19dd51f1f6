# mypy: ignore-errors
"""Makes the database of an older version, which `tests/migrations/test_old_book.py` upgrades.

Run it with the code of the commit named in `COMMIT`, not with the present code:

    git worktree add /tmp/base 720d80a
    PYTHONPATH=/tmp/base python tests/migrations/old_book/make.py tests/migrations/old_book

It writes `scorekeeper.db.xz`, `league.zip` (the archive of the league) and `shown.json`: the pages of that version, and
the state that one of its phones kept for scoring offline.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import sqlite3
import sys
import tempfile
from base64 import urlsafe_b64encode
from contextlib import closing as closed
from datetime import date
from pathlib import Path
from random import Random

from scorekeeper.accounts.opening import add_account
from scorekeeper.extensions import db
from scorekeeper.games.service import Tap
from scorekeeper.leagues.access import night_at
from scorekeeper.leagues.anonymous import make_anonymous
from scorekeeper.leagues.dealing import deals
from scorekeeper.leagues.evening import Evening
from scorekeeper.leagues.roles import Role, RoleRow
from scorekeeper.serve.boot import boot
from sqlalchemy import select

from scorekeeper import create_app
from scorekeeper.accounts.devices import COOKIE
from scorekeeper.accounts.models import AccountRow
from scorekeeper.config import Settings
from scorekeeper.games import house_rules, service, sharing
from scorekeeper.leagues import (
    chairs,
    closing,
    inviting,
    nights,
    past,
    people,
    purse,
    seasons,
    settling,
    tables,
)
from scorekeeper.leagues.money.settings import MoneySettings, Pot
from scorekeeper.leagues.people import PersonData
from scorekeeper.leagues.results import tables_of
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.rules.commands import AdjustScore, CorrectHand, EnterHand, Redo, Undo
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.table import set_table, sides_of

COMMIT = "720d80a732c6904b0c969924f2d9e350c4e87e1e"
WORD = urlsafe_b64encode(hashlib.sha256(b"an older phone").digest()).decode().rstrip("=")
NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Zoe")
GAMES = (
    ("setback-21", {}),
    ("setback-21", {"target": 31, "set_penalty": "double_shortfall"}),
    ("pitch-11", {}),
    ("auction-pitch-7", {}),
    ("smear-52", {}),
)


def main(folder: Path) -> None:
    """Write three files into `folder`: the database, a league's archive, and what the app's pages and files contain."""
    with tempfile.TemporaryDirectory() as place:
        book = Path(place)
        database = f"sqlite:///{book / 'scorekeeper.db'}"
        settings = Settings(instance=book, database_url=database, secret_key="0" * 32, limits=False)
        boot(settings)
        app = create_app(settings)
        with app.test_client() as phone:
            home = phone.get("/leagues")
            assert home.status_code == 200
            device = _device(phone)
            with app.app_context():
                games = [_game(device, number, preset, options) for number, (preset, options) in enumerate(GAMES)]
                league, season, played = _league(device)
            told = _shown(phone, games, league, season, played)
            (folder / "league.zip").write_bytes(phone.get(f"/leagues/{league}/archive.zip").data)
        with app.app_context():
            db.engine.dispose()
        with closed(sqlite3.connect(book / "scorekeeper.db")) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("VACUUM")
        (folder / "scorekeeper.db.xz").write_bytes(lzma.compress((book / "scorekeeper.db").read_bytes()))
        (folder / "shown.json").write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n")


def _device(phone: object) -> str:
    """Set the phone's device cookie to `WORD`, and return the hash that stands for this device in the database."""
    phone.set_cookie(COOKIE, WORD)
    return hashlib.sha256(WORD.encode()).hexdigest()


def _game(device: str, number: int, preset: str, options: dict[str, object]) -> str:
    """Play a game with a correction, an undo, a redo, an adjustment and a score link, and return its public id.

    The game has the rules of the preset `preset`, changed by `options`. `number` chooses the random hands, and must be
    different for each game.
    """
    rules = with_options(PRESETS[preset], options)
    if options:
        house_rules.save_house_rules(device=device, name="Ours", rules=rules)
    kind = rules.seatings[0]
    table = set_table(rules, kind.players, sides_of(kind))

    def tap(word: str) -> Tap:
        return Tap(device, f"tap-{number}-{word}", None)

    game = service.start_game(
        rules=rules, names=NAMES[: kind.players], sides=table.sides, first_dealer=kind.players - 1, tap=tap("start")
    )
    random = Random(number)
    hands = deals(table, random)
    at = {"public_id": game}
    state = None
    for place in range(4):
        state = service.act(**at, command=EnterHand(next(hands)), tap=tap(f"hand-{place}"))
        if state.over:
            break
    first = state.lines[0]
    again = {key: value for key, value in next(deals(table, Random(number + 100))).items() if key != "dealer"}
    service.act(**at, command=CorrectHand(first.entry.seq, again), tap=tap("corrected"))
    service.act(**at, command=Undo(), tap=tap("undone"))
    service.act(**at, command=Redo(), tap=tap("redone"))
    service.act(**at, command=AdjustScore(0, -1, "a revoke by Ann"), tap=tap("adjusted"))
    secret = sharing.make_link(**at, device=device)
    if number % 2:
        sharing.let_in(secret=secret, device=f"another phone {number}", seat=1)
    return game


def _league(device: str) -> tuple[str, str, list[str]]:
    """Make a league with two closed nights, substitutes, roles, money, a merge and an anonymous player.

    Return the public ids of the league, of its season and of the two nights.
    """
    by = {"device": device}
    league = seasons.make_league(name="Fire Hall", client_id="make-league", **by)
    ids = people.add_people(league=league, people=[PersonData(name=name) for name in NAMES], **by)
    person = dict(zip(NAMES, ids, strict=True))
    money = MoneySettings(entry_fee=500, per_set=25, pots=(Pot("High set", 100),))
    season = seasons.open_season(
        league=league,
        name="2026/27",
        rules=PRESETS["setback-21"],
        counting=StandingSettings(),
        plan=Evening(rounds=2),
        money=money.to_json(),
        tap="tap-of-season",
        **by,
    )
    first = nights.open_night(season=season, day=date(2026, 9, 1), **by)
    _first_night(first, person, by)
    people.change_person(person=person["Cid"], told=PersonData(name="Cid Ames", nickname="Ames"), **by)
    people.change_person(person=person["Ann"], told=PersonData(name="Ann", guest=True, notes="by the window"), **by)
    second = nights.open_night(season=season, day=date(2026, 9, 8), **by)
    _second_night(second, person, by)
    (other,) = people.add_people(league=league, people=[PersonData(name="Annie")], **by)
    people.merge_people(person=other, into=person["Ann"], **by)
    make_anonymous(person=person["Zoe"], reason="Zoe asked for it", tap="tap-forget", **by)
    old = seasons.open_season(
        league=league,
        name="Old",
        rules=PRESETS["setback-21"],
        counting=StandingSettings(),
        plan=Evening(rounds=1),
        **by,
    )
    head = "date,round,table,player 1,player 2,player 3,player 4,points 1,points 2"
    past.bring_in_past(season=old, text=f"{head}\n2025-09-01,1,1,Ann,Bob,Dee,Xia,21,9\n", **by)
    seasons.close_season(season=old, **by)
    seasons.reopen_season(season=old, reason="one more", **by)
    _members(league, by)
    return league, season, [first, second]


def _first_night(night: str, person: dict[str, str], by: dict[str, str]) -> None:
    at = {"night": night, **by}
    nights.check_in(**at, people=[person[name] for name in NAMES[:8]])
    nights.let_in_named(**at, person=person["Ida"])
    nights.check_out(**at, person=person["Ida"])
    chairs.set_sub(**at, person=person["Hal"], regular=person["Ida"])
    nights.set_team(**at, people=[person["Ann"], person["Bob"]])
    nights.draw(**at, seed=1)
    first, second, *later = tables_of(db.session(), night_at(db.session(), night))
    nights.swap(
        **at,
        round_number=1,
        one=_address(first.seats[0]),
        other=_address(second.seats[0]),
        tap="tap-of-swap",
    )
    nights.new_cards(**at, tap="tap-of-cards")
    game = tables.start_table(**at, table=first.id, client_id="tap-of-table")
    table = set_table(PRESETS["setback-21"], 4, ((0, 2), (1, 3)))
    for number, hand in enumerate(deals(table, Random(5))):
        state = service.act(public_id=game, command=EnterHand(hand), tap=Tap(by["device"], f"played-{number}", None))
        if state.over:
            break
    service.name_players(
        public_id=game, names=["Left", "Bobby", "Eve", "Somebody"], tap=Tap(by["device"], "named", None)
    )
    service.replace_player(public_id=game, seat=3, name="Ida", tap=Tap(by["device"], "replaced", None))
    again = service.rematch(public_id=game, tap=Tap(by["device"], "rematch", None))
    service.act(public_id=again, command=EnterHand(hand | {"dealer": 0}), tap=Tap(by["device"], "again", None))
    nights.ring(**at)
    tables.tell_result(**at, table=second.id, totals=(21, 13))
    tables.tell_result(**at, table=second.id, totals=(21, 14), reason="misread, says Eve")
    for side in (0, 1):
        settling.confirm(**at, table=second.id, side=side, seat=side, points=(21, 14))
    for place, each in enumerate(later):
        tables.tell_result(**at, table=each.id, totals=(21, place))
    purse.tell_pot(**at, pot="High set", entrants=[person["Ann"], person["Bob"]], winners=[person["Ann"]])
    purse.note_amount(**at, cents=500, reason="a gift from Gus", tap="tap-of-gift")
    closing.close_night(**at, anyway=True)
    closing.reopen_night(**at, reason="a slip of Dee")
    closing.close_night(**at, anyway=True)


def _second_night(night: str, person: dict[str, str], by: dict[str, str]) -> None:
    at = {"night": night, **by}
    nights.check_in(**at, people=[person[name] for name in (*NAMES[:3], "Zoe")])
    nights.let_in_new(**at, told=PersonData(name="Moe", guest=True))
    nights.check_out(**at, person=person["Ann"])
    moe = db.session.scalars(select(people.PersonRow.public_id).where(people.PersonRow.name == "Moe")).one()
    chairs.set_sub(**at, person=moe, regular=person["Ann"])
    nights.draw(**at, seed=2)
    for each in tables_of(db.session(), night_at(db.session(), night)):
        tables.tell_result(**at, table=each.id, totals=(13, 21))
    purse.tell_jar(**at, opened=True, last=False)
    closing.close_night(**at, anyway=True)


def _members(league: str, by: dict[str, str]) -> None:
    word = inviting.invite(league=league, role=Role.HELPER, called="Max", **by)
    add_account(name="max")
    account = db.session.scalars(select(AccountRow.id)).one()
    inviting.accept(word=word, account=account, device="a laptop")
    member = db.session.scalars(select(RoleRow.id)).one()
    inviting.change_role(league=league, member=member, role=Role.DIRECTOR, **by)
    inviting.invite(league=league, role=Role.HELPER, called="Ivy", **by)


def _address(person: int) -> str:
    return db.session.get_one(people.PersonRow, person).public_id


def _shown(phone: object, games: list[str], league: str, season: str, played: list[str]) -> dict[str, object]:
    """Return a dict of what the app's pages and files contain.

    The dict also has the ids of the league, season and nights, and the first game's state as a phone stores it.
    `played` are the public ids of the nights.
    """

    def see(path: str) -> str:
        answer = phone.get(path)
        assert answer.status_code == 200, (path, answer.status)
        return str(answer.data.decode("utf-8-sig"))

    kits = {game: json.loads(see(f"/games/{game}/kit.json")) for game in games}
    return {
        "commit": COMMIT,
        "word": WORD,
        "games": {
            game: {
                "totals": kits[game]["state"]["totals"],
                "record": json.loads(see(f"/games/{game}/record.json")),
                "log": json.loads(see(f"/games/{game}/log.json")),
            }
            for game in games
        },
        "league": league,
        "season": season,
        "nights": played,
        "standings": see(f"/seasons/{season}/people.csv"),
        "log": json.loads(see(f"/leagues/{league}/log.json")),
        "log_csv": see(f"/leagues/{league}/log.csv"),
        "phone": {"game": games[0], "state": kits[games[0]]["state"]},
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]))
