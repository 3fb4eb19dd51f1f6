"""Log sign-ins, refused attempts and changes of an account. Lines are added and never changed.

A line is deleted after `KEPT`, and stores only the network of the request, not the full address.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from flask import has_request_context
from sqlalchemy import delete
from sqlalchemy.orm import Session

from scorekeeper.accounts.models import AccountEventRow, SessionRow
from scorekeeper.accounts.sessions import LONGEST
from scorekeeper.db.retry import use_case
from scorekeeper.i18n.catalog import N_
from scorekeeper.web.extensions import writing
from scorekeeper.web.request_log import refused_because

KEPT = timedelta(days=90)

KINDS = {
    "added": N_("The person who runs this server created the account"),
    "signed_up": N_("Account created"),
    "in_password": N_("Signed in with the password"),
    "in_link": N_("Opened with a link from the person who runs this server"),
    "in_code": N_("Opened with the printed code"),
    "no_password": N_("Refused: wrong password"),
    "no_code": N_("Refused: wrong printed code"),
    "out": N_("Signed out"),
    "out_one": N_("Signed out another device"),
    "out_all": N_("Signed out everywhere"),
    "password": N_("Password changed"),
    "code": N_("New code printed"),
    "deleted": N_("Account deleted"),
    "locked": N_("The person who runs this server locked the account"),
    "operator": N_("This account may open the server page"),
    "no_operator": N_("This account may no longer open the server page"),
    "link": N_("The person who runs this server made a link to open the account"),
}
"""By kind of event: the text that the account page shows."""
REFUSALS = {"no_password": "wrong password", "no_code": "wrong code"}
"""By kind of refused attempt, a key of `KINDS`: the reason that is written to the server's log."""


@dataclass(frozen=True, slots=True)
class Caller:
    """What the account log stores about a request.

    All fields are empty for a command that the operator runs at a terminal.
    """

    device: str = ""
    """Hash of the device's token (`devices.known_device`)."""
    agent: str = ""
    """Browser and system (`devices.agent_words`)."""
    network: str = ""
    """Network of the client's address (`web.request_log.network`)."""
    session: int | None = None
    """Id of the session in which the request was made; None if nobody was signed in. A sign-in ends that session."""


def note(session: Session, account: int | None, kind: str, caller: Caller, now: datetime) -> None:
    """Add a line to the log of an account.

    `kind` is one of `KINDS`. `account` is a row id, or None if no account has the name that was typed. Doesn't commit.
    """
    assert kind in KINDS
    if kind in REFUSALS and has_request_context():
        refused_because(REFUSALS[kind])
    session.add(AccountEventRow(account_id=account, at=now, kind=kind, address=caller.network, agent=caller.agent))


@use_case
def note_refusal(account: int | None, kind: str, caller: Caller) -> None:
    """Log a refused attempt, in a transaction that commits at once.

    `kind` is one of `REFUSALS`. `account` is a row id, or None if no account has the name that was typed.
    """
    with writing() as session:
        note(session, account, kind, caller, datetime.now(UTC))


def forget_old(session: Session, now: datetime) -> None:
    """Delete expired log lines, and sessions that ended long ago. Doesn't commit."""
    session.execute(delete(AccountEventRow).where(AccountEventRow.at < now - KEPT))
    session.execute(delete(SessionRow).where(SessionRow.made_at < now - LONGEST - KEPT))
