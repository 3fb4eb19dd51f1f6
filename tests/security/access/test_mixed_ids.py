"""Requests that combine ids of two owners, such as your league's id in the address and another league's in the form."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.security.access.forms import NEW_PASSWORD, SETUP, tail_for
from tests.security.access.world import AWAY, PASSWORD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tests.security.access.ground import Ground
    from tests.security.access.world import World

pytestmark = pytest.mark.database

REFUSED = frozenset((403, 404, 409, 422))
GOES_ON = REFUSED | {200, 302, 303}
"""Allowed statuses if the response may also look as if the request had been carried out, although nothing changed."""


class Mixed(NamedTuple):
    """A request that combines ids of two owners; `what` describes it, and `statuses` are the allowed responses."""

    what: str
    role: str
    path: str
    fields: Mapping[str, Any]
    statuses: frozenset[int] = REFUSED
    method: str = "POST"
    json: Any = None


def nights(world: World) -> Iterator[Mixed]:
    """Yield requests by the owner of the league `home` with people, tables and payments of the league `away`.

    A few requests combine things of different nights or seasons of `home`.
    """
    home, away = world.home, world.away
    us, them = home.people, away.people
    night, later = f"/nights/{home.night.id}", f"/nights/{home.later.id}"
    table = away.night.tables[0]
    for role in ("owner", "device"):
        yield Mixed("check in", role, f"{night}/people", {"person": [them[0]]})
        yield Mixed("check in both", role, f"{night}/people", {"person": [us[8], them[0]]})
        yield Mixed("check out", role, f"{later}/people/leaving", {"person": them[0]})
        yield Mixed("play for", role, f"{later}/substitutes", {"person": us[0], "regular": them[8]})
        yield Mixed("let play", role, f"{later}/substitutes", {"person": them[0], "regular": us[8]})
        yield Mixed("partners", role, f"{later}/partners", {"person": [us[0], them[1]]})
        yield Mixed("swap", role, f"{night}/rounds/2/swap", {"one": us[0], "other": them[0]})
        yield Mixed("pot", role, f"{night}/money/pots", {"pot": "High hand", "paid": [us[0], them[0]], "won": []})
        yield Mixed("winner", role, f"{night}/money/pots", {"pot": "High hand", "paid": [us[0]], "won": [them[0]]})
        yield Mixed("fee", role, f"{night}/fees", {"person": [us[0], them[0]]})
        yield Mixed("pay at check-in", role, f"{night}/people", {"person": [], "paying": [them[0]]})
        accounts = f"/seasons/{home.season}/money/payments"
        yield Mixed("payment", role, accounts, {"person": them[0], "amount": "1", "way": "paid"})
        yield Mixed("take back their payment", role, f"{accounts}/{away.payments[0]}/correction", {})
        yield Mixed("take back one of another season", role, f"{accounts}/{home.payments[1]}/correction", {})
        yield Mixed("start their table", role, f"{night}/games", {"table": table})
        yield Mixed("start one of another night", role, f"{later}/games", {"table": home.night.tables[0]})
        yield Mixed("see their table", role, f"{night}/tables/{table}", {}, frozenset((404,)), "GET")
        yield Mixed(
            "confirm their table",
            role,
            f"{night}/tables/{table}/confirmations",
            {"side": 0, "seat": 0, "points": "3,1"},
        )
        yield Mixed("end their table", role, f"{night}/tables/{table}/result", {"points-0": 21, "points-1": 1})
        yield Mixed(
            "their table here", role, f"/nights/{away.night.id}/tables/{home.night.tables[0]}", {}, REFUSED, "GET"
        )
        result = {f"points-{away.night.tables[2]}-0": 21, f"points-{away.night.tables[2]}-1": 1}
        yield Mixed("result of their table", role, f"{night}/rounds/2/results", result, GOES_ON)
        missing = ",".join(map(str, away.night.tables))
        yield Mixed("close with their tables missing", role, f"{night}/closing", {"missing": missing})
        yield Mixed("merge into theirs", role, f"/people/{us[-1]}/merge", {"into": them[-1]})
        yield Mixed("merge theirs into mine", role, f"/people/{them[-1]}/merge", {"into": us[-1]})
        yield Mixed("ask to merge", role, f"/people/{us[-1]}/merge", {"into": f"{AWAY} A"}, GOES_ON, "GET")
        yield Mixed("ask to merge by id", role, f"/people/{us[-1]}/merge", {"into": them[0]}, GOES_ON, "GET")
        yield Mixed("find theirs", role, f"{night}/desk", {"find": AWAY}, GOES_ON, "GET")
        yield Mixed("their season of mine", role, f"/people/{us[0]}", {"season": away.season}, GOES_ON, "GET")
        yield Mixed("their night of mine", role, f"/people/{us[0]}", {"night": away.night.id}, GOES_ON, "GET")
        yield Mixed("their lines", role, f"/leagues/{home.id}/log", {"before": 10**6}, GOES_ON, "GET")
        roles, friend = world.ids["role other-helper"], world.ids[f"invitation {away.name}"]
        yield Mixed("change their role", role, f"/leagues/{home.id}/roles/{roles}", {"role": "owner"}, GOES_ON)
        yield Mixed("take their role", role, f"/leagues/{home.id}/roles/{roles}", {"role": ""}, GOES_ON)
        yield Mixed("their invitation", role, f"/leagues/{home.id}/invitations/{friend}/void", {}, GOES_ON)
        yield Mixed("hand over with their word", role, f"/leagues/{away.id}/direct/{home.handover}", {})


def cards(world: World) -> Iterator[Mixed]:
    """Yield requests with the token of one table's card for another table, night or league."""
    home, away = world.home, world.away
    for role in ("anonymous", "card", "owner"):
        for what, night, number, word, table in (
            ("word of theirs", home.night.id, 1, away.night.card, home.night.tables[1]),
            ("word at theirs", away.night.id, 1, home.night.card, away.night.tables[0]),
            ("another number", home.night.id, 2, home.night.card, home.night.tables[1]),
            ("their table", home.night.id, 1, home.night.card, away.night.tables[0]),
            ("another night", home.later.id, 1, home.night.card, home.night.tables[0]),
            ("a night that is over", home.over.id, 1, home.over.card, home.over.tables[0]),
        ):
            if role == "anonymous" or what in ("word at theirs", "their table", "another night"):
                yield Mixed(f"card: {what}", role, f"/nights/{night}/cards/{number}/{word}", {"table": table})
    own_word = f"/nights/{home.night.id}/cards/1/{home.night.card}"
    yield Mixed("card: the next table", "card", own_word, {"table": home.night.tables[1]})
    yield Mixed("card: the next table in round 2", "anonymous", own_word, {"table": home.night.tables[3]})


