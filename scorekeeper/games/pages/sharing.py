"""Who else may watch and score a game."""

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
    """Whose it is; empty where that was not said."""
    since: datetime
    before: bool
    """The game was its own until another one took its place."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """What the phone that started a game decides."""

    phones: tuple[OtherPhone, ...]
    link_made: datetime | None
    """When the score link was made that nobody used yet; None where there is none."""
    watched: bool
    """Everybody with the address may watch."""


@dataclass(frozen=True, slots=True)
class ScoreLinkPage:
    """A new score link, shown this once."""

    game_id: str
    url: str
    code: Markup
    """Its QR code, an `<svg>`."""
    note: str
    """What stands in the way: the address works on this computer only; or empty."""
    hours: int
    """How long it opens."""


@dataclass(frozen=True, slots=True)
class HandedOn:
    """What goes from a game to a chat."""

    about: str
    """What stands below a link's title: who won and why, or what each side needs."""
    text: str
    """The score as a message; the link goes behind it: "Setback to 21. Ann and Cid win, 22 to 15."."""
    game_id: str
    version: int
    watched: bool
    """Whether others may watch, so that there is a link and a picture to send."""


@dataclass(frozen=True, slots=True)
class JoinPage:
    """Asks whether this phone is to score a game."""

    secret: str
    game_name: str
    sides: tuple[SideView, ...]
    seats: tuple[SeatView, ...]
