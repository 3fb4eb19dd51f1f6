"""Forms for webhooks, mail addresses and the release of messages."""

from __future__ import annotations

from typing import Any, ClassVar

from wtforms import HiddenField, StringField

from scorekeeper.i18n.catalog import N_
from scorekeeper.web.forms import AppForm, at_most, printable

_TYPED: dict[str, Any] = {"required": True, "autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


class WebhookForm(AppForm):
    """The form to add a webhook."""

    kind = StringField(default="discord", filters=[at_most(16)])
    address = StringField(
        N_("Address"), filters=[printable, str.strip], render_kw=_TYPED | {"maxlength": 500, "inputmode": "url"}
    )


class MailForm(AppForm):
    """The form to add a player's mail address."""

    field_names: ClassVar[dict[str, str]] = {"address": "mail"}

    person = StringField(default="", filters=[at_most(16)])
    mail = StringField(
        N_("Email address"), filters=[printable, str.strip], render_kw=_TYPED | {"maxlength": 254, "inputmode": "email"}
    )


class OneClickForm(AppForm):
    """The form to unsubscribe from mails. The content of the form is ignored.

    Mail programs post this form (RFC 8058), and so does the page behind the link.
    """

    one_click = StringField(name="List-Unsubscribe")


class ReleaseForm(AppForm):
    """The form to send a message about a night to all recipients."""

    kind = HiddenField(default="", filters=[at_most(16)])
    seen = HiddenField(default="", filters=[at_most(32)])
