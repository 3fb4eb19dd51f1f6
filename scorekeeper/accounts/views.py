"""Define the blueprint of the account pages, and helpers for their requests.

Sign in, up and out, and open an account with a link or a code.

Show and change the account: the ways to open it, the browsers signed in, and its history.

Serve the account pages. Importing this package adds all views to the blueprint.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from flask import Blueprint, Response, abort, current_app, g, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts import service
from scorekeeper.accounts.devices import agent_words, known_device, send_device, this_device
from scorekeeper.accounts.forms import (
    LONGEST_BACK,
    LONGEST_CODE,
    ChangePasswordForm,
    OpenByCodeForm,
    OpenByLinkForm,
    SignInForm,
    SignUpForm,
)
from scorekeeper.accounts.passwords import SHORTEST, BusyError, Refused, check_new, checked_name, folded, turn, visible
from scorekeeper.accounts.queries import account_page, name_of
from scorekeeper.accounts.service import NoSuchAccountError, Opened
from scorekeeper.accounts.sessions import (
    Caller,
    NotSignedInError,
    SignedIn,
    came_before,
    note_use,
    send_session,
    this_session,
)
from scorekeeper.db.tokens import CODE_LENGTH
from scorekeeper.i18n.catalog import N_, _
from scorekeeper.web.errors import Problem, Way, error_page
from scorekeeper.web.form_answers import forget
from scorekeeper.web.forms import AppForm
from scorekeeper.web.rate_limit import (
    CODE_BY_ADDRESS,
    CODE_BY_NETWORK,
    PASSWORDS,
    PASSWORDS_BY_NETWORK,
    SIGN_IN,
    SIGN_IN_BY_NAME,
    SIGN_IN_KNOWN,
    SIGN_UP,
    asker,
    forgive,
    spend,
    surroundings,
)
from scorekeeper.web.request_log import network, refused_because
from scorekeeper.web.settings_page import nearest_page

bp = Blueprint("accounts", __name__)
bp.after_app_request(note_use)
bp.after_request(send_session)
bp.after_request(send_device)


@bp.context_processor
def told() -> dict[str, int | bool]:
    """Return the variables that every account template gets: `shortest_password`, `code_length` and `overheard`.

    `shortest_password` is the fewest characters of a password, and `code_length` is the length of a printed code.
    `overheard` is true if others on the network could read the request, because it was sent without HTTPS.
    """
    host = request.host.rsplit(":", 1)[0]
    here = host in {"localhost", "127.0.0.1", "[::1]"}  # requests to this machine itself don't cross a network
    return {
        "shortest_password": SHORTEST,
        "code_length": CODE_LENGTH,
        "overheard": not (request.is_secure or here),
    }


@bp.after_request
def keep_nowhere(response: Response) -> Response:
    """Tell all caches not to store `response`, because account pages show codes and links. Return `response`."""
    response.headers["Cache-Control"] = "no-store"
    return response


def this_caller() -> Caller:
    """Return what the account log stores about this request. If the device has no token, the response sets one."""
    session = this_session()
    return Caller(
        device=known_device(),
        agent=agent_words(request.headers.get("User-Agent", "")),
        network=network(request.remote_addr or ""),
        session=None if session is None else session.id,
    )


def signed_in() -> SignedIn:
    """Return the session of this request. Raises `NotSignedInError` if nobody is signed in."""
    session = this_session()
    if session is None:
        raise NotSignedInError
    return session


def freshly_signed_in() -> SignedIn:
    """Return the session of this request, if its sign-in is recent enough to change the account.

    Raises `NotSignedInError` if nobody is signed in, or the sign-in is too old.
    """
    session = signed_in()
    if not session.fresh(datetime.now(UTC)):
        raise NotSignedInError
    return session


def keep_session(secret: str) -> None:
    """Make the response set the session cookie to the token `secret`, or delete the cookie if `secret` is empty."""
    g.new_account_session = secret


def signed_out(done: str = "here") -> AnyResponse:
    """Redirect to the sign-in page, and delete the session cookie and the browser's cached pages.

    `done` is a key of `sign_in.DONE`, which has the message for the sign-in page. The browser's local storage isn't
    cleared, because it may hold hands that haven't been sent yet.
    """
    keep_session("")
    forget()
    response = redirect(url_for("accounts.sign_in", done=done), 303)
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


def sign_up_is_open() -> bool:
    """Return whether anyone may create an account on this server."""
    return bool(current_app.config["SIGN_UP"])


@contextmanager
def strangers_turn() -> Iterator[None]:
    """Count a password attempt on an unknown device, and occupy a place for hashing inside the `with` block.

    Attempts from each network have a limit, and all unknown devices together have another limit. If no place for
    hashing is free, the attempt counts only toward the limit of its network. Aborts with 429 if a limit is exceeded.
    Raises `BusyError` if no place is free.
    """
    spend(PASSWORDS_BY_NETWORK, surroundings())
    with turn():
        spend(PASSWORDS, "")
        yield


def way_on(back: str) -> str:
    """Return the address of the page to show next: `back`, or its nearest parent that is a page of this app.

    If `back` is empty, the result is the address of the account page.
    """
    return nearest_page(back) if back else url_for("accounts.mine")


SIGNED_OUT = {
    "here": N_("You're signed out."),
    "everywhere": N_("You're signed out everywhere."),
    "deleted": N_("Your account is deleted."),
}
"""By key in the address (`?done=`) after a sign-out: the message that the sign-in page shows."""
BUSY = Problem(
    N_("Sign-in is busy"),
    N_("Too many people are signing in right now. Nothing was saved."),
    N_("Go back and try again in a few seconds."),
)
DEAD = Problem(
    N_("This link no longer works"),
    N_("Each link can be used once and expires after three days."),
    N_(
        "If you've used it, sign in with the password you chose. If not, ask the person who runs this server for a "
        "new link."
    ),
)


@bp.app_errorhandler(BusyError)
def busy(_error: BusyError) -> AnyResponse:
    """Return an error page with status 503, because too many passwords are being hashed at the same time."""
    refused_because("too many passwords at once")
    response = error_page(BUSY, 503)
    response.headers["Retry-After"] = "2"
    return response


@bp.route("/account/sign-in", methods=["GET", "POST"])
def sign_in() -> AnyResponse:
    """Show the sign-in form, or sign in with the name and password from the form.

    A person who is already signed in sees this form, too. They must sign in again before they change the security of
    their account.
    """
    session = this_session()
    form = SignInForm(
        back=request.args.get("back", "")[:LONGEST_BACK], username="" if session is None else name_of(session.account)
    )
    if not form.is_submitted():
        done = SIGNED_OUT.get(request.args.get("done", ""))
        notice = _("Sign in again to change this.") if session is not None else _(done) if done else ""
        return _door("sign_in", form, notice=notice)
    name = form.username.data
    device = this_device()
    known = came_before(name, device)
    if known:
        spend(SIGN_IN_KNOWN, folded(name))
    else:
        spend(SIGN_IN, asker())
    # A known device has its own limit and its own place for hashing, so strangers can't keep the director out. No
    # folded name contains a line break.
    who = f"{folded(name)}\nat {device}" if known else folded(name)
    with turn(known=True) if known else strangers_turn():
        spend(SIGN_IN_BY_NAME, who)
        secret = service.sign_in(name=name, password=form.current_password.data, caller=this_caller())
    if secret is None:
        form.refuse("current-password", _("Wrong name or password. Try again."))
        return _door("sign_in", form, notice="")
    forgive(SIGN_IN_BY_NAME, who)
    keep_session(secret)
    return redirect(way_on(form.back.data), 303)


@bp.route("/account/sign-up", methods=["GET", "POST"])
def sign_up() -> AnyResponse:
    """Show the form for a new account, or create the account. The status is 404 if sign-up isn't open."""
    if not sign_up_is_open():
        abort(404, description=_("Only the person who runs this server can create accounts."))
    form = SignUpForm()
    if not form.is_submitted():
        return _door("sign_up", form)
    name, password = form.username.data, form.new_password.data
    try:
        check_new(password, checked_name(name))
        spend(SIGN_UP, asker())  # count only attempts that reveal whether a name is taken
        with strangers_turn():
            opened = service.sign_up(name=name, password=password, caller=this_caller())
    except Refused as refused:
        return _door("sign_up", form, refused)
    return show_code(opened)


