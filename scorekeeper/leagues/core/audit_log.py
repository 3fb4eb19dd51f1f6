"""The log of a league: who did what, when and why, what it was before and is after. Lines are only added.

A line holds ids. What somebody wrote, and what somebody was called before, are texts beside it (`LeagueTextRow`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.accounts.actor import account_at_hand
from scorekeeper.leagues.core.models import LeagueEventRow, LeagueRow, LeagueTextRow, NightRow, PersonRow
from scorekeeper.rules.violation import RuleViolation

REASON_LENGTH = 200
REASON, CALLED, POT = "reason", "called", "pot"
"""Keys of texts: why, what an owner calls somebody who works for the league, the name of a pot."""
TITLES = frozenset((CALLED, POT))
"""Texts that are names of something."""
NO_TEXTS: Mapping[str, str] = MappingProxyType({})


def note(
    session: Session,
    league: LeagueRow,
    kind: str,
    *,
    device: str,
    now: datetime,
    night: NightRow | None = None,
    reason: str = "",
    key: str | None = None,
    account: int | None = None,
    texts: Mapping[str, str] = NO_TEXTS,
    renamed: PersonRow | None = None,
    **data: Any,
) -> None:
    """Write down that `kind` happened, where, and with what `data`, which names nobody, in the caller's transaction.

    `texts` are what somebody wrote, or what the person `renamed` was called; `key` is the `request_key` of the form,
    `account` who is signed in by it. A night is a version further. Raises `RuleViolation` for too long a reason.
    """
    if len(reason) > REASON_LENGTH:
        raise RuleViolation("reason_long", "Use at most 200 characters for the reason.", field="reason")
    if night is not None:
        night.version += 1
    line = LeagueEventRow(
        league_id=league.id,
        night_id=None if night is None else night.id,
        at=now,
        device=device,
        account_id=account_at_hand() if account is None else account,
        kind=kind,
        data=data,
        request_key=key,
    )
    session.add(line)
    written = {key: text for key, text in {REASON: reason.strip(), **texts}.items() if text}
    if written:
        session.flush()
        told = {"event_id": line.id, "person_id": renamed and renamed.id}
        session.add_all(LeagueTextRow(**told, key=key, text=text) for key, text in written.items())


def request_key(kind: str, tap: str, *said: object) -> str | None:
    """Return what stands for a form with the id `tap` that says so much, None for one without an id.

    A form may be sent twice: by a second tap, or by a browser that heard no answer to the first. Sent with something
    else in it, it is another one.
    """
    return hashlib.sha256(json.dumps([kind, tap, *said]).encode()).hexdigest() if tap else None


def told_before(session: Session, league: LeagueRow, key: str | None) -> dict[str, Any] | None:
    """Return the data of the line that a form wrote before, None where it wrote none."""
    if key is None:
        return None
    query = select(LeagueEventRow.data).where(LeagueEventRow.league_id == league.id, LeagueEventRow.request_key == key)
    return session.scalars(query).first()
