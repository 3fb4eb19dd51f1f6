"""Make a league that has data about one person everywhere, for tests of exporting and anonymizing such data."""

from __future__ import annotations

import json
import unicodedata
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from sqlalchemy import select

from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.members import service
from scorekeeper.leagues.money import payments
from scorekeeper.leagues.money import service as purse
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.rules.commands import AdjustScore
from scorekeeper.web.extensions import db
from tests.support.league import Hall, make_hall

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

    from tests.support.phone import Phone

NAMES = ("Åsa-Lill Krämer", "Bob", "Cid", "Dee", "Åsa-Lill Krämer-Voß")
CALLED = ("Åsa-Lill Krämer", "Zuzu", "Asalil Krmr", "Oosa Lillkrm", "Zuzelina")
"""Every name that this person ever had.

In order: the current name, the nickname, an earlier name, the name of a person who was merged into this one, and a name
that was entered at a table.
"""


def well_known(app: Flask, client: Phone) -> Hall:
    """Return a league about whose first person the database has data in as many places as possible.

    This person was renamed, got a nickname, was merged with another person, made payments, and is mentioned in texts.
    """
    hall = make_hall(
        app,
        client,
        ("Asalil Krmr", "Bob", "Cid", "Dee", "Oosa Lillkrm", NAMES[4]),
        **{"money-entry_fee": "5", "money-pots": "Zuzu’s pot 1"},
    )
    with hall.book() as ids:
        first, gone, bob = (ids[name] for name in ("Asalil Krmr", "Oosa Lillkrm", "Bob"))
        told = PersonData(name=NAMES[0], nickname="Zuzu", notes="Zuzu sits by the window")
        hall.night((("Asalil Krmr", "Bob", "Cid", "Dee"), (22, 15)))
        hall.night((("Bob", "Oosa Lillkrm", "Cid", "Dee"), (21, 3)))
        people.change_person(person=first, told=told, device=hall.device)
        people.merge_people(person=gone, into=first, device=hall.device)
        people.change_person(person=bob, told=PersonData(name="Bob", notes="comes with ZUZU"), device=hall.device)
    over = hall.night((NAMES[:4], ()), close=False)
    game = hall.hands(over, 0)
    another = hall.night((NAMES[1:5], ()), close=False)
    beside = hall.hands(another, 1, count=1)
    with hall.book() as ids:
        league = hall.league.removeprefix("/leagues/")
        service.invite(league=league, called="Zuzu", role=Role.HELPER, device=hall.device)
        purse.note_amount(night=over, cents=100, reason="zuzu’s round", device=hall.device, tap="noted")
        payments.set_fees(night=over, people=[ids[NAMES[0]]], paid=True, device=hall.device)
        season, today = hall.season.removeprefix("/seasons/"), date(2026, 9, 20)
        payments.save_payment(
            season=season, people=[ids["Bob"]], cents=500, day=today, what="from zuzu", device=hall.device,
            now=datetime.now(UTC),
        )  # fmt: skip
        adjusted = AdjustScore(0, -1, "Zuzu showed a card, not Åsa-Lill Krämer-Voß")
        scoring.act(public_id=game, command=adjusted, request=ClientRequest(hall.device, "adjusted", None))
        names = ["Zuzelina", "Bob", "Cid", "Dee"]
        scoring.name_players(public_id=game, names=names, request=ClientRequest(hall.device, "renamed", None))
        loud = unicodedata.normalize("NFD", NAMES[0]).upper()
        scoring.replace_player(
            public_id=beside, seat=0, name=loud, request=ClientRequest(hall.device, "replaced", None)
        )
        nights.check_out(night=another, person=ids["Bob"], device=hall.device)
    return hall


def everything(hall: Hall) -> Iterator[tuple[str, str]]:
    """Yield (table and column, value as a string) for each value in the app's database."""
    with hall.app.app_context():
        for table in db.metadata.sorted_tables:
            for row in db.session.execute(select(table)):
                for column, value in row._mapping.items():
                    told = json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)
                    yield f"{table.name}.{column}", told