@bp.route("/account/opening/<word>", methods=["GET", "POST"])
def open_by_link(word: str) -> AnyResponse:
    """Show the form for a new password, or save the new password. `word` is the token of a link from the operator.

    Only saving the password uses up the link. Showing the form doesn't, because chat programs open links for previews.
    """
    form = OpenByLinkForm()
    try:
        name = service.name_behind(word)
        if not form.is_submitted():
            return _door("link", form, called=name, word=word)
        opened = service.open_by_link(word=word, password=form.new_password.data, caller=this_caller())
    except NoSuchAccountError:
        return error_page(DEAD, 404, on=Way(_("Your account"), url_for("accounts.mine")))
    except Refused as refused:
        return _door("link", form, refused, called=name, word=word)
    return show_code(opened)


@bp.route("/account/code", methods=["GET", "POST"])
def open_by_code() -> AnyResponse:
    """Show the form for the printed code and a new password, or open the account with them."""
    form = OpenByCodeForm()
    if not form.is_submitted():
        return _door("code", form)
    name, code, password = form.username.data, form.code.data or "", form.new_password.data
    # Nobody can guess 133 bits, so a right code is never limited.
    if not service.is_right_code(name=name, code=code):
        spend(CODE_BY_ADDRESS, asker())
        spend(CODE_BY_NETWORK, surroundings())
    try:
        opened = service.open_by_code(name=name, code=code, password=password, caller=this_caller())
    except Refused as refused:
        # Nobody should type 28 characters again because of one typo or a short password.
        form.code.data = visible(code[:LONGEST_CODE])
        return _door("code", form, refused)
    return show_code(opened)


