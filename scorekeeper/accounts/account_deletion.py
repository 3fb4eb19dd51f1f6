"""An account deleted for good: what opened it is gone, and its name.

Its number stays, for the logs of leagues, which only grow, refer to it; there it is called what an owner called it. Its
own log runs out like any other (`events.KEPT`).
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete
from sqlalchemy.orm import Session

from scorekeeper.accounts.audit_log import Caller, note
from scorekeeper.accounts.models import AccountRow, KnownDeviceRow, PasskeyRow, SessionRow

GONE = "\n"
"""Begins what stands where the folded name was: in no name is there a new line."""


def close_account(session: Session, account: int, caller: Caller, now: datetime) -> None:
    """Delete the account (its id). The caller's transaction commits it, after it let go of what the account had."""
    row = session.get_one(AccountRow, account, with_for_update=True)
    row.name, row.folded, row.handle = "", f"{GONE}{account}", f"{GONE}{account}"
    row.password = row.recovery = row.opening = row.opening_until = None
    for opens in (PasskeyRow, KnownDeviceRow, SessionRow):
        session.execute(delete(opens).where(opens.account_id == account))
    note(session, account, "deleted", caller, now)
