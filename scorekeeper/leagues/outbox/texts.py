"""The wording of messages. `DRAFTS` has an entry for each kind that a director can send from a night's page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from zlib import crc32

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.i18n.catalog import N_, _
from scorekeeper.leagues.calendar.queries.planned import next_nights
from scorekeeper.leagues.core.models import LeagueRow, NightRow, PlannedRow, SeasonRow
from scorekeeper.leagues.results.queries import night_results
from scorekeeper.web.locale import day_text

RESULTS, REMINDER, CONFIRM, TEST = "results", "reminder", "confirm", "test"
"""Kinds of messages; the last two aren't about a night."""
SUBJECT = 200


@dataclass(frozen=True, slots=True)
class Draft:
    """A message that has not been released for sending yet."""

    subject: str
    text: str
    edition: int = 1
    """Number of this version of the message. Each recipient gets each version at most once."""


@dataclass(frozen=True, slots=True)
class About:
    """The data from which a message about a night is made: database rows and the address of this server."""

    session: Session
    league: LeagueRow
    season: SeasonRow
    night: NightRow
    site: str
    """Address of this server, without a slash at the end."""
    closings: int
    """How many times the night was closed. If more than once, its results are announced as corrected."""


def results_draft(about: About) -> Draft | None:
    """Return the message with the results of a closed night.

    Return None while the night is open, or if nothing was played.
    """
    if about.night.closed_at is None:
        return None
    told = night_results(about.night.public_id).text
    if not told:
        return None
    name, day = about.league.name, day_text(about.night.day)
    subject = (
        _("%(league)s: corrected results of %(day)s", league=name, day=day)
        if about.closings > 1
        else _("%(league)s: results of %(day)s", league=name, day=day)
    )
    head = f"{subject}\n\n" if about.closings > 1 else ""
    link = f"{about.site}/nights/{about.night.public_id}/results"
    return Draft(subject[:SUBJECT], f"{head}{told}\n\n{link}", about.closings)


def reminder_draft(about: About) -> Draft | None:
    """Return the reminder message about the league's next planned nights.

    Return None if no night is planned, or if `about.night` isn't the season's latest night. When a planned night is
    moved or canceled, the draft gets a new edition number. Then the reminder can be sent again.
    """
    last = select(func.max(NightRow.number)).where(NightRow.season_id == about.season.id)
    coming = next_nights(about.session, (about.league.id,)).get(about.league.id, ())
    if about.session.scalar(last) != about.night.number or not coming:
        return None
    ids = [night.id for night in coming]
    planned = select(PlannedRow.public_id, PlannedRow.sequence).where(PlannedRow.public_id.in_(ids))
    sequences = sorted(tuple(row) for row in about.session.execute(planned))
    lines = [_("Canceled: %(when)s", when=each.when) if each.canceled else each.when for each in coming]
    notes = [each.note for each in coming if each.note and not each.canceled]
    subject = _("%(league)s: next night", league=about.league.name)
    link = f"{about.site}/seasons/{coming[-1].season_id}"
    text = "\n".join((subject, *lines, *notes, "", link))
    return Draft(subject[:SUBJECT], text, crc32(repr(sequences).encode()) >> 1)


@dataclass(frozen=True, slots=True)
class NightMessage:
    """A kind of message about a night that a director can send."""

    label: str
    button: str
    draft: Callable[[About], Draft | None]


DRAFTS: Mapping[str, NightMessage] = {
    RESULTS: NightMessage(N_("Results"), N_("Send results"), results_draft),
    REMINDER: NightMessage(N_("Next night"), N_("Send reminder"), reminder_draft),
}


def confirmation(league: str, link: str) -> Draft:
    """Return the mail that asks a player to confirm their address; `link` is the confirmation link with the token."""
    text = "\n\n".join(
        (
            _("%(league)s would like to send you the results of its card nights by email.", league=league),
            _("Open this page and confirm if you want them:"),
            link,
            _("If not, do nothing. You won't get any more emails, and your address will be deleted after a week."),
        )
    )
    return Draft(_("%(league)s: do you want results by email?", league=league)[:SUBJECT], text)


def trial(league: str, link: str) -> Draft:
    """Return the test message for a webhook. `link` is the address of the league's page."""
    subject = _("%(league)s: test message", league=league)[:SUBJECT]
    return Draft(subject, "\n".join((subject, _("If you can read this, results will arrive here too."), link)))


def with_farewell(text: str, leave: str) -> str:
    """Return the text of a mail with `leave`, the link to unsubscribe, added at the end."""
    return "\n\n".join((text, "-- ", _("Don't want these emails? Unsubscribe with one tap:"), leave))
