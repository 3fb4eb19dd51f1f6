"""A complete form for each address that accepts a form; people with the right role can post that form successfully."""

from __future__ import annotations

import base64
import io
import json
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tests.security.access.league import HAND, TO_COME
from tests.security.access.things import game_named, things_of
from tests.security.access.world import HOME, PASSWORD, World

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.security.access.league import League

PHOTO = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg==")
NEW_PASSWORD = "the kettle is on again"
POINTS = {"mode": "points", "bidder": "0", "bid": "3", "high": "0", "low": "0", "jack": "0", "game": "1"}
NEW_DAY = (TO_COME + timedelta(days=1)).isoformat()
SEATS = {f"name-{seat}": f"New {letter}" for seat, letter in enumerate("WXYZ")}
SETUP = {"preset": "setback-21", "seating": "4p", "first_dealer": "0", **SEATS}
RESULTS = "date,round,table,player 1,player 2,player 3,player 4,points 1,points 2\n2024-01-05,1,1,{},21,13\n"


def tail_for(game: str, version: int) -> str:
    """Return the JSON text that a phone sends after the second hand of `game` was entered offline.

    `version` is the version that the game had when the phone went offline.
    """
    hand = {"dealer": 0, **HAND, "bidder": 1}
    sent = {"game": game, "version": version, "hands": [{"id": "phone-made-1", "number": 2, "hand": hand}]}
    return json.dumps(sent)


def forms_of(world: World, game: str, league: League) -> Mapping[str, Mapping[str, Any]]:
    """Return a dict that maps the name of each endpoint to the fields of a valid form.

    `game` is a key of `World.games`. The forms are about that game and that `league`.
    """
    who = league.people
    tables = league.night.tables
    waiting = tail_for(world.games[game], world.versions.get(game, 4))
    return {
        "accounts.open_by_code": {
            "username": "account name",
            "code": world.words["account"],
            "new-password": NEW_PASSWORD,
        },
        "accounts.open_by_link": {"new-password": NEW_PASSWORD},
        "accounts.change_password": {"current-password": PASSWORD, "new-password": NEW_PASSWORD},
        "accounts.sign_in": {"username": "account name", "current-password": PASSWORD},
        "accounts.sign_up": {"username": "brand new", "new-password": NEW_PASSWORD},
        "operator.invite": {"name": "brand new"},
        "operator.pause": {"because": "Back soon."},
        "operator.turn_off": {"because": "It sells things."},
        "games.carried": {"sent": waiting},
        "games.create": SETUP,
        "games.new": SETUP,
        "games.add_finished": {**SETUP, "points-0": "21", "points-1": "14", "day": "2024-03-02"},
        "games.rematch_reseated": {"seats": "swap"},
        "games.save_rules": {**SETUP, "rules_name": "New rules", "rule-target": "31"},
        "games.delete_rules": SETUP,
        "games.import_record": {"text": world.words["record"]},
        "games.let_in": {"secret": world.words["link"]},
        "games.recover": {"code": world.words["recovery"]},
        "games.wall": {"games": world.games[game]},
        "games.adjust": {"side": "0", "sign": "+", "points": "3", "reason": "agreed"},
        "games.bid": {"call": "0:2"},
        "games.call": {"call": "pass"},
        "games.count": {"quick": "1"},
        "games.coke_hand": {"seat": "1"},
        "games.hand_note": {"note": "A long hand"},
        "games.add_hand_photo": {"photo": (io.BytesIO(PHOTO), "cards.png")},
        "games.set_dealer": {"dealer": "2"},
        "games.concede": {"winner": "1", "sure": "1"},
        "games.abandon": {"sure": "1"},
        "games.score": POINTS | {"bidder": "1", "bid": "2"},
        "games.correction": POINTS | {"bid": "2"},
        "games.settle_report": {"how": "keep", "reason": "agreed"},
        "games.change_rules": {"rule-target": "31"},
        "games.rename": {f"name-{seat}": f"{HOME} new {letter}" for seat, letter in enumerate("WXYZ")},
        "games.replace": {"seat": "1", "name": f"{HOME} Newcomer"},
        "games.add_person": {"name": f"{HOME} cousin"},
        "games.change_person": {"name": f"{HOME} buddy", "color": "blue"},
        "games.merge_people": {"into": world.words["other friend"], "sure": "1"},
        "games.hide_person": {"hidden": "1"},
        "games.save_photo": {"remove": "1"},
        "games.change_table_games": {"game": world.games["quiet"], "do": "hide"},
        "games.tail": {"sent": waiting},
        "games.accept": {"sent": waiting},
        "games.discard": {"sent": waiting},
        "games.save_carried": {"sent": waiting},
        "leagues.make": {"name": "New Hall"},
        "leagues.make_table_league": {"name": "New Hall"},
        "leagues.add_people": {"names": "New one\nNew two"},
        "leagues.import_people": {"text": "name\nNew three\n", "confirmed": "1", "new": "1"},
        "leagues.new_season": {"name": "New 2028", "night-rounds": "1"},
        "leagues.bell": {"rung": "1"},
        "leagues.card": {"table": tables[0]},
        "leagues.close": {"missing": ",".join(map(str, tables))},
        "leagues.draw": {"seed": "7"},
        "leagues.start": {"table": tables[0]},
        "leagues.note_amount": {"amount": "1.00", "way": "in", "reason": "Raffle"},
        "leagues.save_payment": {"person": who[0], "way": "paid", "amount": "1.00", "what": "cash"},
        "leagues.save_kitty": {"opened": "1"},
        "leagues.save_pot": {"pot": "High hand", "paid": list(who[:2]), "won": list(who[:1])},
        "leagues.set_team": {"person": list(who[:2])},
        "leagues.keep_table": {"person": who[0], "table": "1"},
        "leagues.check_in": {"person": list(who[8:])},
        "leagues.set_fees": {"person": list(who[1:2])},
        "leagues.check_out": {"person": who[0]},
        "leagues.newcomer": {"name": "New four"},
        "leagues.plan": {"format": "to_target", "together": "rotate", "rounds": "3", "sizes": "4"},
        "leagues.reopen": {"reason": "a slip"},
        "leagues.move_night": {"day": "2031-01-02", "reason": "a slip"},
        "leagues.enter_results": {f"points-{tables[2]}-0": "21", f"points-{tables[2]}-1": "13", f"was-{tables[2]}": ""},
        "leagues.forfeit_table": {"forfeit": f"{tables[2]}-0"},
        "leagues.start_round": {"started": "1"},
        "leagues.swap": {"one": who[0], "other": who[1]},
        "leagues.set_sub": {"person": who[0], "regular": who[8]},
        "leagues.confirm": {"side": "0", "seat": "0", "points": "3,1"},
        "leagues.object_to": {"points": "3,1"},
        "leagues.settle_result": {"how": "keep", "reason": "a slip"},
        "leagues.remove_game": {"reason": "a slip"},
        "leagues.reopen_result": {"reason": "a slip"},
        "leagues.tell_result": {"points-0": "21", "points-1": "13"},
        "leagues.club_form": {"is_open": "yes", "slug": f"new-{league.name.lower()}", "names": "short"},
        "leagues.change_person": {"name": f"{league.name} Changed"},
        "leagues.accept": {"secret": world.words["invitation"]},
        "leagues.accept_anew": {
            "secret": world.words["invitation"],
            "username": "brand new",
            "new-password": NEW_PASSWORD,
        },
        "leagues.invite": {"role": "helper", "called": f"{league.name} friend"},
        "leagues.change_role": {"role": ""},
        "leagues.make_anonymous": {"reason": "asked for it"},
        "leagues.merge_person": {"into": who[8]},
        "leagues.answer": {"planned": league.planned, "says": "yes"},
        "leagues.answer_for": {"person": who[0], "says": "no"},
        "leagues.change_planned": {"day": TO_COME.isoformat(), "starts": "20:00", "place": f"{league.name} Cellar"},
        "leagues.make_links": {"person": list(who[:2])},
        "leagues.plan_nights": {"day": NEW_DAY, "starts": "19:00", "zone": "America/New_York"},
        "leagues.set_planned_state": {"state": "canceled"},
        "leagues.open_night": {"day": "2026-10-01"},
        "leagues.reopen_season": {"reason": "a slip"},
        "leagues.add_team": {"name": f"{league.name} New", "players": f"{league.name} E\n{league.name} F"},
        "leagues.change_team": {"name": f"{league.name} Bees", "players": f"{league.name} A\n{league.name} F"},
        "leagues.import_results": {
            "text": RESULTS.format(",".join(f"{league.name} {each}" for each in "ABCD")),
            "confirmed": "1",
        },
        "settings": {"theme": "dark"},
    }


