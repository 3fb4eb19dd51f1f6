"""Identify who makes a request: the device, and the director who is signed in on it."""

from __future__ import annotations

from dataclasses import dataclass

from flask import has_request_context

from scorekeeper.accounts.devices import this_device
from scorekeeper.accounts.sessions import this_session


@dataclass(frozen=True, slots=True)
class Actor:
    """The device and account that do something."""

    device: str | None
    """Hash of the device's cookie; None for a device that never started a game or made a league."""
    account: int | None
    """Id of the account that is signed in there; None if nobody is."""


def this_account() -> int | None:
    """Return the id of the account that is signed in on this request, or None.

    Read from the database once per request, so a session that was ended elsewhere no longer counts. Pages that are the
    same for everyone (`web.settings.SHARED`) must not call this.
    """
    session = this_session()
    return None if session is None else session.account


def account_at_hand() -> int | None:
    """Return `this_account()`; outside a request return None."""
    return this_account() if has_request_context() else None


def this_actor() -> Actor:
    """Return the device and account of this request."""
    return Actor(this_device(), this_account())
