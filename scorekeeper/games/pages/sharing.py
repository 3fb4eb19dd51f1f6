"""Models for sharing a game: scorers, watchers, messages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from scorekeeper.games.pages.common import SeatView, SideView


@dataclass(frozen=True, slots=True)
class OtherPhone:
    """A phone that may score the game, other than the phone that started the game."""

    id: int
    name: str
    """Name of its owner; empty if unknown."""
    since: datetime
    before: bool
    """Whether it was the main phone until another phone took over."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """The section of the game menu about the other phones that keep score.

    Only the phone that started the game sees this section.
    """

    phones: tuple[OtherPhone, ...]
    link_made: datetime | None
    """When the latest link for another scorer was made that nobody has used yet; None if there is no such link."""


@dataclass(frozen=True, slots=True)
class ScoreLinkPage:
    """The page with a new link for keeping score. The link can't be shown again later."""

    game_id: str
    url: str
    code: Markup
    """The QR code of the link, an `<svg>`."""
    note: str
    """A warning if the address works on this computer only; else empty."""
    hours: int
    """How many hours the link works."""


@dataclass(frozen=True, slots=True)
class HandedOn:
    """A message about a game, to share in a group chat."""

    about: str
    """Text below the title of a link preview: the winner and why, or what each side needs."""
    text: str
    """The score as a message, before the link: "Setback to 21. Ann and Cid win, 22 to 15."."""
    game_id: str
    version: int
    watched: bool
    """Whether others may watch, so that there is a link and a picture to send."""
    bg_stats: str = ""
    """The link that logs the game in the app BG Stats; empty until the game is over, and for an abandoned game."""


@dataclass(frozen=True, slots=True)
class JoinPage:
    """The page that asks for confirmation before this phone joins a game as a scorer."""

    secret: str
    game_name: str
    sides: tuple[SideView, ...]
    seats: tuple[SeatView, ...]
