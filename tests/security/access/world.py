"""Make a database with a person for each role and an object for each address, by the app's own services."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from scorekeeper.accounts import service
from scorekeeper.accounts.devices import COOKIE
from scorekeeper.accounts.models import AccountRow, SessionRow
from scorekeeper.accounts.sessions import Caller
from scorekeeper.db.tokens import hash_of
from scorekeeper.games.services import deletion, hands, home_people, house_rules, recovery, scoring, sharing
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.games.store.models import GameRow, HandNoteRow, HouseRulesRow, ScorerRow
from scorekeeper.leagues.core.roles import InvitationRow, Role, RoleRow
from scorekeeper.leagues.members import service as members
from scorekeeper.leagues.publishing import service as publishing
from scorekeeper.people.models import HomePersonRow, HomePhotoRow
from scorekeeper.rules.commands import Concede, EnterHand, MakeCall, TakeBid, Undo
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.table import set_table, sides_of
from scorekeeper.web.extensions import db, writing
from tests.security.access.league import HAND, RULES, League, act, hashed, make_league
from tests.support.phone import device_word
from tests.support.photos import photo

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

ACCOUNTS = ("account", "helper", "director", "owner", "other-helper", "other-director", "other-owner")
FORMER = ("former-helper", "former-director", "former-owner")
ACCOUNT_COOKIE = "scorekeeper_account"
PASSWORD = "four sleepy badgers"
OPENING = "the-opening-word"
HOME, AWAY = "Quill", "Brass"
"""First words of all names in each of the two leagues. The response to a refused request must not contain them."""
CLUB = "quill-hall"
"""Name of the first league in the addresses of its public pages; the other league has no public pages."""
STATES: dict[str, tuple[Any, ...]] = {
    "open": (EnterHand(HAND), TakeBid(1, 2)),
    "quiet": (EnterHand(HAND), EnterHand(HAND | {"bidder": 1}), Undo()),
    "calling": (EnterHand(HAND), MakeCall("pass")),
    "over": (EnterHand(HAND), Concede(0)),
    "disputed": (EnterHand(HAND),),
    "unwatched": (EnterHand(HAND), TakeBid(1, 2)),
    "deleted": (EnterHand(HAND), TakeBid(1, 2)),
}
"""Maps the name of each game of the phone `starter` to the commands that are carried out in that game."""


@dataclass
class World:
    """The app, its two leagues, and the ids, secrets and cookies of everything in its database."""

    app: Flask
    home: League
    away: League
    games: dict[str, str] = field(default_factory=dict)
    """Maps the name of a game, such as "quiet", to the public id of the game."""
    versions: dict[str, int] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)
    """Maps a role to the cookies that the device of the role sends with every request."""
    words: dict[str, str] = field(default_factory=dict)
    """Secrets by name: tokens of score links and invitations, backup codes, codes of accounts."""
    ids: dict[str, int] = field(default_factory=dict)
    """Database ids that addresses contain, by name."""
    token: str = ""

    def __post_init__(self) -> None:
        """Create a client that sends only the cookies that `ask` adds, and get a form token for that client."""
        self.client: FlaskClient = self.app.test_client(use_cookies=False)
        first = self.client.get("/account/sign-in")
        found = re.search(r'name="csrf_token"[^>]* value="([^"]+)"', first.text)
        assert found is not None
        self.token = found[1]
        self.browser = str(first.headers["Set-Cookie"]).partition(";")[0]

    def ask(
        self,
        role: str,
        method: str,
        path: str,
        fields: Any = None,
        json: Any = None,
        accept: str = "*/*",
        token: str | None = None,
    ) -> TestResponse:
        """Send a request as `role` and return the response.

        `fields` are the form of a POST request, or the query of another request. If `json` is given, it is sent instead
        of the form. `accept` is what the client wants; a browser asks for "text/html" when it opens a page.
        `token` is a form token to send instead of the valid one.
        """
        cookies = "; ".join(filter(None, (self.browser, self.cookies[role])))
        headers = {"Accept": accept, "Cookie": cookies, "X-CSRFToken": self.token if token is None else token}
        if method != "POST":
            return self.client.open(path, method=method, headers=headers, query_string=fields)
        if json is not None:
            return self.client.post(path, json=json, headers=headers)
        return self.client.post(path, data=fields or {}, headers=headers)


def make_world(app: Flask) -> World:
    """Fill the app's database with two leagues, games of a phone and a person for each role, and return the `World`."""
    key = str(app.secret_key)
    with app.app_context():
        home = make_league(HOME, "device", key, cards=("card", "next-card"), before="old-card")
        away = make_league(AWAY, "other-device", key, cards=("other-card", "other-next-card"), before="other-old-card")
        publishing.save_club(league=home.id, is_open=True, slug=CLUB, names="full", device=hashed("device"))
    world = World(app, home, away)
    with app.app_context():
        _accounts(world)
        _games(world, key)
    for role in ("watcher", "scorer", "sent-away", "starter", "other-scorer", "other-starter", "card", "next-card"):
        world.cookies[role] = f"{COOKIE}={device_word(role)}"
    for role in ("old-card", "device", "other-device"):
        world.cookies[role] = f"{COOKIE}={device_word(role)}"
    world.cookies["anonymous"] = ""
    _revoke(world)
    with app.app_context():
        _invite(world)
    return world


