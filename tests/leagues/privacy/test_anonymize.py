"""Making a player anonymous removes the name everywhere and changes nothing else."""

from __future__ import annotations

import json
import re
import threading
import unicodedata
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from scorekeeper import create_app
from scorekeeper.games.store.models import GameRow, PlayerRow
from scorekeeper.leagues.core.models import LeagueEventRow, MoneyRow, NightRow, PersonRow
from scorekeeper.leagues.people import service
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.privacy import service as privacy_service
from scorekeeper.leagues.privacy.text_fields import Renaming, anonymous_name
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.web.extensions import db
from tests.conftest import settings_in
from tests.support.game import play
from tests.support.known_person import CALLED, NAMES, everything, well_known
from tests.support.league import Hall, make_hall
from tests.support.league_night import reason_of
from tests.support.page import CHANGING, Page

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flask import Flask

    from tests.support.phone import Phone

TO = "N. N. 1"


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a league whose database contains the first player's names in every column that can contain a name."""
    return well_known(app, client)


def found(hall: Hall) -> set[str]:
    """Return the database columns that contain one of the first player's names, each as "table.column".

    Upper and lower case, and the way accents are stored, don't matter.
    """

    def plain(text: str) -> str:
        return unicodedata.normalize("NFD", unicodedata.normalize("NFD", text).casefold())

    other = plain(NAMES[4])
    return {
        where
        for where, text in everything(hall)
        if any(plain(name) in plain(text).replace(other, "") for name in CALLED)
    }


def pages(hall: Hall, first: str) -> dict[str, str]:
    """Return a dict of each public page's HTML by path.

    Tests compare the pages before and after the first player is made anonymous. To make them equal, the player's names
    in the HTML are replaced by the anonymous name. `first` is the path of the player's page.
    """
    with hall.book() as ids:
        bob = ids["Bob"]
        games = db.session.scalars(select(GameRow.public_id)).all()
        played = db.session.scalars(select(NightRow.public_id)).all()
    paths = [hall.season, f"{hall.season}/people.csv", f"{first}?night=all", f"/people/{bob}?night=all"]
    paths += [f"{path}/{game}" for game in games for path in ("/watch", "/games")]
    paths += [f"/nights/{night}{page}" for night in played for page in ("", "/tv", "/money")]
    for path in paths:
        hall.phone.get(path)
    for thread in threading.enumerate():
        if thread.name == "odds":  # a page shows the chances of winning once they are calculated
            thread.join()
    told = {}
    for path in paths:
        # The part above the season shows the nickname and that the player is retired.
        text = hall.phone.see(path).response.text.partition('<h2 id="season">')
        # The link to BG Stats holds the names in another spelling; the version of a picture changes with them.
        words = re.sub(
            'data-version="[^"]*"|href="https://app.bgstatsapp[^"]*"|png[?]v=[0-9a-f]+',
            "",
            CHANGING.sub("", text[2] or text[0]),
        ).replace(NAMES[4], "THE OTHER")
        for name in sorted((*CALLED, "A\u030aSA-LILL KRA\u0308MER"), key=len, reverse=True):
            words = re.sub(re.escape(name), TO, words, flags=re.IGNORECASE)
        told[path] = words
    return told


def make(hall: Hall) -> Page:
    """Make the first player anonymous with the form on the page, and return the page that follows."""
    path = f"{hall.person(NAMES[0])}/anonymous"
    return hall.phone.submit(hall.phone.see(path), path, reason="Zuzu asked for it")


@pytest.mark.slow
def test_no_database_table_holds_the_name(hall: Hall) -> None:
    """After a player is made anonymous, no database table contains the name in any spelling.

    Similar names of other players stay.
    """
    before = found(hall)
    assert {"person.name", "player.name", "league_event_text.text", "game_event.data", "league_money.what"} <= before
    assert "league_event.data" not in before
    assert "season.money" in before
    assert make(hall).h1 == TO
    assert found(hall) == set()
    texts = dict(everything(hall))
    assert any(NAMES[4] in text for text in texts.values())
    log = hall.phone.see(f"{hall.league}/log").text
    plain = log.replace("\u2068", "").replace("\u2069", "")
    assert f"made a player anonymous, now called {TO}." in plain
    assert f"{TO} asked for it" in log


