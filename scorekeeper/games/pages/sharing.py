"""Models for sharing a game: scorers, watchers, messages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from scorekeeper.games.pages.common import SeatView, SideView


@dataclass(frozen=True, slots=True)
class OtherPhone:
    """A phone that may score the game besides the one that started it."""

    id: int
    name: str
    """Its owner; empty if nobody said."""
    since: datetime
    before: bool
    """The main phone before another phone took over."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """Other scorers and watching, for the phone that started the game."""

    phones: tuple[OtherPhone, ...]
    link_made: datetime | None
    """When the unused score link was made; None if there is none."""
    watched: bool
    """Everyone with the link may watch."""


@dataclass(frozen=True, slots=True)
class ScoreLinkPage:
    """A new score link, shown only now."""

    game_id: str
    url: str
    code: Markup
    """Its QR code, an `<svg>`."""
    note: str
    """A warning that the address works on this computer only; or empty."""
    hours: int
    """How long it works."""


@dataclass(frozen=True, slots=True)
class HandedOn:
    """A message about a game for a group chat."""

    about: str
    """Description below a link's title: the winner and why, or what each side needs."""
    text: str
    """The score as a message, before the link: "Setback to 21. Ann and Cid win, 22 to 15."."""
    game_id: str
    version: int
    watched: bool
    """Others may watch, so there is a link and a picture to send."""
    bg_stats: str = ""
    """The link that logs the game in the app BG Stats; empty until it is over."""


@dataclass(frozen=True, slots=True)
class JoinPage:
    """Confirm that this phone joins a game as a scorer."""

    secret: str
    game_name: str
    sides: tuple[SideView, ...]
    seats: tuple[SeatView, ...]
