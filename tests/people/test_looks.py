"""Which colors and emoji can be chosen for a person."""

from __future__ import annotations

import pytest

from scorekeeper.people.tables import COLORS, check_color, check_emoji
from scorekeeper.rules.phrase import RuleViolation

FAMILY, FLAG = "👨\u200d👩\u200d👧\u200d👦", "🏴\U000e0067\U000e0062\U000e007f"


@pytest.mark.parametrize("emoji", ["", "🦊", " 🐻 ", "👩🏽\u200d🌾", "🇺🇸", "❤\ufe0f", FAMILY, FLAG])
def test_one_emoji_is_allowed(emoji: str) -> None:
    assert check_emoji(emoji) == emoji.strip()


@pytest.mark.parametrize("text", ["a", "🦊🐻", "<b>", "\u200d", "🇺", "\u202e", "1", "🦊" * 20, "\ufe0f"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        check_emoji(text)
    assert refused.value.field == "emoji"


def test_a_color_is_one_of_ours() -> None:
    assert all(check_color(key) == key for key in (*COLORS, ""))
    with pytest.raises(RuleViolation):
        check_color("url(x)")