@pytest.mark.slow
def test_results_and_money_do_not_change(hall: Hall) -> None:
    """After a player is made anonymous, every page is the same except for the name."""
    first = hall.person(NAMES[0])
    before = pages(hall, first)
    make(hall)
    after = pages(hall, first)
    assert len(before) > 20
    for path, text in before.items():
        assert after[path].splitlines() == text.splitlines(), path


@pytest.mark.slow
def test_new_name_shows_at_once_in_every_process(hall: Hall, tmp_path: Path) -> None:
    """After a player is made anonymous, every server process shows the new name at once.

    This includes a process that has just sent pages with the old name. On a game's page that was opened before, a hand
    can still be saved.
    """
    with hall.book():
        night = db.session.scalars(select(NightRow.public_id).where(NightRow.closed_at.is_(None))).first()
        game = db.session.scalars(select(GameRow.public_id).where(GameRow.hands == 1)).one()
    watched = [f"/watch/{game}", f"/watch/{game}/tv", f"/watch/tv?games={game}", f"/nights/{night}", hall.season]
    worker = create_app(settings_in(tmp_path))
    with worker.test_client() as other:
        tags = {path: other.get(path).headers.get("ETag", "") for path in watched}
        assert all("Åsa-Lill Krämer" in other.get(path).text.replace(NAMES[4], "") for path in watched[-1:])
        board = hall.phone.see(f"/games/{game}")
        make(hall)
        for path, tag in tags.items():
            answer = other.get(path, headers={"If-None-Match": tag} if tag else {})
            assert answer.status_code == 200, path
            assert TO in answer.text, path
        with worker.app_context():
            db.engine.dispose()
    play(hall.phone, board, 1, 2, "BBBB")
    with hall.book():
        assert db.session.scalars(select(GameRow.hands).where(GameRow.public_id == game)).one() == 2


def test_a_player_whose_name_is_a_number_changes_no_prize(app: Flask, client: Phone) -> None:
    """If a player called "1" is made anonymous, a prize for rank 1 doesn't change.

    The rank is stored as the text "1".
    """
    hall = make_hall(app, client, ("1", "Bob", "Cid", "Dee"), **{"money-entry_fee": "5", "money-payout": "100%"})
    night = hall.night((("1", "Bob", "Cid", "Dee"), (21, 3)))
    path = f"{hall.person('1')}/anonymous"
    with hall.book():
        before = db.session.execute(select(MoneyRow.kind, MoneyRow.what, MoneyRow.cents).order_by(MoneyRow.id)).all()
    assert ("prize", "1", -1000) in before
    assert client.submit(client.see(path), path, reason="asked").h1 == TO
    with hall.book():
        after = db.session.execute(select(MoneyRow.kind, MoneyRow.what, MoneyRow.cents).order_by(MoneyRow.id)).all()
    assert after == before
    assert TO in client.see(f"/nights/{night}/money").text
    assert TO in client.see(f"/nights/{night}").text


