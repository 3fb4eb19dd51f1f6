"""A database for the crawler: two leagues, games at home, and actors, each with a role or with none."""

from __future__ import annotations

import hashlib
import itertools
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from scorekeeper.accounts.devices import COOKIE
from scorekeeper.accounts.models import AccountRow
from scorekeeper.accounts.service import NoSuchAccountError, make_link
from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.games.store.event_store import find
from scorekeeper.games.store.models import ScorerRow
from scorekeeper.leagues.core.access import league_at
from scorekeeper.leagues.core.models import NightRow, PersonRow, TableRow
from scorekeeper.leagues.core.roles import Role, give_role
from scorekeeper.leagues.members.service import handover_path
from scorekeeper.leagues.nights import closing, places, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.nights.tables import card_word
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.rules.commands import EnterHand
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.table import sides_of
from scorekeeper.web.assets import current_version
from scorekeeper.web.extensions import db, writing
from tests.fuzz.samples import ALL
from tests.support.directors import sign_up
from tests.support.phone import Phone, device_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

    from tests.fuzz.crawler.reading import Form

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal")
ROLES = {"helper": Role.HELPER, "director": Role.DIRECTOR, "owner": Role.OWNER}
PLANS = (NightPlan(rounds=2), NightPlan(rounds=2, together="fixed"), NightPlan(rounds=2, format="timed"))
MONEY = {"entry_fee": 500, "per_set": 25, "pots": [{"name": "Tens", "entry": 100}], "payout": [{"percent": 100}]}
STRANGERS = frozenset(("anonymous", "stranger", "rival", "foreign owner"))
"""Actors who start without rights in the first league and in the games of the actor "starter"."""
TOLD_NOTHING = frozenset(("anonymous", "stranger"))
"""People who never got a token that grants a role."""

Pool = dict[str, list[str]]


@dataclass
class Actor:
    """A person with a phone, and the addresses of pages that the person has seen or been given."""

    name: str
    phone: Phone
    device: str
    links: dict[str, list[str]] = field(default_factory=dict)
    """For each endpoint, the addresses of the pages that the actor knows, newest last."""
    forms: list[Form] = field(default_factory=list)
    token: str = ""

    def remember(self, endpoint: str, link: str) -> None:
        """Add a page's address to the actor's addresses, and keep only the last five for its endpoint.

        Do nothing if `endpoint` is "".
        """
        if not endpoint:
            return
        known = self.links.setdefault(endpoint, [])
        if link not in known:
            self.links[endpoint] = [*known, link][-5:]

    def forget(self, endpoint: str, link: str) -> None:
        """Remove the address of a page that the actor can't open anymore."""
        rest = [each for each in self.links.pop(endpoint, []) if each != link]
        if rest:
            self.links[endpoint] = rest


