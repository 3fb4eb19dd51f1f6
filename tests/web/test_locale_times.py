"""Times on a page are written in UTC until a script on the phone changes them to local time."""

from __future__ import annotations

import zoneinfo
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest
import tzdata

from scorekeeper.web.locale import localtime, use_newest_time_zones

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def own_zones(tmp_path: Path) -> Iterator[Path]:
    """Let the computer's time zones be in a folder that is empty at first."""
    before = zoneinfo.TZPATH
    zoneinfo.reset_tzpath([str(tmp_path)])
    yield tmp_path
    zoneinfo.reset_tzpath(before)
    zoneinfo.ZoneInfo.clear_cache()


@pytest.mark.parametrize(
    ("first", "used"),
    [
        ("# version 2025b", "package"),
        (f"# version {tzdata.IANA_VERSION}", "computer"),
        ("# version 2099a", "computer"),
        ("", "computer"),
        (None, "computer"),
    ],
)
def test_the_newer_time_zones_are_used(own_zones: Path, first: str | None, used: str) -> None:
    if first is not None:
        (own_zones / "tzdata.zi").write_text(f"{first}\n# redo posix_only\n")
    use_newest_time_zones()
    assert ((str(own_zones),) if used == "computer" else ()) == zoneinfo.TZPATH


def test_clocks_in_vancouver_no_longer_change(own_zones: Path) -> None:
    (own_zones / "tzdata.zi").write_text("# version 2025b\n")
    use_newest_time_zones()
    winter = datetime(2027, 1, 7, 19, 30, tzinfo=zoneinfo.ZoneInfo("America/Vancouver"))
    assert winter.utcoffset() == timedelta(hours=-7)


def test_a_moment_reads_in_utc_until_the_phone_knows_better() -> None:
    moment = datetime(2025, 11, 2, 21, 5, 59, tzinfo=UTC)
    assert localtime(moment) == '<time datetime="2025-11-02T21:05:59Z">November 2, 2025, 21:05 UTC</time>'


def test_a_moment_of_another_zone_is_the_same_moment() -> None:
    assert "2025-11-02T21:05:00Z" in localtime(datetime(2025, 11, 2, 23, 5, tzinfo=timezone(timedelta(hours=2))))


def test_a_moment_without_a_zone_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        localtime(datetime(2025, 11, 2, 23, 5))  # noqa: DTZ001