class Forms:
    """The forms that can be posted in a world.

    Some changes must be previewed first, and their forms need a token from the preview. The method `of` requests the
    preview and adds that token.
    """

    LOOKED_AT = frozenset(("games.adjust", "games.score", "games.correction", "games.change_rules", "games.void_hand"))

    def __init__(self, world: World) -> None:
        self.world = world
        world.words["record"] = world.ask("starter", "GET", f"/games/{world.games['over']}/record.json").text
        self.things = things_of(world)
        self.seen: dict[str, str] = {}

    def of(self, endpoint: str, path: str, thing: str) -> dict[str, Any]:
        """Return the fields of a valid form for `endpoint`, to be posted to `path`.

        `thing` is the name of the game, league or other object in that path.
        """
        game = game_named(thing)
        league = self.world.away if thing.endswith("2") else self.world.home
        fields: dict[str, Any] = {
            "csrf_token": self.world.token,
            "client_id": "tap-of-the-matrix",
            "version": self.world.versions.get(game, 4),
            **forms_of(self.world, game, league).get(endpoint, {}),
        }
        if endpoint in ("leagues.start", "leagues.card"):
            fields["table"] = self.things[thing]["table"]
        if endpoint in self.LOOKED_AT:
            if path not in self.seen:
                looked = self.world.ask("starter", "POST", path, fields).text
                self.seen[path] = (re.findall(r'name="(?:seen|sure)" value="([^"]+)"', looked) or [""])[0]
            fields |= {"seen": self.seen[path], "sure": self.seen[path]}
        return fields

    def json(self, endpoint: str, thing: str) -> Any:
        """Return the JSON value to post instead of a form, or None if `endpoint` accepts a form.

        `thing` is the name of the object in the address.
        """
        game = game_named(thing)
        if endpoint != "games.waiting":
            return None
        return json.loads(tail_for(self.world.games[game], self.world.versions.get(game, 4)))
