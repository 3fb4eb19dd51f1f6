"""The forms of members: roles, and invitations."""

from __future__ import annotations

from wtforms import HiddenField, StringField

from scorekeeper.accounts.forms import SignUpForm
from scorekeeper.i18n.catalog import N_
from scorekeeper.leagues.core.roles import Role, role_named
from scorekeeper.web.forms import AppForm, at_most, printable

LONGEST = 100
"""More than the secret of an invitation has."""


class InvitationForm(AppForm):
    """Take an invitation with the account that is signed in."""

    secret = HiddenField(default="", filters=[at_most(LONGEST)])


class InvitedSignUpForm(SignUpForm, InvitationForm):
    """Take an invitation with a new account."""


class RoleForm(AppForm):
    """Choose a role."""

    role = StringField()

    @property
    def chosen(self) -> Role:
        """Return the role; `NOBODY` for a word that stands for none."""
        return role_named(self.role.data or "")


class InviteForm(RoleForm):
    """Invite somebody with a role."""

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
