"""Show and change the account: the ways to open it, the browsers signed in, and its history."""

from __future__ import annotations

from flask import make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorekeeper.accounts import account_changes, sign_in
from scorekeeper.accounts.credentials import Refused
from scorekeeper.accounts.forms import ChangePasswordForm
from scorekeeper.accounts.passwords import turn
from scorekeeper.accounts.queries import account_page
from scorekeeper.accounts.sessions import NotSignedInError
from scorekeeper.accounts.views.requests import bp, freshly_signed_in, signed_in, signed_out, this_caller
from scorekeeper.accounts.views.sign_in import printed
from scorekeeper.i18n.catalog import N_, _
from scorekeeper.web.rate_limit import SIGN_IN_BY_NAME, SIGN_IN_KNOWN, spend

DONE = {
    "password": N_("Password changed. You're signed out on all other devices."),
    "session": N_("That device is signed out."),
}
"""By key in the address (`?done=`) after a change: the message that the account page shows."""


@bp.errorhandler(NotSignedInError)
def ask_to_sign_in(_error: NotSignedInError) -> Response:
    """Redirect to the sign-in page. After the sign-in, the browser returns to the account page."""
    return redirect(url_for("accounts.sign_in", back=url_for("accounts.mine")), 303)


@bp.get("/account")
def mine() -> Response:
    """Show the account page, or redirect to the sign-in page if nobody is signed in."""
    return _mine(notice=_(DONE[done]) if (done := request.args.get("done", "")) in DONE else "")


@bp.post("/account/password")
def change_password() -> Response:
    """Change the password, given the current one, and sign out all other devices."""
    session = freshly_signed_in()
    spend(SIGN_IN_BY_NAME, f"\nsession {session.id}")  # no folded name contains a line break
    spend(SIGN_IN_KNOWN, f"\naccount {session.account}")
    form = ChangePasswordForm()
    try:
        with turn(known=True):
            account_changes.change_password(
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
def renew_code() -> Response:
    """Make a new printed code, and show the page with the code. The code can't be shown again later."""
    session = freshly_signed_in()
    code = account_changes.renew_code(account=session.account, caller=this_caller())
    return printed(code, session.account)


@bp.post("/account/sessions/<int:session_id>/end")
def end_session(session_id: int) -> Response:
    """End the session `session_id` of the account that is signed in.

    To end the session of another device, the director must have signed in recently.
    """
    session = signed_in()
    if session_id != session.id:
        freshly_signed_in()
    sign_in.sign_out(session_id=session_id, account=session.account, caller=this_caller())
    if session_id == session.id:
        return signed_out()
    return redirect(url_for("accounts.mine", done="session"), 303)


@bp.post("/account/sessions/end")
def end_sessions() -> Response:
    """Sign out all devices, including this one."""
    account_changes.sign_out_everywhere(account=freshly_signed_in().account, caller=this_caller())
    return signed_out("everywhere")


def _mine(form: ChangePasswordForm | None = None, notice: str = "") -> Response:
    page = account_page(signed_in(), notice=notice)
    shown = render_template("accounts/account.html", page=page, form=form or ChangePasswordForm(formdata=None))
    return make_response(shown, 422 if form else 200)