class World:
    """The crawler's database, its actors, and ids to put into addresses.

    `own` has ids of the first league and of the games of the actor "starter", by the name of the variable part of an
    address. `foreign` has ids of the second league and of games of other actors in the same way.
    """

    def __init__(self, app: Flask) -> None:
        app.config["SIGN_UP"] = True
        self.app = app
        self.own: Pool = {}
        self.foreign: Pool = {}
        self._taps = (f"made-by-the-world-{number}" for number in itertools.count())
        self._days = itertools.count()
        self._plans = itertools.cycle(PLANS)
        self.actors = {
            name: self._actor(name) for name in ("anonymous", "starter", "scorer", "stranger", "hall", "rival")
        }
        self.actors |= {name: self._actor(name, account=True) for name in (*ROLES, "foreign owner")}
        with app.test_request_context():
            common = {"version": [current_version()], "filename": ["css/app.css", "js/games/board.js", "missing.css"]}
        numbers = [str(number) for number in range(1, 9)]
        common |= dict.fromkeys(("seq", "number", "phone_id", "session_id", "role_id", "invitation_id"), numbers)
        common |= {"preset": ["setback-21", "pitch-11"], "who": ["people", "partners"], "rules_id": ["1"]}
        common |= {"report": ["4", "5", "6"], "secret": ["x" * 22], "word": ["abcdefghij"]}
        self.own.update(common)
        self.foreign.update(common)
        self._league(self.own, "Fire Hall", self.actors["hall"].device)
        self._league(self.foreign, "The Rivals", self.actors["rival"].device)
        self.renew()

    def renew(self) -> None:
        """Start new games and nights, because the earlier ones may be over, closed or deleted."""
        with self.app.app_context():
            first = self._game("starter")
            with writing() as session:
                found = find(session, first)
                assert found is not None
                session.add(
                    ScorerRow(game_id=found.id, device=self.actors["scorer"].device, seat=1, since=datetime.now(UTC))
                )
            self.own["game_id"] = [*self.own.get("game_id", []), first][-3:]
            self.foreign["game_id"] = [self._game("stranger"), self._game("rival")]
            for pool, name in ((self.own, "hall"), (self.foreign, "rival")):
                self._night(pool, self.actors[name].device)
            with suppress(NoSuchAccountError):
                self._hand("accounts.open_by_link", f"/account/opening/{make_link(name='Helper')}", "helper", "rival")
            self._hand("leagues.direct", self.own["direct"][0], "scorer")
            self._hand("leagues.direct", self.foreign["direct"][0], "foreign owner")
        for name, actor in self.actors.items():
            pool = self.foreign if name in STRANGERS else self.own
            actor.remember("games.board", f"/games/{pool['game_id'][-1]}")
            actor.remember("leagues.desk", f"/nights/{pool['night_id'][-1]}/desk")
            actor.remember("leagues.season", f"/seasons/{pool['season_id'][-1]}")

    def _hand(self, endpoint: str, link: str, *names: str) -> None:
        """Give a link to the actors called `names`, as an operator or a director would."""
        for name in names:
            self.actors[name].remember(endpoint, link)

    def _actor(self, name: str, *, account: bool = False) -> Actor:
        phone = self.app.test_client()
        assert isinstance(phone, Phone)
        word = device_word(name)
        phone.set_cookie(COOKIE, word)
        if account:
            sign_up(phone, name.title(), "four sleepy badgers")
        actor = Actor(name, phone, hashlib.sha256(word.encode()).hexdigest())
        actor.token = str(phone.see("/").form("/games/import").values["csrf_token"])
        return actor

    def _league(self, pool: Pool, name: str, device: str) -> None:
        with self.app.app_context():
            league = seasons.make_league(name=name, device=device, client_id=next(self._taps))
            people.add_people(league=league, people=[PersonData(name=each) for each in NAMES], device=device)
            with writing() as session:
                row = league_at(session, league)
                owners = ROLES if pool is self.own else {"foreign owner": Role.OWNER}
                for account in session.scalars(select(AccountRow)):
                    if account.name.lower() in owners:
                        give_role(session, account.id, row.id, owners[account.name.lower()], datetime.now(UTC))
            path = handover_path(db.session(), league, str(self.app.secret_key))
            pool["league_id"], pool["direct"] = [league], [path]

    def _night(self, pool: Pool, device: str) -> None:
        """Add a new season with a closed and an open night to the league of `pool`.

        A new season is needed because the earlier ones may be closed. `device` is the director's phone.
        """
        (league,) = pool["league_id"]
        session = db.session()
        row = league_at(session, league)
        if row.device != device:
            # It was handed to somebody, as leagues are.
            self._league(pool, f"League {next(self._days)}", device)
            (league,) = pool["league_id"]
            session.rollback()  # what was made beside it is not in the moment that it reads
            row = league_at(session, league)
        known = session.execute(
            select(PersonRow.public_id, PersonRow.name).where(
                PersonRow.league_id == row.id, PersonRow.merged_into.is_(None), PersonRow.name.in_(NAMES)
            )
        ).all()
        there = [public_id for public_id, _name in known]
        if len(there) < 8:
            fresh = [PersonData(name=f"Player {next(self._days)}") for _ in range(8 - len(there))]
            there += people.add_people(league=league, people=fresh, device=device)
        plan = next(self._plans)
        season = seasons.open_season(
            league=league, name=f"Season {next(self._days)}", rules=PRESETS["setback-21"], counting=StandingSettings(),
            plan=plan, money=MONEY, device=device,
        )  # fmt: skip
        pool["season_id"], pool["person_id"], pool["night_id"] = [season], there, []
        for closed in (True, False):
            day = date(2026, 9, 1) + timedelta(days=next(self._days))
            night = nights.open_night(season=season, day=day, device=device)
            nights.check_in(night=night, people=there, device=device)
            if plan.together == "fixed":
                places.draw_partners(night=night, device=device, seed=1)
            nights.draw(night=night, device=device, seed=1)
            pool["night_id"].append(night)
            at = session.scalars(select(NightRow).where(NightRow.public_id == night)).one()
            drawn = session.scalars(select(TableRow.id).where(TableRow.night_id == at.id)).all()
            pool["table"] = [str(table) for table in drawn]
            game = tables.start_table(night=night, table=drawn[0], device=device, client_id=next(self._taps))
            scoring.act(
                public_id=game, command=EnterHand({"bidder": 0, "bid": 3, "points": ALL}), request=self._tap(device)
            )
            if closed:
                for table in drawn[1:]:
                    tables.tell_result(night=night, table=table, totals=(21, 9), device=device, reason="paper")
                closing.close_night(night=night, device=device, anyway=True)
            pool["word"] = [card_word(at, 1, str(self.app.secret_key))]

    def _tap(self, device: str) -> ClientRequest:
        return ClientRequest(device, next(self._taps))

    def _game(self, name: str) -> str:
        rules = PRESETS["setback-21"]
        seating = next(each for each in rules.seatings if each.players == 4)
        device = self.actors[name].device
        game = scoring.start_game(
            rules=rules, names=NAMES[:4], sides=sides_of(seating), first_dealer=3, request=self._tap(device)
        )
        for _ in range(2):
            scoring.act(
                public_id=game, command=EnterHand({"bidder": 0, "bid": 3, "points": ALL}), request=self._tap(device)
            )
        return game

    def others(self, actor: Actor) -> Iterator[Actor]:
        """Yield all actors except `actor`."""
        return (other for other in self.actors.values() if other is not actor)
