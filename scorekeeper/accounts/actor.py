"""Identify who makes a request: the device, and the director who is signed in on it."""

from __future__ import annotations

from dataclasses import dataclass

from flask import has_request_context

from scorekeeper.accounts.devices import this_device
from scorekeeper.accounts.sessions import this_session


@dataclass(frozen=True, slots=True)
class Actor:
    """The device and the account that make a request."""

    device: str | None
    """Hash of the device's token; None for a device without a token (`devices.this_device`)."""
    account: int | None
    """Id of the account that is signed in on the device; None if nobody is signed in."""


def this_account() -> int | None:
    """Return the id of the account that is signed in with this request's session cookie, or None.

    The session is read from the database once per request, so a session that was ended on another device doesn't count.
    Pages that are the same for everyone (`web.settings.SHARED`) must not call this.
    """
    session = this_session()
    return None if session is None else session.account


def account_at_hand() -> int | None:
    """Return the id of the account that is signed in, or None if nobody is signed in.

    Unlike `this_account`, this function can be called outside a request. The result is then None.
    """
    return this_account() if has_request_context() else None


def this_actor() -> Actor:
    """Return the device and account of this request."""
    return Actor(this_device(), this_account())
