"""Forms for roles and invitations."""

from __future__ import annotations

from wtforms import HiddenField, StringField

from scorekeeper.accounts.forms import SignUpForm
from scorekeeper.i18n.catalog import N_
from scorekeeper.leagues.core.roles import Role, role_named
from scorekeeper.web.forms import AppForm, at_most, printable

LONGEST = 100
"""Most characters of a posted token that are read; the token of an invitation has fewer."""


class InvitationForm(AppForm):
    """The form to accept an invitation with the signed-in account."""

    secret = HiddenField(default="", filters=[at_most(LONGEST)])


class InvitedSignUpForm(SignUpForm, InvitationForm):
    """The form to accept an invitation with a new account."""


class RoleForm(AppForm):
    """The form to choose a role."""

    role = StringField()

    @property
    def chosen(self) -> Role:
        """Return the chosen role, or `NOBODY` if the value is unknown."""
        return role_named(self.role.data or "")


class InviteForm(RoleForm):
    """The form to invite a person to a role."""

    called = StringField(
        N_("Name"),
        filters=[printable, str.strip],
        render_kw={
            "maxlength": 40,
            "required": True,
            "dir": "auto",
            "autocomplete": "off",
            "autocapitalize": "words",
            "spellcheck": "false",
        },
    )