@bp.post("/account/sign-out")
def sign_out() -> AnyResponse:
    """End the session of this request."""
    session = signed_in()
    service.sign_out(session_id=session.id, account=session.account, caller=this_caller())
    return signed_out()


def show_code(opened: Opened, then: str = "") -> AnyResponse:
    """Set the session cookie, and return the page that shows the new printed code once.

    `then` is the address of the page's "continue" link, or "" for the account page.
    """
    keep_session(opened.secret)
    return printed(opened.code, opened.account, then)


def printed(code: str, account: int, then: str = "") -> AnyResponse:
    """Return the page that shows the new printed code of `account`, a row id.

    `then` is the address of the page's "continue" link, or "" for the account page.
    """
    return make_response(render_template("accounts/printed_code.html", code=code, called=name_of(account), then=then))


def _door(page: str, form: AppForm, refused: Refused | None = None, **more: str) -> AnyResponse:
    """Return a page of this module, made from the template `page` and filled in with `form`.

    `refused` is an error to show in the form. `more` has additional variables for the template. The status is 422 if
    the form was sent and is now shown again, otherwise 200.
    """
    if refused is not None:
        form.refuse(refused.field, refused.says)
    shown = render_template(f"accounts/{page}.html", form=form, sign_up_open=sign_up_is_open(), **more)
    return make_response(shown, 422 if form.is_submitted() else 200)


DONE = {
    "password": N_("Password changed. You're signed out on all other devices."),
    "session": N_("That device is signed out."),
}
"""By key in the address (`?done=`) after a change: the message that the account page shows."""


@bp.errorhandler(NotSignedInError)
def ask_to_sign_in(_error: NotSignedInError) -> AnyResponse:
    """Redirect to the sign-in page. After the sign-in, the browser returns to the account page."""
    return redirect(url_for("accounts.sign_in", back=url_for("accounts.mine")), 303)


@bp.get("/account")
def mine() -> AnyResponse:
    """Show the account page, or redirect to the sign-in page if nobody is signed in."""
    return _mine(notice=_(DONE[done]) if (done := request.args.get("done", "")) in DONE else "")


@bp.post("/account/password")
def change_password() -> AnyResponse:
    """Change the password, given the current one, and sign out all other devices."""
    session = freshly_signed_in()
    spend(SIGN_IN_BY_NAME, f"\nsession {session.id}")  # no folded name contains a line break
    spend(SIGN_IN_KNOWN, f"\naccount {session.account}")
    form = ChangePasswordForm()
    try:
        with turn(known=True):
            service.change_password(
                account=session.account,
                now_known=form.current_password.data,
                password=form.new_password.data,
                caller=this_caller(),
            )
    except Refused as refused:
        form.refuse(refused.field, refused.says)
        return _mine(form)
    return redirect(url_for("accounts.mine", done="password"), 303)


@bp.post("/account/code/new")
def renew_code() -> AnyResponse:
    """Make a new printed code, and show the page with the code. The code can't be shown again later."""
    session = freshly_signed_in()
    code = service.renew_code(account=session.account, caller=this_caller())
    return printed(code, session.account)


@bp.post("/account/sessions/<int:session_id>/end")
def end_session(session_id: int) -> AnyResponse:
    """End the session `session_id` of the account that is signed in.

    To end the session of another device, the director must have signed in recently.
    """
    session = signed_in()
    if session_id != session.id:
        freshly_signed_in()
    service.sign_out(session_id=session_id, account=session.account, caller=this_caller())
    if session_id == session.id:
        return signed_out()
    return redirect(url_for("accounts.mine", done="session"), 303)


@bp.post("/account/sessions/end")
def end_sessions() -> AnyResponse:
    """Sign out all devices, including this one."""
    service.sign_out_everywhere(account=freshly_signed_in().account, caller=this_caller())
    return signed_out("everywhere")


def _mine(form: ChangePasswordForm | None = None, notice: str = "") -> AnyResponse:
    page = account_page(signed_in(), notice=notice)
    shown = render_template("accounts/account.html", page=page, form=form or ChangePasswordForm(formdata=None))
    return make_response(shown, 422 if form else 200)
