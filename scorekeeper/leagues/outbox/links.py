"""Addresses in mails: to confirm a mail address and to unsubscribe. Their tokens are derived and stored nowhere.

A token opens one thing, for one mail address, and stops working when that is removed.
"""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.tokens import ID_LENGTH
from scorekeeper.leagues.core.link_tokens import same_word, word_of
from scorekeeper.leagues.core.models import SubscriberRow

CONFIRM, UNSUBSCRIBE = "/mail/confirmation/", "/mail/unsubscribe/"
"""Paths, which a token follows. They are also the purposes of the tokens."""


def token(purpose: str, public_id: str, address: str, key: str) -> str:
    """Return the token of a mail address for `CONFIRM` or `UNSUBSCRIBE`; `key` is the installation's secret key."""
    return public_id + word_of(purpose, public_id, address, key=key)


def subscriber_at(session: Session, purpose: str, given: str, key: str) -> SubscriberRow | None:
    """Return the mail address that a token belongs to, None if the token is wrong or the address was removed."""
    row = session.scalars(select(SubscriberRow).where(SubscriberRow.public_id == given[:ID_LENGTH])).first()
    if row is None or not same_word(given, token(purpose, row.public_id, row.address, key)):
        return None
    return row
