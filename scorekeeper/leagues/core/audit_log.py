"""Write the log of a league: the person, the change, the time and the reason, with values before and after.

Lines are only added. A line holds ids. Texts that people typed, and former names, are in `LeagueTextRow`.
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
REASON, CALLED, POT, TEAM, OTHER_TEAM = "reason", "called", "pot", "team", "other_team"
"""Keys of texts: the reason, the name an owner gave to a helper or director, the names of side pots and teams."""
TITLES = frozenset((CALLED, POT, TEAM, OTHER_TEAM))
"""Keys of texts that are names."""
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
    """Add a line of this `kind` to the league's log, in the caller's transaction, and raise the version of the night.

    `data` holds ids, no names. `texts` are typed texts, or the former names of the person `renamed`. `key` is the
    form's `request_key`, `account` the id of an account that just signed in. Raises `RuleViolation` for a long reason.
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
        about = {"event_id": line.id, "person_id": renamed and renamed.id}
        session.add_all(LeagueTextRow(**about, key=key, text=text) for key, text in written.items())


def request_key(kind: str, tap: str, *said: object) -> str | None:
    """Return the idempotency key for sending the form `tap` (its id) with the content `said`; None if it has no id.

    A form may arrive twice, for example if the answer to the first request was lost. The same form with other content
    gets another key.
    """
    return hashlib.sha256(json.dumps([kind, tap, *said]).encode()).hexdigest() if tap else None


def told_before(session: Session, league: LeagueRow, key: str | None) -> dict[str, Any] | None:
    """Return the data of the log line with this `request_key`, None if no line has it."""
    if key is None:
        return None
    query = select(LeagueEventRow.data).where(LeagueEventRow.league_id == league.id, LeagueEventRow.request_key == key)
    return session.scalars(query).first()