def test_making_anonymous_needs_an_owner_and_a_reason(
    app: Flask, client: Phone, new_phone: Callable[[], Phone]
) -> None:
    """Only an owner can make a player anonymous, and a reason is needed.

    Sending the form twice changes nothing more.
    """
    hall = make_hall(app, client)
    path = f"{hall.person('Ann')}/anonymous"
    link = client.see(f"{hall.person('Ann')}/details").one("a", href=path)
    assert link.text == "Make anonymous"
    asked = client.see(path)
    assert "You can't undo this" in asked.text
    assert "backups" in asked.text
    stranger = new_phone()
    assert stranger.get(path).status_code == 403
    token = stranger.see("/leagues").form("/leagues").values["csrf_token"]
    sent = {"csrf_token": token, "client_id": "a-tap-of-a-stranger", "reason": "for fun"}
    assert stranger.post(path, data=sent).status_code == 403
    assert "Enter a reason" in client.submit(asked, path, 422, reason="  ").text
    for _again in range(2):
        assert client.submit(asked, path, reason="ann asked").h1 == TO
    assert "The name was already removed from this league." in client.see(path).text
    with app.app_context():
        lines = db.session.scalars(select(LeagueEventRow).where(LeagueEventRow.kind == privacy_service.KIND)).all()
        assert [reason_of(line) for line in lines] == [f"{TO} asked"]


@pytest.mark.slow
def test_other_player_with_that_name_keeps_it(hall: Hall) -> None:
    """If a player is made anonymous, another player with the same name keeps the name.

    The other player may have been added later, or in another league.
    """
    with hall.book() as ids:
        renamed = PersonData(name="Somebody Else")
        league = hall.league.removeprefix("/leagues/")
        service.change_person(person=ids[NAMES[0]], told=renamed, device=hall.device)
        service.add_people(league=league, people=[PersonData(name=NAMES[0])], device=hall.device)
        game = db.session.scalars(select(GameRow.public_id)).all()
        path = f"/people/{ids[NAMES[0]]}/anonymous"
        other = seasons.make_league(name="Elsewhere", device=hall.device, client_id="elsewhere")
        service.add_people(league=other, people=[PersonData(name=NAMES[0])], device=hall.device)
    assert len(game) == 4
    hall.phone.submit(hall.phone.see(path), path, reason="asked")
    with hall.app.app_context():
        called = db.session.scalars(select(PersonRow.name).where(PersonRow.name == NAMES[0])).all()
        played = db.session.scalars(select(PlayerRow.name)).all()
    assert len(called) == 2
    added = [line for line in json.loads(hall.phone.get(f"{hall.league}/log.json").text) if " added " in line["what"]]
    assert [f" added {TO}" in line["what"] for line in added] == [True, False]
    assert NAMES[0] in added[1]["what"]
    assert NAMES[0] not in played


ANN = Renaming(frozenset(("Ann", "Zu")), TO, frozenset(("Ann Lee", "Joann")))


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("Ann’s revoke", f"{TO}’s revoke"),
        ("ANN, ann; (Ann)", f"{TO}, {TO}; ({TO})"),
        ("Ann Lee and Ann", f"Ann Lee and {TO}"),
        ("Ann \u00a0Lee,  Ann", f"Ann \u00a0Lee,  {TO}"),
        ("Annual, Joann, Änn, Ann1", "Annual, Joann, Änn, Ann1"),
        ("zu", TO),
        ("zu\u0301", "zu\u0301"),
        ("", ""),
    ],
)
def test_name_is_found_as_a_whole_word(text: str, after: str) -> None:
    assert ANN.in_text(text) == after


@pytest.mark.parametrize("name", ["Müßig", "王", "שרה", "Ångström", "d’Arcy", "A."])
def test_name_is_found_in_any_script(name: str) -> None:
    """A player's name is found in upper and lower case, with either form of accents, and in scripts without spaces."""
    renaming = Renaming(frozenset((name,)), TO)
    for form in ("NFC", "NFD"):
        for written in (name, name.upper(), name.lower()):
            assert renaming.in_text(unicodedata.normalize(form, f"({written}) – {written}")) == f"({TO}) – {TO}"
    assert name != "王" or renaming.in_text("王さん") == f"{TO}さん"


def test_next_anonymous_name_is_unused() -> None:
    assert anonymous_name(()) == "N. N. 1"
    assert anonymous_name(("N. N. 2", "Ann", "N. N.", "N. N. 10")) == "N. N. 11"