def games(world: World) -> Iterator[Mixed]:
    """Yield requests about one game or phone that contain ids, hands or codes of another game or phone."""
    mine, theirs = f"/games/{world.games['quiet']}", f"/games/{world.games['other']}"
    done = GOES_ON
    for role in ("starter", "scorer"):
        yield Mixed("their report", role, f"{mine}/hands/2/reports/99", {"how": "take"})
        yield Mixed("carried from theirs", role, f"{theirs}/carried", {"sent": tail_for(world.games["quiet"], 4)})
        yield Mixed("waiting for theirs", role, f"{theirs}/waiting", {}, json=json.loads(tail_for("x", 4)))
        yield Mixed("code of an unwatched game", "watcher", "/carry", {"sent": tail_for(world.games["unwatched"], 4)})
    yield Mixed("send their phone away", "starter", f"{mine}/phones/{world.ids['phone other']}/void", {}, done)
    yield Mixed("their rules", "starter", f"/house-rules/{world.ids['rules other-starter']}/deletion", SETUP)
    yield Mixed("use their rules", "anonymous", "/games/new", {**SETUP, "use_rules": world.ids["rules starter"]}, done)
    for word in ("link", "recovery"):
        secret = world.words[word]
        none = secret[:-1] + ("b" if secret[-1] != "b" else "c")
        yield Mixed(f"{word}: none", "anonymous", "/score", {"secret": none, "x": ""})
    right = world.words["recovery"]
    wrong = world.words["other recovery"][:4] + right[4:]
    yield Mixed("place of theirs, rest of mine", "anonymous", "/recovery", {"code": wrong})
    yield Mixed("the wall", "anonymous", "/watch/tv", {"games": world.games["unwatched"]}, REFUSED, "GET")
    yield Mixed("the wall of none", "anonymous", "/tv", {"games": world.games["deleted"]}, REFUSED, "GET")


