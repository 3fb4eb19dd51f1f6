"""Write the log of a league: who changed what, when and why, with the values before and after.

Lines are added, but never changed or deleted. A line contains the ids of people, not their names. Typed texts and the
names before and after a renaming are in `LeagueTextRow`.
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
"""Keys of a log line's texts.

The texts are a reason, the name that an owner gave to a helper or director, the name of a side pot, and team names.
"""
TITLES = frozenset((CALLED, POT, TEAM, OTHER_TEAM))
"""Keys of a log line's texts that are names. The texts with other keys are sentences."""
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
    """Add a line of this `kind` to the league's log. If `night` is given, increase the version of that night.

    `data` must contain ids, not names. `texts` has the typed texts of the line, by key. If a person was renamed,
    `renamed` is that person, and `texts` has the names before and after. `key` is the form's `request_key`. `account`
    is an account id, and is needed only if the account signed in during this request. Raises `RuleViolation` for a long
    reason. The caller's transaction commits the line.
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
    """Return a key that identifies a form and its content, or None if the form has no id.

    `kind` is the kind of the log line, `tap` is the id of the form, and `said` is the content of the form. If a phone
    sends the same form twice, both requests have the same key. The same form with other content gets another key.
    """
    return hashlib.sha256(json.dumps([kind, tap, *said]).encode()).hexdigest() if tap else None


def told_before(session: Session, league: LeagueRow, key: str | None) -> dict[str, Any] | None:
    """Return the data of the log line with the request key `key`, or None if there is no such line."""
    if key is None:
        return None
    query = select(LeagueEventRow.data).where(LeagueEventRow.league_id == league.id, LeagueEventRow.request_key == key)
    return session.scalars(query).first()
