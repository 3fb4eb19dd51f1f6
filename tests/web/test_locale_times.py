"""Times on a page are written in UTC until a script on the phone changes them to local time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from scorekeeper.web.locale import localtime


def test_a_moment_reads_in_utc_until_the_phone_knows_better() -> None:
    moment = datetime(2025, 11, 2, 21, 5, 59, tzinfo=UTC)
    assert localtime(moment) == '<time datetime="2025-11-02T21:05:59Z">November 2, 2025, 21:05 UTC</time>'


def test_a_moment_of_another_zone_is_the_same_moment() -> None:
    assert "2025-11-02T21:05:00Z" in localtime(datetime(2025, 11, 2, 23, 5, tzinfo=timezone(timedelta(hours=2))))


def test_a_moment_without_a_zone_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        localtime(datetime(2025, 11, 2, 23, 5))  # noqa: DTZ001
