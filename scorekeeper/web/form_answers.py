"""Give each page that answers a form an address that GET can open, so that Back and reload show the page again.

A browser can't go back to the answer of a POST request: it asks whether to send the form again, or shows an error. So
when a form is answered with a page (an error at a field, a review before saving), the page is stored for an hour, and
the answer is a redirect to the page of the form, with the token of the stored page in its query. When the stored page
is gone, the same address shows the plain form.

Only the browser that sent the form can open the page. Some of these pages show secrets, such as a link for another
phone. So a page is encrypted with a key that depends on the token in its address and on the browser's session cookie;
the database has neither.

Give each error page that answers a form an address that GET can open, so that Back and reload show the page again.

Form pages get such an address from `form_answers`, which needs the database and a cookie. An error page must do without
both: they may be what is missing. So everything that it shows is in its address, encrypted, and the redirect leads to
the page of the form with that in its query. After an hour, the same address shows the plain page.
"""

from __future__ import annotations

import hmac
import zlib
from base64 import urlsafe_b64encode
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec
from flask import Flask, Response, current_app, request, session
from sqlalchemy import LargeBinary, String, delete, select
from sqlalchemy.orm import Mapped, mapped_column
from werkzeug.exceptions import HTTPException

from scorekeeper.db.database import UTCDateTime, use_case
from scorekeeper.db.outages import is_outage
from scorekeeper.db.tokens import hash_of, new_secret
from scorekeeper.web.errors import ErrorPage, ShownError, page_of, way_back
from scorekeeper.web.extensions import Model, db, end_session, installation_key, writing
from scorekeeper.web.rate_limit import FORM_ANSWERS, asker, count
from scorekeeper.web.request_log import OUTCOME
from scorekeeper.web.settings_page import nearest_page

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

ANSWER = "answer"
"""Name of the token in the query of an address, and of this browser's part of the key in its session."""
PROBLEM = "problem"
"""Name of an encrypted error page in the query of an address (`error_answers`)."""
LASTS = timedelta(hours=1)
MOST = 2_000
"""How many pages are stored, of all browsers together. The oldest ones are deleted first."""
PAGES = {HTTPStatus.OK, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY}
"""Statuses of answers to a form that a person works on. Error pages are for `error_answers`."""


class FormAnswerRow(Model):
    """A page that answered a form. It is kept for at most an hour."""

    __tablename__ = "form_answer"

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(64), unique=True)
    """Hash of the token in the page's address."""
    made_at: Mapped[datetime] = mapped_column(UTCDateTime, index=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)
    """The page and its `Cache-Control` header, encrypted."""


def connect(app: Flask) -> None:
    """Redirect from the forms of `app` to their answers.

    Functions for `after_request` run in the reverse order, so this must be connected after all that change pages.
    """
    app.before_request(stored_page)
    app.after_request(leave_form)


def leave_form(response: Response) -> Response:
    """If `response` is a page for a form that a browser sent, store the page and turn `response` into a redirect.

    Scripts and programs, which don't ask for HTML by name, get the page itself. So does everyone if the database can't
    store anything now, and a client that sends more forms than `FORM_ANSWERS` allows.
    """
    is_page = response.status_code in PAGES and response.mimetype == "text/html" and not response.is_streamed
    if not is_sent_by_browser() or not is_page or count(FORM_ANSWERS, asker()):
        return response
    address, token = address_of_form(), new_secret()
    address += f"{'&' if '?' in address else '?'}{urlencode({ANSWER: token})}"
    session.setdefault(ANSWER, new_secret())
    page = f"{response.headers.get('Cache-Control', '')}\n{response.get_data(as_text=True)}".encode()
    try:
        store(key=hash_of(token), data=_cipher(address, token).encrypt(zlib.compress(page)))
    except Exception as error:
        if not is_outage(error):
            raise
        end_session()
        return response
    response.status_code = HTTPStatus.SEE_OTHER
    response.location = address
    response.set_data(b"")
    response.headers.remove("X-Part")
    return response


def stored_page() -> Response | None:
    """Return the stored page for this request's address, or None if the address has none."""
    token = request.args.get(ANSWER, "")
    if request.method != "GET" or not token or ANSWER not in session:
        return None
    newest = FormAnswerRow.made_at > datetime.now(UTC) - LASTS
    data = db.session.scalar(select(FormAnswerRow.data).where(FormAnswerRow.key == hash_of(token), newest))
    page = _opened(_cipher(request.full_path, token), data or b"")
    if page is None:
        return None
    cached, _, text = page.decode().partition("\n")
    # By this header, the service worker tells the page, which it may store, from a Wi-Fi login page.
    response = Response(text, mimetype="text/html", headers={"X-Part": "answer"})
    if cached:
        response.headers["Cache-Control"] = cached
    return response


