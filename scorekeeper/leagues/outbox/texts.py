"""What is sent: one entry of `DRAFTS` for each kind of message about a night.

A reminder of the next night is one more entry, once a night has a date in the calendar.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from scorekeeper.i18n.catalog import N_, _
from scorekeeper.leagues.core.models import LeagueRow, NightRow, SeasonRow
from scorekeeper.leagues.standings.queries import chat_text
from scorekeeper.leagues.standings.standings_cache import season_standings
from scorekeeper.web.locale import day_text

RESULTS, CONFIRM, TEST = "results", "confirm", "test"
"""Kinds of messages; the last two aren't about a night."""
SUBJECT = 200


@dataclass(frozen=True, slots=True)
class Draft:
    """A message before it is released."""

    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class About:
    """The rows that a message is about, and the address of this server."""

    session: Session
    league: LeagueRow
    season: SeasonRow
    night: NightRow
    site: str
    """Without a slash at the end."""
    edition: int
    """Above 1 if the night was closed before."""


def results_draft(about: About) -> Draft | None:
    """Return the results of a closed night, None while it is open or if nothing was played."""
    if about.night.closed_at is None:
        return None
    told = chat_text(about.session, about.season, season_standings(about.session, about.season))
    if not told:
        return None
    name, day = about.league.name, day_text(about.night.day)
    subject = (
        _("%(league)s: corrected results of %(day)s", league=name, day=day)
        if about.edition > 1
        else _("%(league)s: results of %(day)s", league=name, day=day)
    )
    return Draft(subject[:SUBJECT], f"{subject}\n\n{told}\n\n{about.site}/nights/{about.night.public_id}")


@dataclass(frozen=True, slots=True)
class NightMessage:
    """A kind of message about a night."""

    label: str
    button: str
    draft: Callable[[About], Draft | None]


DRAFTS: Mapping[str, NightMessage] = {RESULTS: NightMessage(N_("Results"), N_("Send results"), results_draft)}


def confirmation(league: str, link: str) -> Draft:
    """Return the mail that asks whether a player wants results; `link` has the token."""
    text = "\n\n".join(
        (
            _("%(league)s would like to send you the results of its card nights by mail.", league=league),
            _("Open this page and confirm if you want them:"),
            link,
            _("If not, do nothing. Nothing more will be sent, and your address is deleted after a week."),
        )
    )
    return Draft(_("%(league)s: do you want results by mail?", league=league)[:SUBJECT], text)


def trial(league: str, link: str) -> Draft:
    """Return the message that tests a webhook."""
    subject = _("%(league)s: test message", league=league)[:SUBJECT]
    return Draft(subject, "\n".join((subject, _("If you can read this, results will arrive here too."), link)))


def with_farewell(text: str, leave: str) -> str:
    """Return the text of a mail with the link to unsubscribe."""
    return "\n\n".join((text, "-- ", _("Don't want these mails? Unsubscribe with one tap:"), leave))
