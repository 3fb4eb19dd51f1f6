"""The states of a message, the result of one attempt to send it, and when to try again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from types import MappingProxyType

from scorekeeper.i18n.catalog import N_


class State(StrEnum):
    """State of a message, as stored."""

    WAITING = "waiting"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"
    UNKNOWN = "unknown"
    """It may have arrived: the answer was lost, or the server stopped while sending. It isn't sent again by itself."""
    CANCELED = "canceled"


LABELS: Mapping[State, str] = MappingProxyType(
    {
        State.WAITING: N_("waiting"),
        State.SENDING: N_("being sent"),
        State.SENT: N_("sent"),
        State.FAILED: N_("failed"),
        State.UNKNOWN: N_("may have arrived"),
        State.CANCELED: N_("canceled"),
    }
)
REPEATABLE = (State.FAILED, State.UNKNOWN, State.CANCELED)
"""States in which a director may send a message again by hand."""

ERRORS: Mapping[str, str] = MappingProxyType(
    {
        "private": N_("The address is inside a private network. Use a public address."),
        "unknown_host": N_("The server wasn't found. Check the address."),
        "unreachable": N_("The server didn't accept a connection."),
        "certificate": N_("The server's certificate isn't valid for its address."),
        "redirect": N_("This address redirects to another one. Enter that one instead."),
        "refused": N_("The server refused the message (%(status)s). Check the address."),
        "busy": N_("The server asked to try again later (%(status)s)."),
        "no_answer": N_("The connection was lost before the server replied."),
        "stopped": N_("Scorekeeper stopped while sending."),
        "no_tls": N_("The mail server offers no encryption."),
        "sign_in": N_("The mail server refused Scorekeeper's sign-in. Tell the person who runs the server."),
        "broken": N_("Something went wrong. The person who runs the server can find the cause in the log."),
        "off": N_("The person who runs this server turned off messages of this kind."),
    }
)
"""Sentence for each kind of error."""

MINUTES = (1, 5, 15, 60, 120, 240, 360)
"""Pause after each failed attempt."""
MOST_ATTEMPTS = len(MINUTES) + 1
LONGEST = timedelta(minutes=MINUTES[-1])


@dataclass(frozen=True, slots=True)
class Attempt:
    """The outcome of one attempt to send a message."""

    state: State
    """`WAITING` to try again."""
    error: str = ""
    """Key in `ERRORS`, empty if it was sent."""
    status: int = 0
    """Status of the answer, 0 if there was none."""
    wait: int = 0
    """Seconds for which the server asked."""

    @property
    def stored(self) -> str:
        """Return the error as it is stored: the key, and the status after a colon."""
        return f"{self.error}:{self.status}" if self.status and self.error else self.error


SENT = Attempt(State.SENT)


def retry(error: str, status: int = 0, wait: int = 0) -> Attempt:
    """Return the outcome of an attempt that surely delivered nothing and may succeed later."""
    return Attempt(State.WAITING, error, status, wait)


def failed(error: str, status: int = 0) -> Attempt:
    """Return the outcome of an attempt that would fail again."""
    return Attempt(State.FAILED, error, status)


def unknown(error: str, status: int = 0) -> Attempt:
    """Return the outcome of an attempt that may have delivered the message."""
    return Attempt(State.UNKNOWN, error, status)


def after(outcome: Attempt, attempts: int) -> tuple[State, timedelta]:
    """Return the state after so many attempts (the last one included), and the pause before the next one."""
    if outcome.state is not State.WAITING:
        return outcome.state, timedelta(0)
    if attempts >= MOST_ATTEMPTS:
        return State.FAILED, timedelta(0)
    pause = timedelta(minutes=MINUTES[attempts - 1])
    return State.WAITING, min(LONGEST, max(pause, timedelta(seconds=outcome.wait)))