def forget() -> None:
    """Make the pages that this browser has got so far unreadable. Called when somebody signs out."""
    session.pop(ANSWER, None)


@use_case
def store(*, key: str, data: bytes) -> None:
    """Store an encrypted page, and delete the oldest ones if there are too many."""
    with writing() as database:
        row = FormAnswerRow(key=key, made_at=datetime.now(UTC), data=data)
        database.add(row)
        database.flush()
        database.execute(delete(FormAnswerRow).where(FormAnswerRow.id <= row.id - MOST))


def _cipher(address: str, token: str) -> Fernet:
    """Return what encrypts the page at `address` for this browser."""
    return _cipher_with("\n".join((session[ANSWER], token, address)))


def _cipher_with(secret: str) -> Fernet:
    # Imported on first use: cryptography takes 7 MB.
    from cryptography.fernet import Fernet

    return Fernet(urlsafe_b64encode(hmac.digest(installation_key().encode(), secret.encode(), "sha256")))


def _opened(cipher: Fernet, data: bytes, *, seconds: int | None = None) -> bytes | None:
    """Return what `cipher` encrypted to `data`, or None if it did not, or more than `seconds` ago."""
    from cryptography.fernet import InvalidToken

    try:
        return zlib.decompress(cipher.decrypt(data, ttl=seconds))
    except InvalidToken:
        return None


def is_sent_by_browser() -> bool:
    """Return whether a browser sent this form as a person does, without a script, and shows the answer as a page."""
    return request.method == "POST" and "text/html" in request.headers.get("Accept", "")


def address_of_form() -> str:
    """Return the address of the page with the form that was sent, without an earlier answer in its query.

    It is the form's own address if that one has a page, otherwise the page that sent the form.
    """
    try:
        rule, _values = current_app.url_map.bind(request.host).match(request.path, "GET", return_rule=True)
        has_page = rule.rule == str(request.url_rule)
    except HTTPException:
        has_page = False
    parts = urlsplit(request.full_path if has_page else nearest_page(way_back() or request.path))
    query = urlencode(
        [each for each in parse_qsl(parts.query, keep_blank_values=True) if each[0] not in {ANSWER, PROBLEM}]
    )
    return parts.path + (f"?{query}" if query else "")


LONGEST = 4_000
"""Most characters in an encrypted page. One with more text stays where it is, since long addresses are refused."""
WAIT = "Retry-After"


def connect_error_answers(app: Flask) -> None:
    """Redirect from the forms of `app` to their error pages.

    Connect this after `form_answers`, so that it sees a response first.
    """
    app.before_request(error_again)
    app.after_request(leave_form_with_error)


def leave_form_with_error(response: Response) -> Response:
    """If `response` is an error page for a form that a browser sent, turn it into a redirect to the page's address.

    Scripts and programs, which don't ask for HTML by name, get the page itself. The log and the metrics still have the
    status of the error.
    """
    if not isinstance(response, ErrorPage) or not is_sent_by_browser():
        return response
    told = msgspec.json.encode((response.told, response.headers.get(WAIT, "")))
    token = _cipher_with(PROBLEM).encrypt(zlib.compress(told)).decode()
    if len(token) > LONGEST:
        return response
    request.environ[OUTCOME] = response.status_code
    address = address_of_form()
    response.status_code = HTTPStatus.SEE_OTHER
    response.location = f"{address}{'&' if '?' in address else '?'}{urlencode({PROBLEM: token})}"
    response.set_data(b"")
    response.headers.remove(WAIT)
    response.headers.remove("Allow")
    return response


def error_again() -> Response | None:
    """Return the error page that is in this request's address, or None if there is none or if it is too old."""
    token = request.args.get(PROBLEM, "")
    if request.method != "GET" or not token:
        return None
    text = _opened(_cipher_with(PROBLEM), token.encode(), seconds=int(LASTS.total_seconds()))
    if text is None:
        return None
    told, wait = msgspec.json.decode(text, type=tuple[ShownError, str])
    response = page_of(told)
    if wait:
        response.headers[WAIT] = wait
    # The error was reported when the form was sent.
    request.environ[OUTCOME] = HTTPStatus.OK.value
    response.headers["X-Part"] = "answer"
    return response