def _accounts(world: World) -> None:
    for role in (*ACCOUNTS, *FORMER, "signed-out"):
        opened = service.sign_up(name=f"{role} name", password=PASSWORD, caller=Caller(device=hashed(role)))
        world.cookies[role] = f"{COOKIE}={device_word(role)}; {ACCOUNT_COOKIE}={opened.secret}"
        world.words[role], world.ids[f"account {role}"] = opened.code, opened.account
        begun = select(SessionRow.id).where(SessionRow.account_id == opened.account)
        world.ids[f"session {role}"] = db.session.scalars(begun).one()
        if role != "account":
            _join(world, role)
    # An owner of the league who has signed out is nobody to it on that device.
    service.sign_out(
        session_id=world.ids["session signed-out"], account=world.ids["account signed-out"], caller=Caller()
    )
    service.add_account(name="new name")
    with writing() as session:
        session.scalars(select(AccountRow).where(AccountRow.name == "new name")).one().opening = hash_of(OPENING)
    world.words["opening"] = OPENING


def _invite(world: World) -> None:
    """Make three invitations that nobody has accepted: one canceled invitation, and a valid one for each league."""
    for name, league, device in (
        ("dead", world.home, "device"),
        (HOME, world.home, "device"),
        (AWAY, world.away, "other-device"),
    ):
        word = members.invite(league=league.id, role=Role.HELPER, called=f"{league.name} friend", device=hashed(device))
        world.words[f"invitation {name}"] = word
        newest = select(InvitationRow.id).order_by(InvitationRow.id.desc())
        world.ids[f"invitation {name}"] = db.session.scalars(newest).first() or 0
    members.take_back(league=world.home.id, invitation=world.ids["invitation dead"], device=hashed("device"))
    world.words["invitation"] = world.words[f"invitation {HOME}"]


def _join(world: World, role: str) -> None:
    """Give the account of the test role `role` a role in a league.

    The last word of `role` names the role in the league, such as "helper" in "former-helper". The account of
    "signed-out" becomes an owner.
    """
    league, device = (world.away, "other-device") if role.startswith("other-") else (world.home, "device")
    word = "owner" if role == "signed-out" else role.rpartition("-")[2]
    invitation = members.invite(
        league=league.id, role=Role[word.upper()], called=f"{league.name} {word}", device=hashed(device)
    )
    account = world.ids[f"account {role}"]
    members.accept(word=invitation, account=account, device=hashed(role))
    world.words["used invitation"] = invitation
    world.ids[f"role {role}"] = db.session.scalars(select(RoleRow.id).where(RoleRow.account_id == account)).one()


