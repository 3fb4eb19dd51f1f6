"""Sign in, up and out, and open an account with a link or a code."""

from __future__ import annotations

from flask import abort, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorekeeper.accounts import recovery_links
from scorekeeper.accounts import sign_in as signing_in
from scorekeeper.accounts.credentials import Refused, check_new, checked_name, folded, visible
from scorekeeper.accounts.devices import this_device
from scorekeeper.accounts.forms import (
    LONGEST_BACK,
    LONGEST_CODE,
    OpenByCodeForm,
    OpenByLinkForm,
    SignInForm,
    SignUpForm,
)
from scorekeeper.accounts.passwords import BusyError, turn
from scorekeeper.accounts.queries import name_of
from scorekeeper.accounts.recovery_links import NoSuchAccountError
from scorekeeper.accounts.session_start import came_before
from scorekeeper.accounts.sessions import this_session
from scorekeeper.accounts.sign_in import Opened
from scorekeeper.accounts.views.requests import (
    bp,
    keep_session,
    sign_up_is_open,
    signed_in,
    signed_out,
    strangers_turn,
    this_caller,
    way_on,
)
from scorekeeper.i18n.catalog import N_, _
from scorekeeper.web.errors import Problem, Way, error_page
from scorekeeper.web.forms import AppForm
from scorekeeper.web.rate_limit import (
    CODE_BY_ADDRESS,
    CODE_BY_NETWORK,
    SIGN_IN,
    SIGN_IN_BY_NAME,
    SIGN_IN_KNOWN,
    SIGN_UP,
    asker,
    forgive,
    spend,
    surroundings,
)
from scorekeeper.web.request_log import refused_because

DONE = {
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
def busy(_error: BusyError) -> Response:
    """Return an error page with status 503, because too many passwords are being hashed at the same time."""
    refused_because("too many passwords at once")
    response = error_page(BUSY, 503)
    response.headers["Retry-After"] = "2"
    return response


@bp.route("/account/sign-in", methods=["GET", "POST"])
def sign_in() -> Response:
    """Show the sign-in form, or sign in with the name and password from the form.

    A person who is already signed in sees this form, too. They must sign in again before they change the security of
    their account.
    """
    session = this_session()
    form = SignInForm(
        back=request.args.get("back", "")[:LONGEST_BACK], username="" if session is None else name_of(session.account)
    )
    if not form.is_submitted():
        done = DONE.get(request.args.get("done", ""))
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
        secret = signing_in.sign_in(name=name, password=form.current_password.data, caller=this_caller())
    if secret is None:
        form.refuse("current-password", _("Wrong name or password. Try again."))
        return _door("sign_in", form)
    forgive(SIGN_IN_BY_NAME, who)
    keep_session(secret)
    return redirect(way_on(form.back.data), 303)


@bp.route("/account/sign-up", methods=["GET", "POST"])
def sign_up() -> Response:
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
            opened = signing_in.sign_up(name=name, password=password, caller=this_caller())
    except Refused as refused:
        return _door("sign_up", form, refused)
    return show_code(opened)


@bp.route("/account/opening/<word>", methods=["GET", "POST"])
def open_by_link(word: str) -> Response:
    """Show the form for a new password, or save the new password. `word` is the token of a link from the operator.

    Only saving the password uses up the link. Showing the form doesn't, because chat programs open links for previews.
    """
    form = OpenByLinkForm()
    try:
        name = recovery_links.name_behind(word)
        if not form.is_submitted():
            return _door("link", form, called=name, word=word)
        opened = recovery_links.open_by_link(word=word, password=form.new_password.data, caller=this_caller())
    except NoSuchAccountError:
        return error_page(DEAD, 404, on=Way(_("Your account"), url_for("accounts.mine")))
    except Refused as refused:
        return _door("link", form, refused, called=name, word=word)
    return show_code(opened)


@bp.route("/account/code", methods=["GET", "POST"])
def open_by_code() -> Response:
    """Show the form for the printed code and a new password, or open the account with them."""
    form = OpenByCodeForm()
    if not form.is_submitted():
        return _door("code", form)
    name, code, password = form.username.data, form.code.data or "", form.new_password.data
    # Nobody can guess 133 bits, so a right code is never limited.
    if not recovery_links.is_right_code(name=name, code=code):
        spend(CODE_BY_ADDRESS, asker())
        spend(CODE_BY_NETWORK, surroundings())
    try:
        opened = recovery_links.open_by_code(name=name, code=code, password=password, caller=this_caller())
    except Refused as refused:
        # Nobody should type 28 characters again because of one typo or a short password.
        form.code.data = visible(code[:LONGEST_CODE])
        return _door("code", form, refused)
    return show_code(opened)


@bp.post("/account/sign-out")
def sign_out() -> Response:
    """End the session of this request."""
    session = signed_in()
    signing_in.sign_out(session_id=session.id, account=session.account, caller=this_caller())
    return signed_out()


def show_code(opened: Opened, then: str = "") -> Response:
    """Set the session cookie, and return the page that shows the new printed code once.

    `then` is the address of the page's "continue" link, or "" for the account page.
    """
    keep_session(opened.secret)
    return printed(opened.code, opened.account, then)


def printed(code: str, account: int, then: str = "") -> Response:
    """Return the page that shows the new printed code of `account`, a row id.

    `then` is the address of the page's "continue" link, or "" for the account page.
    """
    return make_response(render_template("accounts/printed_code.html", code=code, called=name_of(account), then=then))


def _door(page: str, form: AppForm, refused: Refused | None = None, **more: str) -> Response:
    """Return a page of this module, made from the template `page` and filled in with `form`.

    `refused` is an error to show in the form. `more` has additional variables for the template. The status is 422 if
    the form was sent and is now shown again, otherwise 200.
    """
    if refused is not None:
        form.refuse(refused.field, refused.says)
    shown = render_template(f"accounts/{page}.html", form=form, sign_up_open=sign_up_is_open(), **more)
    return make_response(shown, 422 if form.is_submitted() else 200)
