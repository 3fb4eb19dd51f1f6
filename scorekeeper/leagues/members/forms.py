"""The forms of members: taking an invitation."""

from __future__ import annotations

from wtforms import HiddenField

from scorekeeper.accounts.forms import SignUpForm
from scorekeeper.web.forms import AppForm, at_most

LONGEST = 100
"""More than the secret of an invitation has."""


class InvitationForm(AppForm):
    """Take an invitation with the account that is signed in."""

    secret = HiddenField(default="", filters=[at_most(LONGEST)])


class InvitedSignUpForm(SignUpForm, InvitationForm):
    """Take an invitation with a new account."""
