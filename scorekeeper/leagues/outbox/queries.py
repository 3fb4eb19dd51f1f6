"""Read the pages about messages."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from scorekeeper.i18n.catalog import _, ngettext
from scorekeeper.leagues.core.access import demand, league_at, night_at
from scorekeeper.leagues.core.header import head_of, owned
from scorekeeper.leagues.core.models import (
    LeagueRow,
    OutboxRow,
    PersonRow,
    SeasonRow,
    SubscriberRow,
    WebhookRow,
)
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.outbox.channels import KINDS
from scorekeeper.leagues.outbox.links import subscriber_at
from scorekeeper.leagues.outbox.outcome import ERRORS, LABELS, REPEATABLE, State
from scorekeeper.leagues.outbox.pages import (
    LinkPage,
    MailLine,
    MessageLine,
    MessageOption,
    MessagesPage,
    NightMessagesPage,
    Offer,
    WebhookLine,
)
from scorekeeper.leagues.outbox.service import (
    MAIL,
    WEBHOOK,
    DeadMailLinkError,
    Recipient,
    Server,
    about_night,
    mark,
    recipients,
)
from scorekeeper.leagues.outbox.targets import shown
from scorekeeper.leagues.outbox.texts import CONFIRM, DRAFTS, TEST, Draft
from scorekeeper.leagues.people.queries import people_of
from scorekeeper.web.extensions import db
from scorekeeper.web.links import only_here
from scorekeeper.web.locale import day_text


def messages_page(league_id: str, device: str | None, server: Server) -> MessagesPage:
    """Return the page for owners with the webhooks and mail addresses of a league.

    Raises `NoSuchLeagueError` or `NotAllowedError`.
    """
    session = db.session()
    league = league_at(session, league_id)
    head = owned(session, league.id, device)
    on = server.channels()
    own = select(OutboxRow).where(OutboxRow.league_id == league.id, OutboxRow.kind.in_((TEST, CONFIRM)))
    news = {row.recipient: row for row in session.scalars(own.order_by(OutboxRow.id))}
    hooks = select(WebhookRow).where(WebhookRow.league_id == league.id).order_by(WebhookRow.id)
    names = _names(session, league)
    mails = select(SubscriberRow).where(SubscriberRow.league_id == league.id).order_by(SubscriberRow.id)
    return MessagesPage(
        league=head,
        webhooks_on=WEBHOOK in on,
        mail_on=MAIL in on,
        webhooks=tuple(_webhook(row, news.get(row.public_id)) for row in session.scalars(hooks)),
        mails=tuple(
            MailLine(
                row.public_id,
                names[row.public_id],
                row.address,
                row.confirmed_at is not None,
                _error(news.get(row.public_id)) if row.confirmed_at is None else "",
            )
            for row in session.scalars(mails)
        ),
        kinds=tuple(MessageOption(key, _(kind.label), _(kind.hint)) for key, kind in KINDS.items()),
        people=tuple(MessageOption(row.public_id, row.name) for row in people_of(session, league) if row.active),
        only_here=only_here() if MAIL in on else "",
    )


def night_messages_page(night_id: str, device: str | None, server: Server, *, error: str = "") -> NightMessagesPage:
    """Return the page for directors with the messages about a night.

    `error` is a message to show on the page. Raises `NoSuchLeagueError` or `NotAllowedError`.
    """
    session = db.session()
    night = night_at(session, night_id)
    league = session.get_one(LeagueRow, session.get_one(SeasonRow, night.season_id).league_id)
    demand(league, device, Role.DIRECTOR)
    about = about_night(session, league, night, server.site)
    to = recipients(session, league, server)
    query = select(OutboxRow).where(OutboxRow.night_id == night.id).order_by(OutboxRow.id.desc())
    rows = session.scalars(query).all()
    drafts = {kind: draft for kind, each in DRAFTS.items() if (draft := each.draft(about)) is not None}
    current = {(kind, draft.edition) for kind, draft in drafts.items()}
    labels = _names(session, league) | {
        row.public_id: f"{_(KINDS[row.kind].label)} ({shown(row.address)})"
        for row in session.scalars(select(WebhookRow).where(WebhookRow.league_id == league.id))
    }
    return NightMessagesPage(
        league=head_of(league, device),
        night=night.public_id,
        title=_("Night %(number)s", number=night.number),
        day=day_text(night.day),
        on=bool(server.channels()),
        closed=night.closed_at is not None,
        recipients=len(to),
        offers=tuple(_offer(kind, draft, to, rows) for kind, draft in drafts.items()) if to else (),
        lines=tuple(
            _line(row, labels.get(row.recipient, ""), current=(row.kind, row.edition) in current) for row in rows
        ),
        waiting=sum(row.state == State.WAITING for row in rows),
        only_here=only_here() if to else "",
        error=error,
    )


def link_page(purpose: str, token: str, key: str) -> LinkPage:
    """Return the page that a link in a mail opens. `purpose` is `links.CONFIRM` or `links.UNSUBSCRIBE`.

    `key` is the installation's secret key. Raises `DeadMailLinkError` if the token no longer works.
    """
    session = db.session()
    row = subscriber_at(session, purpose, token, key)
    if row is None:
        raise DeadMailLinkError
    return LinkPage(session.get_one(LeagueRow, row.league_id).name, row.address, row.confirmed_at is not None)


def _offer(kind: str, draft: Draft, to: Sequence[Recipient], rows: Sequence[OutboxRow]) -> Offer:
    """Return the offer to send `draft`, a message of this `kind`, to the recipients for whom it isn't queued yet.

    `to` has all recipients. `rows` has all messages about the night so far, sent or queued.
    """
    of_draft = [row for row in rows if (row.kind, row.edition) == (kind, draft.edition)]
    have = {row.recipient for row in of_draft if row.state != State.CANCELED}
    new = [each.channel for each in to if each.id not in have]
    words = DRAFTS[kind]
    return Offer(
        kind=kind,
        label=_(words.label),
        button=_(words.button),
        text=draft.text,
        seen=mark(draft),
        to=_counted(new.count(WEBHOOK), new.count(MAIL)),
        mails=MAIL in new,
    )


def _counted(webhooks: int, mails: int) -> str:
    chats = ngettext("Goes to %(num)s chat.", "Goes to %(num)s chats.", webhooks) if webhooks else ""
    addresses = ngettext("Goes to %(num)s email address.", "Goes to %(num)s email addresses.", mails) if mails else ""
    return " ".join(filter(None, (chats, addresses)))


def _line(row: OutboxRow, to: str, *, current: bool) -> MessageLine:
    """Return a message as pages show it.

    `to` is the recipient's name, empty if the recipient was removed. `current` is False if a newer edition of the
    message exists, such as corrected results.
    """
    state = State(row.state)
    return MessageLine(
        id=row.id,
        label=_(DRAFTS[row.kind].label) if row.kind in DRAFTS else row.kind,
        to=to or _("Removed recipient"),
        state=_(LABELS[state]),
        error=_error(row),
        next_at=row.next_at if state is State.WAITING and row.attempts else None,
        repeatable=current and bool(to) and state in REPEATABLE,
        doubtful=state is State.UNKNOWN,
    )


def _webhook(row: WebhookRow, test: OutboxRow | None) -> WebhookLine:
    state = "" if test is None else _(LABELS[State(test.state)])
    return WebhookLine(row.public_id, _(KINDS[row.kind].label), shown(row.address), row.secret, state, _error(test))


def _error(row: OutboxRow | None) -> str:
    """Return the sentence about the last error of a message, empty if there was none."""
    if row is None:
        return ""
    key, _colon, status = row.error.partition(":")
    return _(ERRORS[key], status=status) if key in ERRORS else ""


def _names(session: Session, league: LeagueRow) -> dict[str, str]:
    """Return the name of the player for each mail address of a league. The keys are the public ids of the addresses.

    A merged player appears under the name of the person they were merged into.
    """
    kept = aliased(PersonRow)
    query = (
        select(SubscriberRow.public_id, func.coalesce(kept.name, PersonRow.name))
        .join(PersonRow, PersonRow.id == SubscriberRow.person_id)
        .outerjoin(kept, kept.id == PersonRow.merged_into)
        .where(SubscriberRow.league_id == league.id)
    )
    return dict(session.execute(query).all())
