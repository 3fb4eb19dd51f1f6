"""The log of a league: who did what, when and why, what it was before and is after. Lines are only added."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.accounts.actor import account_at_hand
from scorekeeper.leagues.core.models import LeagueEventRow, LeagueRow, NightRow
from scorekeeper.rules.violation import RuleViolation

REASON_LENGTH = 200


def note(
    session: Session,
    league: LeagueRow,
    kind: str,
    *,
    device: str,
    now: datetime,
    night: NightRow | None = None,
    reason: str = "",
    tap: str = "",
    account: int | None = None,
    **data: Any,
) -> None:
    """Write down that `kind` happened, on which device, who was signed in there and with what `data`.

    The caller's transaction commits it. `tap` is the id of the form that said so, for `told_before`; `account` is who
    is signed in by it. A night it is about is a version further. Raises `RuleViolation` for a reason that is too long.
    """
    if len(reason) > REASON_LENGTH:
        raise RuleViolation("reason_long", "Say it in 200 characters.", field="reason")
    if night is not None:
        night.version += 1
    session.add(
        LeagueEventRow(
            league_id=league.id,
            night_id=None if night is None else night.id,
            at=now,
            device=device,
            account_id=account_at_hand() if account is None else account,
            kind=kind,
            data=data | ({"tap": tap} if tap else {}),
            reason=reason.strip(),
        )
    )


def told_before(
    session: Session, league: LeagueRow, kind: str, tap: str, night: NightRow | None = None
) -> dict[str, Any] | None:
    """Return the data of the line of that kind that a tap wrote before, None where it wrote none.

    A form may be sent twice: by a second tap, or by a browser that heard no answer to the first.
    """
    if not tap:
        return None
    query = select(LeagueEventRow.data).where(LeagueEventRow.kind == kind)
    where = LeagueEventRow.league_id == league.id if night is None else LeagueEventRow.night_id == night.id
    return next((data for data in session.scalars(query.where(where)) if data.get("tap") == tap), None)
