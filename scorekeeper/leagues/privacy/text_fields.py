"""Find all names that a person ever had in a league, and the person's `PlayerRow`s in games.

Find and replace people's names in typed sentences.

Find the typed notes, reasons and titles of a league that contain a person's name.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct, structs
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from scorekeeper.games.store.hand_notes import hand_notes, typed_names, with_company, written
from scorekeeper.games.store.models import EventRow, HandNoteRow, PlayerRow
from scorekeeper.leagues.calendar.settings import PLACE_LENGTH
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
    TableRow,
    scope_of,
)
from scorekeeper.leagues.core.roles import InvitationRow, RoleRow
from scorekeeper.leagues.core.unit_of_work import TITLES
from scorekeeper.leagues.money.service import CALCULATED, POT_ENTRY, POT_PRIZE
from scorekeeper.leagues.money.settings import NAME_LENGTH
from scorekeeper.people.tables import folded
from scorekeeper.web.extensions import Model


class Called(Struct, frozen=True):
    """All names that a person ever had in a league, and the person's `PlayerRow`s in games."""

    people: Sequence[PersonRow]
    """The row of the person, and the rows that were merged into it."""
    others: frozenset[str]
    """Names and nicknames of everyone else in the league."""
    names: frozenset[str]
    players: frozenset[int]
    """Ids of the `PlayerRow`s of the person."""
    games: frozenset[int]
    """Ids of all games in which people of the league may have played."""


def called(session: Session, person: PersonRow) -> Called:
    """Return all names that a person ever had, and their `PlayerRow`s in games.

    The person must not be merged into another.
    """
    everybody = session.scalars(select(PersonRow).where(PersonRow.league_id == person.league_id)).all()
    mine = [person, *(row for row in everybody if row.merged_into == person.id)]
    own = {row.id for row in mine}
    others = frozenset(name for row in everybody if row.id not in own for name in (row.name, row.nickname) if name)
    names = {name for row in mine for name in (row.name, row.nickname) if name}
    names.update(session.scalars(select(LeagueTextRow.text).where(LeagueTextRow.person_id.in_(own))))
    of_league = select(TableRow.game_id).where(TableRow.game_id.is_not(None), scope_of(person.league_id)["tables"])
    games = with_company(session, [game for game in session.scalars(of_league) if game is not None])
    # A name typed at a table that matched nobody then may be theirs now.
    typed = {folded(name) for name in names}
    players = {player: name for player, name in typed_names(session, games).items() if folded(name) in typed}
    sat = select(PlayerRow.id, PlayerRow.name).where(PlayerRow.person_id.in_(own))
    players.update(session.execute(sat).all())
    names.update(players.values())
    return Called(mine, others, frozenset(names), frozenset(players), frozenset(with_company(session, games, players)))


ANONYMOUS = re.compile(r"N\. N\. (\d+)")
"""Pattern of the name that an anonymous player gets, such as "N. N. 3". It is the same in every language."""


def anonymous_name(taken: Collection[str]) -> str:
    """Return the next unused anonymous name: "N. N. 3" if the first two are `taken`."""
    found = (ANONYMOUS.fullmatch(name) for name in taken)
    return f"N. N. {1 + max((int(match[1]) for match in found if match), default=0)}"


@dataclass(frozen=True)
class Renaming:
    """Replaces the `names` of a person in sentences with `to`.

    Only whole words are replaced: "Ann" is not found in "Annual". `others` are the names of other people. A name is not
    replaced inside a longer name of another person. For example, "Ann" stays in "Ann Lee" if someone else is named Ann
    Lee.
    """

    names: frozenset[str]
    to: str
    others: frozenset[str] = frozenset()

    def in_text(self, text: str) -> str:
        """Return `text` with all `names` replaced."""
        said, places = _letters(text)
        ours = sorted({folded(name) for name in self.names if name}, key=len, reverse=True)
        theirs = sorted({folded(name) for name in self.others if name} - set(ours), key=len, reverse=True)
        told: list[str] = []
        at = copied = 0
        while at < len(said):
            own = next((name for name in ours if _stands(said, at, name)), "")
            other = next((name for name in theirs if len(name) > len(own) and _stands(said, at, name)), "")
            if own and not other:
                told += [text[copied : places[at]], self.to]
                copied = places[at + len(own)]
            at += len(other or own) or 1
        return "".join([*told, text[copied:]])


def _letters(text: str) -> tuple[str, list[int]]:
    """Return `text` in its `folded` form, and a list with the index in `text` of each letter of that form.

    The list has one more item at the end: the length of `text`.
    """
    said: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        space = " " if letter.isspace() and said[-1:] != [" "] else ""
        for each in folded(letter) or space:
            said.append(each)
            places.append(place)
    return "".join(said), [*places, len(text)]


def _stands(said: str, at: int, name: str) -> bool:
    if not said.startswith(name, at):
        return False
    return not (_goes_on(said, at - 1, name[0]) or _goes_on(said, at + len(name), name[-1]))


def _goes_on(said: str, place: int, edge: str) -> bool:
    """Return True if the character next to a name belongs to the same word as the name.

    `place` is the index of that character in `said`. `edge` is the letter of the name next to that character, which is
    the first or last letter of the name.
    """
    if not 0 <= place < len(said):
        return False
    beside = said[place]
    if "W" in unicodedata.east_asian_width(beside) + unicodedata.east_asian_width(edge):
        return False  # written without spaces
    return unicodedata.category(beside) == "Mn" or (beside.isalnum() and edge.isalnum())


class Text(Struct, frozen=True):
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
            yield structs.replace(text, after=after[: _room(text)])


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
