"""Forms of the account pages. The services decide whether a name or password is acceptable."""

from __future__ import annotations

from typing import Any, ClassVar

from wtforms import HiddenField, PasswordField, StringField

from scorekeeper.accounts.credentials import LONGEST, LONGEST_NAME, visible
from scorekeeper.i18n.catalog import N_
from scorekeeper.web.forms import AppForm, at_most

LONGEST_CODE = 60
"""Most characters of a printed code that are shown again after an error."""
LONGEST_BACK = 200
"""Most characters of the address to go back to."""
PASSKEY_ANSWER = 20_000
"""Most characters of a browser's answer about a passkey; about a thousand are usual."""
TYPED = {"required": True, "autocapitalize": "none", "spellcheck": "false"}


def _shown(text: str | None) -> str:
    """Return typed text in a form that a page can show."""
    return visible(text or "")


def _name() -> Any:
    how = {"maxlength": LONGEST_NAME, "dir": "auto", "autocomplete": "username", "autocapitalize": "words"}
    return StringField(
        N_("Name"), name="username", filters=[at_most(2 * LONGEST_NAME), _shown], render_kw={**TYPED, **how}
    )


def _password(label: str, name: str = "new-password") -> Any:
    """Return a password field that reads at most twice the longest password."""
    return PasswordField(
        label, name=name, default="", filters=[at_most(2 * LONGEST)], render_kw={**TYPED, "autocomplete": name}
    )


def _back() -> Any:
    return HiddenField(default="", filters=[at_most(LONGEST_BACK)])


class SignInForm(AppForm):
    """Sign in with name and password, then go to the page `back`."""

    back = _back()
    username = _name()
    current_password = _password(N_("Password"), "current-password")


class SignUpForm(AppForm):
    """Create an account."""

    field_names: ClassVar[dict[str, str]] = {"name": "username"}
    username = _name()
    new_password = _password(N_("Password"))


class OpenByLinkForm(AppForm):
    """Choose a password with a link from the operator."""

    new_password = _password(N_("New password"))


class OpenByCodeForm(AppForm):
    """Choose a password with the printed code."""

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
    """Change a known password."""

    current_password = _password(N_("Current password"), "current-password")
    new_password = _password(N_("New password"))


class PasskeyForm(AppForm):
    """A browser's answer about a passkey, filled in by the script."""

    back = _back()
    answer = HiddenField(default="", filters=[at_most(PASSKEY_ANSWER)])
