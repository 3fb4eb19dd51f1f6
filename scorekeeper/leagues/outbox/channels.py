"""Make the bodies of webhook requests, in the format of each chat service or in our own format (`FORMAT`).

A player's name such as "@everyone" must not notify a whole channel, so mentions are turned off or escaped.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

from scorekeeper.i18n.catalog import N_

FORMAT = "scorekeeper-message/1"
SIGNATURE = "X-Scorekeeper-Signature"
"""Name of the header with the signature: "sha256=", then the HMAC-SHA256 of the body in hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A message, ready to be sent."""

    id: str
    """Id of the message, the same in each attempt, so that a receiver can drop a second copy."""
    kind: str
    subject: str
    text: str
    league: str
    """Public id of the league."""
    league_name: str
    night: str
    """Public id of the night that the message is about; empty for a test message."""
    at: datetime
    """When this attempt was made."""


Body = Callable[[OutgoingMessage, str], dict[str, Any]]
"""Function that makes the request body, an object for JSON, from a message and the address of the webhook."""


@dataclass(frozen=True, slots=True)
class WebhookKind:
    """A kind of service that receives webhooks, such as Discord."""

    label: str
    hint: str
    body: Body
    signed: bool = False
    query: str = ""
    """Name of a query parameter that the webhook's address must contain; empty if it needs none."""


def shortened(text: str, most: int) -> str:
    """Return `text` cut to at most `most` UTF-16 units, the units that chat services count.

    If `text` is too long, its last line, which is a link, is kept. As many whole lines from the top as fit are kept
    too. A line with "…" replaces the lines that were left out. If not even the last line fits, `text` is cut anywhere.
    """
    if _units(text) <= most:
        return text
    *lines, last = text.split("\n")
    room = most - _units(last) - 2
    if room < 1:
        return text.encode("utf-16-le")[: 2 * (most - 1)].decode("utf-16-le", "ignore") + "…"
    kept: list[str] = []
    for line in lines:
        room -= _units(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join((*kept, "…", last))


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _discord(message: OutgoingMessage, _address: str) -> dict[str, Any]:
    return {"content": shortened(message.text, 2_000), "allowed_mentions": {"parse": []}}


def _slack(message: OutgoingMessage, _address: str) -> dict[str, Any]:
    text = shortened(message.text, 3_000)
    return {"text": text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")}


def _telegram(message: OutgoingMessage, address: str) -> dict[str, Any]:
    chat = parse_qs(urlsplit(address).query).get("chat_id", [""])[0]
    return {"chat_id": chat, "text": shortened(message.text, 4_096), "link_preview_options": {"is_disabled": True}}


def _plain(message: OutgoingMessage, _address: str) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "id": message.id,
        "kind": message.kind,
        "sent_at": message.at.isoformat(timespec="seconds"),
        "league": {"id": message.league, "name": message.league_name},
        "night": message.night or None,
        "subject": message.subject,
        "text": message.text,
    }


KINDS: Mapping[str, WebhookKind] = {
    "discord": WebhookKind(
        N_("Discord"), N_("In Discord: Channel settings, Integrations, Webhooks, Copy Webhook URL."), _discord
    ),
    "slack": WebhookKind(N_("Slack"), N_("In Slack: an app with Incoming Webhooks. Mattermost works too."), _slack),
    "telegram": WebhookKind(
        N_("Telegram bot"),
        N_("https://api.telegram.org/botTOKEN/sendMessage?chat_id=CHAT, with your bot's token and the chat's number."),
        _telegram,
        query="chat_id",
    ),
    "json": WebhookKind(
        N_("Plain JSON"), N_("For a program of your own. Each message is signed."), _plain, signed=True
    ),
}


def body_of(kind: str, message: OutgoingMessage, address: str) -> bytes:
    """Return the request body that posts `message` to the webhook at `address`, as JSON in UTF-8.

    `kind` is a key of `KINDS`.
    """
    return json.dumps(KINDS[kind].body(message, address), ensure_ascii=False).encode("utf-8", "replace")


def signature(body: bytes, secret: str) -> str:
    """Return the value of the header `SIGNATURE` for a request with this `body`. `secret` is the webhook's own key."""
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def headers_of(kind: str, body: bytes, secret: str) -> dict[str, str]:
    """Return the HTTP headers to send with `body`, including a signature if webhooks of this `kind` are signed.

    `secret` is the webhook's own key.
    """
    headers = {"Content-Type": "application/json; charset=utf-8", "User-Agent": "setback-scorekeeper"}
    return headers | ({SIGNATURE: signature(body, secret)} if KINDS[kind].signed else {})
