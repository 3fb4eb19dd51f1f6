"""Find the typed texts of a league that name a person."""

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
    OutboxRow,
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
    """A stored text that names a person: its place in the database, its wording, and its wording without the name.

    `before` is its current wording, `after` its wording once the name is replaced.
    """

    model: type[Model]
    id: int
    column: str
    before: str
    after: str
    title: bool = False
    """True for the name of a league, a season, a side pot, a helper or a director."""
    key: str = ""
    """Key in the column, if that holds a JSON object."""
    place: int | None = None
    """Index in the list at `key`, whose items have a `name`."""

    def write(self, session: Session) -> None:
        """Save the text `after` in the database."""
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
    """Yield each text of a league (id) and its games in which `renaming` finds a name."""
    for text in _all(session, league, told):
        after = renaming.in_text(text.before)
        if after != text.before:
            yield replace(text, after=after[: _room(text)])


def _room(text: Text) -> int | None:
    """Return the most characters that fit. The name of a side pot has the same limit everywhere."""
    if text.model is SeasonRow and text.column == "schedule":
        return PLACE_LENGTH
    if text.title and (text.key == "pots" or text.model in (MoneyRow, LeagueTextRow)):
        return NAME_LENGTH
    return getattr(text.model.__table__.c[text.column].type, "length", None)


def _all(session: Session, league: int, told: Called) -> Iterator[Text]:
    scope = scope_of(league)
    row = session.get_one(LeagueRow, league)
    yield Text(LeagueRow, row.id, "name", row.name, "", title=True)
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
    for message in session.scalars(select(OutboxRow).where(OutboxRow.league_id == league).order_by(OutboxRow.id)):
        yield Text(OutboxRow, message.id, "subject", message.subject, "", title=True)
        yield Text(OutboxRow, message.id, "text", message.text, "")
    for event, data in written(session, told.games).items():
        yield Text(EventRow, event, "data", data["reason"], "", key="reason")
    for note, text in hand_notes(session, told.games).items():
        yield Text(HandNoteRow, note, "text", text, "")
