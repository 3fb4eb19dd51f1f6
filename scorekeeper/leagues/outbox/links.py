"""Links in mails, by which a player confirms a mail address or unsubscribes.

The token in a link is derived from the secret key and not stored. It works for one purpose and one mail address, until
that address is removed.
"""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.tokens import ID_LENGTH
from scorekeeper.leagues.core.link_tokens import same_word, word_of
from scorekeeper.leagues.core.models import SubscriberRow

CONFIRM, UNSUBSCRIBE = "/mail/confirmation/", "/mail/unsubscribe/"
"""Paths of the two links, up to the token. Each is also the `purpose` from which the token is derived."""


def token(purpose: str, public_id: str, address: str, key: str) -> str:
    """Return the token for a link in a mail to `address`.

    `purpose` is `CONFIRM` or `UNSUBSCRIBE`. `public_id` is the public id of the address's `SubscriberRow`. `key` is the
    installation's secret key.
    """
    return public_id + word_of(purpose, public_id, address, key=key)


def subscriber_at(session: Session, purpose: str, given: str, key: str) -> SubscriberRow | None:
    """Return the row of the mail address to which the token `given` belongs.

    Return None if the token is wrong or has another `purpose`, or if the address was removed. `key` is the
    installation's secret key.
    """
    row = session.scalars(select(SubscriberRow).where(SubscriberRow.public_id == given[:ID_LENGTH])).first()
    if row is None or not same_word(given, token(purpose, row.public_id, row.address, key)):
        return None
    return row
