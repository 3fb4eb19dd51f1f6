"""Read the data about a person, and the review before they are made anonymous."""

from typing import Any

from msgspec import Struct

from scorekeeper.games.presenters.snapshot import new_tap_id
from scorekeeper.i18n.catalog import _, ngettext
from scorekeeper.i18n.sentences import isolated
from scorekeeper.leagues.core.access import LeagueHead, owned, person_at
from scorekeeper.leagues.core.models import PersonRow
from scorekeeper.leagues.people.queries import PersonLine
from scorekeeper.leagues.privacy.data_export import own_data
from scorekeeper.leagues.privacy.service import is_anonymous, planned
from scorekeeper.leagues.privacy.text_fields import texts_of
from scorekeeper.web.extensions import db


class Reworded(Struct, frozen=True):
    """A sentence or title with a person's name, before and after the name is removed."""

    before: str
    after: str


class AnonymousPage(Struct, frozen=True):
    """The review page that an owner sees before a player is made anonymous.

    `to` is the player's new name, or "" if the player is anonymous already.
    """

    league: LeagueHead
    person: PersonLine
    to: str
    names: tuple[str, ...]
    """All names that the player ever had."""
    effects: tuple[str, ...]
    texts: tuple[Reworded, ...]
    """Typed texts that contain the player's name."""
    more: int
    """Number of texts with the player's name that are not listed in `texts`."""
    titles: tuple[Reworded, ...]
    """Titles that contain the person's name (`Text.title`), such as the names of seasons and teams."""
    client_id: str


SHOWN = 20
"""Most typed texts that the page lists."""


def anonymous_page(person_id: str, device: str | None, *, client_id: str = "") -> AnonymousPage:
    """Return the review page that an owner sees before a player is made anonymous.

    Raises `NoSuchLeagueError` or `NotAllowedError`.
    """
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
        tuple(sorted(sorted(told.names), key=str.casefold)),
        _effects(len(told.players), renaming.to),
        tuple(texts[:SHOWN]),
        max(0, len(texts) - SHOWN),
        tuple(titles),
        client_id or new_tap_id(),
    )


def person_data(person_id: str, device: str | None) -> dict[str, Any]:
    """Return all data about a person. For a merged person, return the data about the person they were merged into.

    Raises `NoSuchLeagueError` or `NotAllowedError`.
    """
    session = db.session()
    row = person_at(session, person_id)
    owned(session, row.league_id, device)
    return own_data(session, row if row.merged_into is None else session.get_one(PersonRow, row.merged_into))


def _effects(seats: int, to: str) -> tuple[str, ...]:
    """Return the effects of making a player anonymous, one sentence each.

    `seats` is the number of the player's seats in games, and `to` is the new name.
    """
    return (
        ngettext(
            "They're called %(name)s (short for “no name”) on every page, in the league history, and in the game they "
            "played, score sheet included.",
            "They're called %(name)s (short for “no name”) on every page, in the league history, and in the %(num)s "
            "games they played, score sheets included.",
            seats,
            name=isolated(to),
        )
        if seats
        else _(
            "They're called %(name)s (short for “no name”) on every page and in the league history.", name=isolated(to)
        ),
        _("Their nickname and notes are deleted, and they're hidden at check-in."),
        _("Results, standings, statistics and money don't change."),
        _("The league history shows when and why this was done, but not the name."),
        _("Earlier copies still have the name: backups, league files, printed sheets and pages open on a phone."),
        _("You can't undo this, and neither can the person who runs the server."),
    )