def _games(world: World, key: str) -> None:
    for name, commands in STATES.items():
        world.games[name] = _game(world, name, "starter", HOME)
        world.versions[name] = act(world.games[name], "starter", *commands)
        for scorer in ("sent-away", "scorer"):
            world.words["used link"] = _let_in(world.games[name], "starter", scorer)
        with writing() as session:
            _row, scorer_row = session.execute(
                select(GameRow, ScorerRow)
                .join(ScorerRow, ScorerRow.game_id == GameRow.id)
                .where(GameRow.public_id == world.games[name], ScorerRow.device == hashed("sent-away"))
            ).one()
            world.ids[f"phone {name}"] = scorer_row.id + 1
        sharing.remove_scorer(
            public_id=world.games[name], device=hashed("starter"), scorer=world.ids[f"phone {name}"] - 1
        )
    world.games["other"] = _game(world, "other", "other-starter", AWAY)
    act(world.games["other"], "other-starter", EnterHand(HAND), TakeBid(1, 2))
    _let_in(world.games["other"], "other-starter", "other-scorer")
    with writing() as session:
        world.ids["phone other"] = session.scalars(
            select(ScorerRow.id).where(ScorerRow.device == hashed("other-scorer"))
        ).one()
    differs = HAND | {"points": dict.fromkeys(("high", "low", "jack"), 0) | {"game": 0}}
    hands.report_hand(
        public_id=world.games["disputed"],
        command=lambda _then: EnterHand(differs),
        number=1,
        request=ClientRequest(hashed("scorer"), "differs", 1),
    )
    world.versions["disputed"] += 1
    sharing.set_watching(public_id=world.games["unwatched"], device=hashed("starter"), allowed=False)
    deletion.delete_game(public_id=world.games["deleted"], request=ClientRequest(hashed("starter"), "delete"))
    for name, league in (("table", world.home), ("other-table", world.away)):
        world.games[name], world.versions[name] = league.night.games[0], 3
    world.games["shut"], world.versions["shut"] = world.home.over.games[0], 3
    world.games["none"], world.versions["none"] = "zzzzzzzzzz", 1
    world.words["dead link"] = sharing.make_link(public_id=world.games["open"], device=hashed("starter"))
    world.words["link"] = sharing.make_link(public_id=world.games["open"], device=hashed("starter"))
    world.words["recovery"] = recovery.code_of(world.games["quiet"], key)
    world.words["other recovery"] = recovery.code_of(world.games["other"], key)
    world.words["other link"] = sharing.make_link(public_id=world.games["other"], device=hashed("other-starter"))
    quiet = ClientRequest(hashed("starter"), "photo")
    hands.add_photo(public_id=world.games["quiet"], seq=2, photo=b"no JPEG, but nobody looks", request=quiet)
    with writing() as session:
        world.words["hand photo"] = session.scalars(select(HandNoteRow.photo_key)).one() or ""
    rules = with_options(RULES, {"target": 31})
    _friends(world)
    for device in ("starter", "other-starter"):
        house_rules.save_house_rules(device=hashed(device), name=f"{HOME} rules", rules=rules)
        world.ids[f"rules {device}"] = db.session.scalars(
            select(HouseRulesRow.id).where(HouseRulesRow.device == hashed(device))
        ).one()


def _friends(world: World) -> None:
    """Add a person with a photo, who has never played, to the home table of the phone "starter"."""
    home_people.add_person(device=hashed("starter"), name=f"{HOME} friend")
    friends = select(HomePersonRow.public_id).where(HomePersonRow.name.in_((f"{HOME} friend", f"{HOME} W")))
    world.words["other friend"], world.words["friend"] = db.session.scalars(friends.order_by(HomePersonRow.id))
    home_people.set_photo(device=hashed("starter"), person=world.words["friend"], data=photo())
    world.words["face"] = db.session.scalars(select(HomePhotoRow.public_id)).one()


def _game(world: World, name: str, device: str, called: str) -> str:
    seating = RULES.seatings[0]
    return scoring.start_game(
        rules=RULES,
        names=[f"{called} {letter}" for letter in "WXYZ"[: seating.players]],
        sides=set_table(RULES, seating.players, sides_of(seating)).sides,
        first_dealer=3,
        request=ClientRequest(hashed(device), f"game-{name}"),
    )


def _let_in(game: str, starter: str, scorer: str) -> str:
    link = sharing.make_link(public_id=game, device=hashed(starter))
    sharing.join_game(secret=link, device=hashed(scorer), seat=None)
    return link


def _revoke(world: World) -> None:
    """Let the person of each test role in `FORMER` start a game at a league table.

    After that, take away the roles of these people in the league.
    """
    for role in FORMER:
        fields = {"csrf_token": world.token, "client_id": f"{role}-tap", "table": world.home.night.tables[0]}
        assert world.ask(role, "POST", f"/nights/{world.home.night.id}/games", fields).status_code == 303
    with world.app.app_context():
        for role in FORMER:
            members.change_role(
                league=world.home.id, member=world.ids[f"role {role}"], role=Role.NOBODY, device=hashed("device")
            )