def accounts(world: World) -> Iterator[Mixed]:
    """Yield requests by signed-in people that contain the session, code or password of another account."""
    session = world.ids["session owner"]
    for role in ("helper", "other-owner", "account", "former-owner"):
        yield Mixed("their session", role, f"/account/sessions/{session}/end", {}, GOES_ON)
        yield Mixed("no session", role, "/account/sessions/999999/end", {}, GOES_ON)
    code = {"username": "owner name", "code": world.words["helper"], "new-password": NEW_PASSWORD}
    yield Mixed("code of another", "helper", "/account/code", code)
    yield Mixed(
        "password of nobody", "helper", "/account/password", {"current-password": "no", "new-password": PASSWORD}
    )


def words(world: World) -> Iterator[Mixed]:
    """Yield requests with tokens that have been used already, have been canceled, or are meant for another purpose."""
    gone = frozenset((404,))
    for role in ("anonymous", "sent-away", "account", "former-owner", "other-owner"):
        for word in ("used link", "dead link", "invitation dead", "used invitation", "recovery"):
            secret = world.words[word]
            yield Mixed(f"{word} as a score link", role, f"/score/{secret}", {}, gone, "GET")
            yield Mixed(f"{word} as a score link", role, "/score", {"secret": secret}, gone)
            yield Mixed(f"{word} as an invitation", role, f"/invitations/{secret}", {}, gone, "GET")
            new = {"username": "brand new", "new-password": NEW_PASSWORD}
            yield Mixed(f"{word} for an account", role, "/invitations/account", {"secret": secret, **new}, gone)
            yield Mixed(f"{word} to open an account", role, f"/account/opening/{secret}", {}, gone, "GET")
            yield Mixed(f"{word} to own a league", role, f"/leagues/{world.home.id}/direct/{secret}", {})
        if role in ("account", "former-owner", "other-owner"):
            for word in ("invitation dead", "used invitation"):
                yield Mixed(word, role, "/invitations", {"secret": world.words[word]}, gone)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [nights, cards, games, accounts, words])
def test_what_does_not_belong_together_does_nothing(
    world: World, ground: Ground, kind: Callable[[World], Iterator[Mixed]]
) -> None:
    """A request that combines ids of two owners is refused, shows no name of the other owner, and changes nothing.

    Only the log of failed sign-ins may grow.
    """
    wrong = []
    for each in kind(world):
        fields = {"csrf_token": world.token, "client_id": "tap-of-a-mixture", "version": 4, **each.fields}
        answer = world.ask(
            each.role, each.method, each.path, fields if each.method == "POST" else each.fields, each.json
        )
        changed = {table: rows for table, rows in ground.changed().items() if table != "account_event"}
        told = answer.text.replace(str(each.fields.get("find") or each.fields.get("into") or "\0"), "")
        if answer.status_code not in each.statuses or changed or AWAY in told:
            wrong.append(f"{each.what} ({each.role}): {answer.status_code} {changed} {AWAY in told}")
        if changed:
            ground.put_back()
    assert not wrong, "\n".join(wrong)
