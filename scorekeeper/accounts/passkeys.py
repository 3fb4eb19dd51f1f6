"""Make and check passkeys.

A passkey belongs to one domain name; browsers make no passkeys for an IP address or without encryption. A person
unlocks it by finger, face or PIN, so it replaces both name and password.
"""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import Any

from sqlalchemy import delete, select
from webauthn import (
    base64url_to_bytes,
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from scorekeeper.accounts.audit_log import Caller, note, note_refusal
from scorekeeper.accounts.credentials import Refused
from scorekeeper.accounts.models import AccountRow, PasskeyRow, SessionRow
from scorekeeper.accounts.session_start import begin
from scorekeeper.db.retry import use_case
from scorekeeper.db.tokens import hash_of
from scorekeeper.i18n.catalog import _
from scorekeeper.web.extensions import db, writing

CHALLENGE_BYTES = 32
CHALLENGE_LASTS = timedelta(minutes=10)
MOST_PASSKEYS = 20
"""Largest number of passkeys that one account may have."""
LONGEST_ID = 1023
"""Largest length of a credential id in bytes, as the WebAuthn standard sets it."""
BASE64URL = re.compile(r"[A-Za-z0-9_-]{1,1400}")
"""Pattern of a credential id in base64url. Other text is never looked up, since not every database accepts it."""


@dataclass(frozen=True, slots=True)
class Site:
    """A website at which passkeys work."""

    name: str
    """Domain name, in lower case and without the port."""
    origin: str
    """Origin, as browsers write it: `https://cards.example.org`."""


def site_of(host: str, *, secure: bool) -> Site | None:
    """Return the site at `host`, or None if browsers don't allow passkeys there.

    `host` may end with a port. Browsers allow no passkeys at an IP address, nor over plain HTTP except at "localhost".
    `secure` means that the request used HTTPS.
    """
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        pass
    else:
        return None
    if not name or not (secure or name == "localhost"):
        return None
    return Site(name.casefold(), f"{'https' if secure else 'http'}://{host}".casefold())


def new_challenge() -> str:
    """Return a new random challenge in base64url, which a passkey must sign."""
    return bytes_to_base64url(secrets.token_bytes(CHALLENGE_BYTES))


def options_to_add(account: int, challenge: str, site: Site) -> dict[str, Any]:
    """Return the options that a browser needs to make a passkey for the account, ready to be sent as JSON.

    `account` is the row id of the account, and `challenge` comes from `new_challenge`.
    """
    row = db.session.get_one(AccountRow, account)
    there = db.session.scalars(select(PasskeyRow.credential).where(PasskeyRow.account_id == account))
    options = generate_registration_options(
        rp_id=site.name,
        rp_name="Setback Scorekeeper",
        user_id=row.handle.encode(),
        user_name=row.name,
        challenge=base64url_to_bytes(challenge),
        timeout=int(CHALLENGE_LASTS.total_seconds() * 1000),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(each)) for each in there],
    )
    return _as_json(options_to_json(options))


def options_to_sign_in(challenge: str, site: Site) -> dict[str, Any]:
    """Return the options that a browser needs to sign in with any passkey of `site`, ready to be sent as JSON.

    `challenge` comes from `new_challenge`. The options name no account, so they don't reveal which accounts exist.
    """
    options = generate_authentication_options(
        rp_id=site.name,
        challenge=base64url_to_bytes(challenge),
        timeout=int(CHALLENGE_LASTS.total_seconds() * 1000),
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return _as_json(options_to_json(options))


def add_passkey(*, account: int, answer: str, challenge: str, site: Site, caller: Caller) -> None:
    """Store the passkey that a browser made for an account.

    `answer` is the JSON from the browser. Raises `Refused` if `answer` doesn't match `challenge` and `site`, if the
    passkey is stored already, or if the account has `MOST_PASSKEYS`.
    """
    try:
        made = verify_registration_response(
            credential=answer,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=site.name,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError, RecursionError) as error:
        raise does_not_fit() from error
    if len(made.credential_id) > LONGEST_ID:
        raise does_not_fit()
    row = PasskeyRow(
        account_id=account,
        credential=bytes_to_base64url(made.credential_id),
        public_key=made.credential_public_key,
        sign_count=made.sign_count,
        site=site.name,
        agent=caller.agent,
        made_at=datetime.now(UTC),
    )
    _keep(row, caller)


@use_case
def _keep(made: PasskeyRow, caller: Caller) -> None:
    with writing() as session:
        session.get_one(AccountRow, made.account_id, with_for_update=True)
        there = session.scalars(select(PasskeyRow.id).where(PasskeyRow.account_id == made.account_id)).all()
        taken = session.scalars(select(PasskeyRow.id).where(PasskeyRow.credential == made.credential)).first()
        if taken is not None or len(there) >= MOST_PASSKEYS:
            raise does_not_fit()
        session.add(made)
        note(session, made.account_id, "passkey", caller, made.made_at)


def sign_in_with_passkey(*, answer: str, challenge: str, site: Site, caller: Caller) -> str:
    """Sign a director in with a passkey, and return the token of the new session.

    `answer` is the JSON from the browser. Raises `Refused` if the passkey isn't accepted. The error message is the same
    for every reason.
    """
    row = db.session.scalars(select(PasskeyRow).where(PasskeyRow.credential == _id_in(answer))).first()
    if row is None:
        note_refusal(None, "no_passkey", caller)
        raise does_not_fit()
    try:
        signed = verify_authentication_response(
            credential=answer,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=site.name,
            expected_origin=site.origin,
            credential_public_key=row.public_key,
            credential_current_sign_count=row.sign_count,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError, RecursionError) as error:
        note_refusal(row.account_id, "no_passkey", caller)
        raise does_not_fit() from error
    return _sign_in(row.id, row.account_id, signed.new_sign_count, hash_of(challenge), caller, datetime.now(UTC))


@use_case
def _sign_in(passkey: int, account: int, count: int, challenge: str, caller: Caller, now: datetime) -> str:
    with writing() as session:
        used = session.scalars(select(SessionRow.id).where(SessionRow.challenge == challenge)).first()
        # Removed during the check, or the same answer again.
        kept = select(PasskeyRow).where(PasskeyRow.id == passkey).with_for_update()
        row = session.scalars(kept).first()
        if row is None or used is not None:
            note(session, account, "no_passkey", caller, now)
        else:
            row.sign_count, row.used_on = count, now.date()
            return begin(session, account, "in_passkey", caller, now, challenge)
    raise does_not_fit()


@use_case
def remove_passkey(*, account: int, passkey: int, caller: Caller) -> None:
    """Delete the passkey with the row id `passkey` if it belongs to the account; otherwise do nothing."""
    with writing() as session:
        mine = session.execute(
            delete(PasskeyRow)
            .where(PasskeyRow.id == passkey, PasskeyRow.account_id == account)
            .returning(PasskeyRow.id)
        ).all()
        if mine:
            note(session, account, "passkey_gone", caller, datetime.now(UTC))


def does_not_fit() -> Refused:
    """Return the error for a passkey that isn't accepted. The message doesn't give the reason."""
    return Refused("passkey", _("That passkey wasn't accepted. Try again, or use your password."))


def _id_in(answer: str) -> str:
    try:
        told = json.loads(answer)
    except (ValueError, RecursionError):
        return ""
    found = told.get("id") if isinstance(told, dict) else None
    return found if isinstance(found, str) and BASE64URL.fullmatch(found) else ""


def _as_json(options: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(options)
    return told
