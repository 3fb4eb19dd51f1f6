"""Models of the page that compares offline hands with the saved ones."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TailRow:
    """One hand on the phone ("here") and on the server ("there"), as sentences; empty if it is missing."""

    number: int
    here: str
    here_score: str
    there: str
    there_score: str
    agrees: bool


@dataclass(frozen=True, slots=True)
class TailPage:
    """Hands that a phone saved offline, and the choices to settle them."""

    game_id: str
    game_name: str
    carried: bool
    """The hands came from another phone by QR code."""
    rows: tuple[TailRow, ...]
    """From the first waiting hand to the last hand of either; none if all are saved."""
    compared: bool
    """The game went on otherwise on the server, so that the players have to choose."""
    here_result: str
    """The result with the phone's hands; empty if they cannot count."""
    there_result: str
    accept: str
    """Label of the button that makes them count; empty if they cannot."""
    accepting: str
    """The effect of that button, or why there is none."""
    may_score: bool
    text: str
    """The hands in words, to copy."""
    sent: str
    """The hands as they came, JSON."""
    version: int
    client_id: str
    notice: str = ""
