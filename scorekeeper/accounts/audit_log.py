"""Log sign-ins, refused attempts and changes of an account. Lines are added and never changed.

They are removed after `KEPT`, and store only the network, not the full address.
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
    "in_passkey": N_("Signed in with a passkey"),
    "in_link": N_("Opened with a link from the person who runs this server"),
    "in_code": N_("Opened with the printed code"),
    "no_password": N_("Refused: wrong password"),
    "no_passkey": N_("Refused: passkey not accepted"),
    "no_code": N_("Refused: wrong printed code"),
    "out": N_("Signed out"),
    "out_one": N_("Signed out another device"),
    "out_all": N_("Signed out everywhere"),
    "password": N_("Password changed"),
    "code": N_("New code printed"),
    "passkey": N_("Passkey added"),
    "passkey_gone": N_("Passkey removed"),
    "deleted": N_("Account deleted"),
    "locked": N_("The person who runs this server locked the account"),
    "link": N_("The person who runs this server made a link to open the account"),
}
"""Kind of event, to its text."""
REFUSALS = {"no_password": "wrong password", "no_passkey": "wrong passkey", "no_code": "wrong code"}
"""Kinds of refused attempts, to the reason in the server's log."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The facts about a request that the log stores; empty for the operator at the terminal."""

    device: str = ""
    """As in `devices.known_device`."""
    agent: str = ""
    """As in `devices.agent_words`."""
    network: str = ""
    """As in `web.request_log.network`."""
    session: int | None = None
    """The session that was open there; a new one replaces it."""


def note(session: Session, account: int | None, kind: str, caller: Caller, now: datetime) -> None:
    """Add a line to the log of an account. `account` is None if nobody has the name that was typed."""
    assert kind in KINDS
    if kind in REFUSALS and has_request_context():
        refused_because(REFUSALS[kind])
    session.add(AccountEventRow(account_id=account, at=now, kind=kind, address=caller.network, agent=caller.agent))


@use_case
def note_refusal(account: int | None, kind: str, caller: Caller) -> None:
    """Add a line of one of `REFUSALS` in its own transaction."""
    with writing() as session:
        note(session, account, kind, caller, datetime.now(UTC))


def forget_old(session: Session, now: datetime) -> None:
    """Remove expired lines and sessions."""
    session.execute(delete(AccountEventRow).where(AccountEventRow.at < now - KEPT))
    session.execute(delete(SessionRow).where(SessionRow.made_at < now - LONGEST - KEPT))
