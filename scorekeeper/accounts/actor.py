"""Who asks: the device, and the director who is signed in on it."""

from __future__ import annotations

from dataclasses import dataclass

from flask import has_request_context

from scorekeeper.accounts.devices import this_device
from scorekeeper.accounts.sessions import this_session


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does something."""

    device: str | None
    """The hash that stands for the device; None for one that never started a game or made a league."""
    account: int | None
    """The id of the account that is signed in there; None for nobody."""


def this_account() -> int | None:
    """Return the id of the account that is signed in on this request, None for nobody.

    Read from the database once a request: a session that was ended elsewhere is nobody's with the next one. Pages that
    are the same for everybody (`web.settings.SHARED`) must not ask.
    """
    session = this_session()
    return None if session is None else session.account


def account_at_hand() -> int | None:
    """Return `this_account()`; None outside a request, where nobody is signed in."""
    return this_account() if has_request_context() else None


def this_actor() -> Actor:
    """Return who asks."""
    return Actor(this_device(), this_account())
