"""Read the data about a person, and the review before they are made anonymous."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scorekeeper.games.presenters.snapshot import new_tap_id
from scorekeeper.i18n.catalog import _, ngettext
from scorekeeper.i18n.sentences import isolated
from scorekeeper.leagues.core.access import person_at
from scorekeeper.leagues.core.header import LeagueHead, owned
from scorekeeper.leagues.core.models import PersonRow
from scorekeeper.leagues.people.pages import PersonLine
from scorekeeper.leagues.privacy.anonymize import is_anonymous, planned
from scorekeeper.leagues.privacy.data_export import own_data
from scorekeeper.leagues.privacy.text_fields import texts_of
from scorekeeper.web.extensions import db


@dataclass(frozen=True, slots=True)
class Reworded:
    """A text before and after the change."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class AnonymousPage:
    """The review before a player is made anonymous. `to` is the new name, empty if it is already done."""

    league: LeagueHead
    person: PersonLine
    to: str
    names: tuple[str, ...]
    """All names they ever had."""
    effects: tuple[str, ...]
    texts: tuple[Reworded, ...]
    """Typed texts that name them."""
    more: int
    """Number of further texts that are not listed."""
    titles: tuple[Reworded, ...]
    """The same for names of the league, its seasons and side pots."""
    client_id: str


SHOWN = 20
"""Texts listed on the page."""


def anonymous_page(person_id: str, device: str | None, *, client_id: str = "") -> AnonymousPage:
    """Return the review before a player is made anonymous. Raises what `owned` raises."""
    session = db.session()
    row = person_at(session, person_id)
    head = owned(session, row.league_id, device)
    if row.merged_into is not None:
        row = session.get_one(PersonRow, row.merged_into)
    line = PersonLine(row.public_id, row.name, row.nickname, row.active, row.guest, "")
    if is_anonymous(session, row):
        return AnonymousPage(head, line, "", (), (), (), 0, (), client_id)
    told, renaming = planned(session, row)
    found = list(texts_of(session, row.league_id, told, renaming))
    texts = list(dict.fromkeys(Reworded(text.before, text.after) for text in found if not text.title))
    titles = dict.fromkeys(Reworded(text.before, text.after) for text in found if text.title)
    return AnonymousPage(
        head,
        line,
        renaming.to,
        tuple(sorted(told.names, key=str.casefold)),
        _effects(len(told.players), renaming.to),
        tuple(texts[:SHOWN]),
        max(0, len(texts) - SHOWN),
        tuple(titles),
        client_id or new_tap_id(),
    )


def person_data(person_id: str, device: str | None) -> dict[str, Any]:
    """Return all data about a person, or about the person they were merged into. Raises what `owned` raises."""
    session = db.session()
    row = person_at(session, person_id)
    owned(session, row.league_id, device)
    return own_data(session, row if row.merged_into is None else session.get_one(PersonRow, row.merged_into))


def _effects(seats: int, to: str) -> tuple[str, ...]:
    """Return the effects, one sentence each."""
    return (
        _(
            "Their name becomes %(name)s (for “no name”) on every page, on the score sheets of their games and in the "
            "league history.",
            name=isolated(to),
        ),
        *(
            (
                ngettext(
                    "Their name is removed from %(num)s seat at a table.",
                    "Their name is removed from %(num)s seats at tables.",
                    seats,
                ),
            )
            if seats
            else ()
        ),
        _("Their nickname and notes are deleted, and they're hidden at check-in."),
        _("Results, standings, statistics and money don't change."),
        _("The league history shows when and why this was done, but not the name."),
        _("Earlier copies still have the name: backups, league files, printed sheets and pages open on a phone."),
        _("You can't undo this, and neither can the person who runs the server."),
    )
