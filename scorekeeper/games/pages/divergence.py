"""Models of the page that compares offline hands with the saved ones."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TailRow:
    """A hand and the score after the hand, in two versions.

    `here` and `here_score` are from the phone, and `there` and `there_score` are from the server. Each of these fields
    holds sentences, or is "" if that version has no such hand or score.
    """

    number: int
    here: str
    here_score: str
    there: str
    there_score: str
    agrees: bool


@dataclass(frozen=True, slots=True)
class TailPage:
    """The page on which players decide about hands that a phone saved offline.

    The page shows the phone's hands beside those on the server, and the choices.
    """

    game_id: str
    game_name: str
    carried: bool
    """Whether the hands came from another phone by QR code."""
    rows: tuple[TailRow, ...]
    """A row for each hand on the phone or server, from the phone's first offline hand on; empty if all are saved."""
    compared: bool
    """Whether the server has saved other hands in the meantime, so that the players have to choose."""
    here_result: str
    """The result with the phone's hands; empty if these cannot count."""
    there_result: str
    accept: str
    """Label of the button that makes the phone's hands count; empty if they cannot."""
    accepting: str
    """The effect of the button `accept`, or why there is no such button; empty if `compared` is False."""
    may_score: bool
    text: str
    """The hands in words, to copy."""
    sent: str
    """The hands as the phone sent them, in JSON."""
    version: int
    client_id: str
    notice: str = ""
