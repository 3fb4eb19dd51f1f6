"""Find the typed notes, reasons and titles of a league that contain a person's name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from scorekeeper.games.store.models import EventRow, HandNoteRow
from scorekeeper.games.store.redaction import hand_notes, written
from scorekeeper.leagues.calendar.settings import PLACE_LENGTH
from scorekeeper.leagues.core.audit_log import TITLES
from scorekeeper.leagues.core.models import (
    AnswerRow,
    LeagueRow,
    LeagueTextRow,
    MoneyRow,
    PaymentRow,
    PersonRow,
    PlannedRow,
    SeasonRow,
    SquadRow,
    scope_of,
)
from scorekeeper.leagues.core.roles import InvitationRow, RoleRow
from scorekeeper.leagues.money.service import CALCULATED, POT_ENTRY, POT_PRIZE
from scorekeeper.leagues.money.settings import NAME_LENGTH
from scorekeeper.leagues.privacy.name_history import Called
from scorekeeper.leagues.privacy.redaction import Renaming
from scorekeeper.web.extensions import Model


@dataclass(frozen=True, slots=True)
class Text:
    """A string in the database that contains a person's name, and the place where the string is stored.

    `before` is the current wording. `after` is the wording with the name replaced.
    """

    model: type[Model]
    id: int
    column: str
    before: str
    after: str
    title: bool = False
    """True if the string is the name of something, such as a league, season, team, side pot, helper or place."""
    key: str = ""
    """Key of the text in the column, if the column contains a JSON object; else empty."""
    place: int | None = None
    """Index of an item in the list at `key`, whose `name` is the text; None if there is no list."""

    def write(self, session: Session) -> None:
        """Save the wording `after` in the database."""
        table = self.model.__table__
        value: Any = self.after
        if self.key:
            data = dict(session.scalars(select(table.c[self.column]).where(table.c.id == self.id)).one())
            if self.place is not None:
                value = list(data[self.key])
                value[self.place] = value[self.place] | {"name": self.after}
            value = data | {self.key: value}
        session.execute(update(self.model).where(table.c.id == self.id).values({self.column: value}))


def texts_of(session: Session, league: int, told: Called, renaming: Renaming) -> Iterator[Text]:
    """Find each stored string of a league (id) and its games that contains a name of the person `told`.

    Yield each string as a `Text` with the new wording in `after`. `renaming` finds and replaces the names.
    """
    for text in _all(session, league, told):
        after = renaming.in_text(text.before)
        if after != text.before:
            yield replace(text, after=after[: _room(text)])


def _room(text: Text) -> int | None:
    """Return the most characters that fit where `text` is stored; None for no limit.

    The limit is usually the length of the database column. The place of a season's nights and the names of side pots
    have limits of their own. Other strings inside a JSON object have no limit.
    """
    if text.model is SeasonRow and text.column == "schedule":
        return PLACE_LENGTH
    if text.title and (text.key == "pots" or text.model in (MoneyRow, LeagueTextRow)):
        return NAME_LENGTH
    return getattr(text.model.__table__.c[text.column].type, "length", None)


def _all(session: Session, league: int, told: Called) -> Iterator[Text]:
    scope = scope_of(league)
    row = session.get_one(LeagueRow, league)
    yield Text(LeagueRow, row.id, "name", row.name, "", title=True)
    if row.off_because:
        yield Text(LeagueRow, row.id, "off_because", row.off_because, "")
    for season in session.scalars(select(SeasonRow).where(scope["seasons"]).order_by(SeasonRow.id)):
        yield Text(SeasonRow, season.id, "name", season.name, "", title=True)
        if season.schedule and season.schedule.get("place"):
            yield Text(SeasonRow, season.id, "schedule", season.schedule["place"], "", title=True, key="place")
        for place, pot in enumerate(season.money.get("pots", ())):
            yield Text(SeasonRow, season.id, "money", pot["name"], "", title=True, key="pots", place=place)
    for squad in session.scalars(select(SquadRow).where(scope["squads"]).order_by(SquadRow.id)):
        yield Text(SquadRow, squad.id, "name", squad.name, "", title=True)
        yield Text(SquadRow, squad.id, "division", squad.division, "", title=True)
    roles = session.scalars(select(RoleRow).where(RoleRow.league_id == league)).all()
    waiting = session.scalars(select(InvitationRow).where(InvitationRow.league_id == league)).all()
    helpers: list[RoleRow | InvitationRow] = [*roles, *waiting]
    for helper in helpers:
        yield Text(type(helper), helper.id, "called", helper.called, "", title=True)
    own = {each.id for each in told.people}
    for person in session.scalars(select(PersonRow).where(scope["people"]).order_by(PersonRow.id)):
        if person.id not in own:
            yield Text(PersonRow, person.id, "notes", person.notes, "")
    for planned in session.scalars(select(PlannedRow).where(scope["planned"]).order_by(PlannedRow.id)):
        yield Text(PlannedRow, planned.id, "place", planned.place, "", title=True)
        yield Text(PlannedRow, planned.id, "note", planned.note, "")
    for answer in session.scalars(select(AnswerRow).where(scope["answers"]).order_by(AnswerRow.id)):
        if answer.person_id not in own:
            yield Text(AnswerRow, answer.id, "note", answer.note, "")
    # A calculated row says how many sets or which place, and a name may be a number, too.
    typed = MoneyRow.kind.not_in(CALCULATED)
    for money in session.scalars(select(MoneyRow).where(scope["money"], typed).order_by(MoneyRow.id)):
        yield Text(MoneyRow, money.id, "what", money.what, "", title=money.kind in (POT_ENTRY, POT_PRIZE))
    for payment in session.scalars(select(PaymentRow).where(scope["payments"]).order_by(PaymentRow.id)):
        yield Text(PaymentRow, payment.id, "what", payment.what, "")
    texts = select(LeagueTextRow).where(scope["texts"], LeagueTextRow.person_id.is_(None))
    for line in session.scalars(texts.order_by(LeagueTextRow.event_id, LeagueTextRow.id)):
        yield Text(LeagueTextRow, line.id, "text", line.text, "", title=line.key in TITLES)
    for event, data in written(session, told.games).items():
        yield Text(EventRow, event, "data", data["reason"], "", key="reason")
    for note, text in hand_notes(session, told.games).items():
        yield Text(HandNoteRow, note, "text", text, "")
