"""Define the forms of the account pages. The services decide whether a name or password is acceptable."""

from typing import Any, ClassVar

from wtforms import HiddenField, PasswordField, StringField

from scorekeeper.accounts.passwords import LONGEST, LONGEST_NAME, visible
from scorekeeper.i18n.catalog import N_
from scorekeeper.web.forms import AppForm, at_most

LONGEST_CODE = 60
"""Most characters of a mistyped code that the form shows again."""
LONGEST_BACK = 200
"""Most characters of the form field `back`, the address of the page to show afterward."""
TYPED = {"required": True, "autocapitalize": "none", "spellcheck": "false"}


def _shown(text: str | None) -> str:
    """Return typed text without control and invisible characters. The result is "" if `text` is None."""
    return visible(text or "")


def _name() -> Any:
    how = {"maxlength": LONGEST_NAME, "dir": "auto", "autocomplete": "username", "autocapitalize": "words"}
    return StringField(
        N_("Name"), name="username", filters=[at_most(2 * LONGEST_NAME), _shown], render_kw={**TYPED, **how}
    )


def _password(label: str, name: str = "new-password") -> Any:
    """Return a password field that accepts at most twice the length of the longest allowed password.

    `name` is the name of the field, and also the autocomplete hint for the browser.
    """
    return PasswordField(
        label, name=name, default="", filters=[at_most(2 * LONGEST)], render_kw={**TYPED, "autocomplete": name}
    )


def _back() -> Any:
    return HiddenField(default="", filters=[at_most(LONGEST_BACK)])


class SignInForm(AppForm):
    """Form for signing in with name and password. `back` is the address of the page to show afterward."""

    back = _back()
    username = _name()
    current_password = _password(N_("Password"), "current-password")


class SignUpForm(AppForm):
    """Form for creating an account."""

    field_names: ClassVar[dict[str, str]] = {"name": "username"}
    username = _name()
    new_password = _password(N_("Password"))


class OpenByLinkForm(AppForm):
    """Form for choosing a password after opening a link from the operator."""

    new_password = _password(N_("New password"))


class OpenByCodeForm(AppForm):
    """Form for choosing a password with the printed code."""

    field_names: ClassVar[dict[str, str]] = {"name": "username"}
    username = _name()
    code = StringField(
        N_("Printed code"),
        filters=[at_most(2 * LONGEST)],
        render_kw={
            **TYPED,
            "class": "code-field",
            "maxlength": LONGEST_CODE,
            "autocomplete": "one-time-code",
            "translate": "no",
        },
    )
    new_password = _password(N_("New password"))


class ChangePasswordForm(AppForm):
    """Form for changing the password, given the current one."""

    current_password = _password(N_("Current password"), "current-password")
    new_password = _password(N_("New password"))
