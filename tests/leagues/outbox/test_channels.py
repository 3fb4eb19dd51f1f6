"""The bodies and headers of webhook requests."""

from __future__ import annotations

import hashlib
import hmac
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.leagues.outbox.channels import (
    FORMAT,
    KINDS,
    SIGNATURE,
    OutgoingMessage,
    body_of,
    headers_of,
    shortened,
)

AT = datetime(2026, 9, 1, 22, 0, tzinfo=UTC)
LIMITS = {"discord": ("content", 2000), "slack": ("text", 3000), "telegram": ("text", 4096)}


def message(text: str) -> OutgoingMessage:
    return OutgoingMessage("abc-1", "results", "Results", text, "league", "Fire Hall", "night", AT)


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@given(st.text(st.characters(exclude_categories=["Cs"])), st.integers(1, 60))
def test_shortened_text_fits_and_ends_as_the_whole(text: str, most: int) -> None:
    short = shortened(text, most)
    assert units(short) <= most
    if units(text) <= most:
        assert short == text
    last = text.split("\n")[-1]
    assert short.endswith(last) or units(last) + 2 >= most


@pytest.mark.parametrize("kind", LIMITS)
def test_chat_gets_the_text_within_its_limit(kind: str) -> None:
    """A text too long for a chat service is shortened, and the link at its end is kept."""
    lines = "\n".join(f"{number}. 𝓐nn {'🂡' * 20}" for number in range(200))
    body = json.loads(body_of(kind, message(f"{lines}\nhttps://cards.example/nights/x"), "https://x/?chat_id=-5"))
    key, most = LIMITS[kind]
    assert units(body[key]) <= most
    assert body[key].endswith("\nhttps://cards.example/nights/x")


def test_no_name_calls_a_channel() -> None:
    """A name like "@everyone" doesn't notify anybody in a chat.

    Messages to Discord turn mentions off, messages to Slack escape them, and messages to Telegram contain no markup.
    """
    text = "@everyone <!channel> <@U1> & *x*"
    assert json.loads(body_of("discord", message(text), ""))["allowed_mentions"] == {"parse": []}
    assert json.loads(body_of("slack", message(text), ""))["text"] == "@everyone &lt;!channel&gt; &lt;@U1&gt; &amp; *x*"
    telegram = json.loads(body_of("telegram", message(text), "https://x/sendMessage?chat_id=-5"))
    assert "parse_mode" not in telegram
    assert telegram["chat_id"] == "-5"


def test_plain_json_is_signed_and_versioned() -> None:
    body = body_of("json", message("Ann 3\nBob 2"), "")
    told = json.loads(body)
    assert told == {
        "format": FORMAT,
        "id": "abc-1",
        "kind": "results",
        "sent_at": "2026-09-01T22:00:00+00:00",
        "league": {"id": "league", "name": "Fire Hall"},
        "night": "night",
        "subject": "Results",
        "text": "Ann 3\nBob 2",
    }
    expected = hmac.new(b"key", body, hashlib.sha256).hexdigest()
    assert headers_of("json", body, "key")[SIGNATURE] == f"sha256={expected}"


@pytest.mark.parametrize("kind", [kind for kind, each in KINDS.items() if not each.signed])
def test_chats_get_no_signature(kind: str) -> None:
    assert SIGNATURE not in headers_of(kind, b"{}", "")
