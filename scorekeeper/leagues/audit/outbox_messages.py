"""Sentences for a league's history about webhooks, mail addresses and sent messages. They contain no address."""

from __future__ import annotations

from collections.abc import Mapping

from scorekeeper.i18n.catalog import _, ngettext
from scorekeeper.leagues.audit.table_messages import Data, Names, Sentence

SERVICES = {"discord": "Discord", "slack": "Slack", "telegram": "Telegram", "json": "JSON"}
"""Name of each kind of webhook, for sentences."""


def _service(data: Data) -> str:
    return SERVICES[data["what"]]


def _released(data: Data, _names: Names, who: str) -> str:
    if data["what"] == "reminder":
        return ngettext(
            "%(who)s sent a reminder of the next night to %(num)s recipient.",
            "%(who)s sent a reminder of the next night to %(num)s recipients.",
            data["count"],
            who=who,
        )
    return ngettext(
        "%(who)s sent the results to %(num)s recipient.",
        "%(who)s sent the results to %(num)s recipients.",
        data["count"],
        who=who,
    )


def _canceled(data: Data, _names: Names, who: str) -> str:
    return ngettext("%(who)s canceled %(num)s message.", "%(who)s canceled %(num)s messages.", data["count"], who=who)


MESSAGE_SENTENCES: Mapping[str, Sentence] = {
    "webhook_added": lambda data, _names, who: _("%(who)s added a webhook: %(what)s.", who=who, what=_service(data)),
    "webhook_removed": lambda data, _names, who: _(
        "%(who)s removed a webhook: %(what)s.", who=who, what=_service(data)
    ),
    "webhook_tested": lambda data, _names, who: _(
        "%(who)s sent a test message: %(what)s.", who=who, what=_service(data)
    ),
    "mail_added": lambda _data, _names, who: _("%(who)s added a player's email address.", who=who),
    "mail_removed": lambda _data, _names, who: _("%(who)s removed a player's email address.", who=who),
    "messages_released": _released,
    "messages_canceled": _canceled,
    "message_repeated": lambda _data, _names, who: _("%(who)s sent a message again.", who=who),
}
