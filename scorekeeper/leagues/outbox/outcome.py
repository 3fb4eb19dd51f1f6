"""The states of a message, the result of one attempt to send it, and when to try again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from types import MappingProxyType

from scorekeeper.i18n.catalog import N_


class State(StrEnum):
    """The state of a message, as stored in the database."""

    WAITING = "waiting"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"
    UNKNOWN = "unknown"
    """The message may have arrived: the answer was lost, or this server stopped. It isn't sent again automatically."""
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
"""Maps the key of each kind of error to its sentence for pages. The status code replaces "%(status)s"."""

MINUTES = (1, 5, 15, 60, 120, 240, 360)
"""Minutes to wait after the first failed attempt, after the second, and so on."""
MOST_ATTEMPTS = len(MINUTES) + 1
LONGEST = timedelta(minutes=MINUTES[-1])


@dataclass(frozen=True, slots=True)
class Attempt:
    """The outcome of one attempt to send a message."""

    state: State
    """State of the message after the attempt; `WAITING` if it should be tried again."""
    error: str = ""
    """Key in `ERRORS`, empty if the message was sent."""
    status: int = 0
    """Status code of the server's answer (HTTP or SMTP), 0 if there was none."""
    wait: int = 0
    """Seconds to wait before the next attempt, as the server asked; 0 if it didn't."""

    @property
    def stored(self) -> str:
        """Return the error for the database: its key, followed by ":" and the status code if there is one."""
        return f"{self.error}:{self.status}" if self.status and self.error else self.error


SENT = Attempt(State.SENT)


def retry(error: str, status: int = 0, wait: int = 0) -> Attempt:
    """Return the outcome of an attempt that delivered nothing but may succeed if it is repeated later.

    `error` is a key of `ERRORS`. `status` is the status code of the response, and `wait` is the pause that the server
    asked for, in seconds.
    """
    return Attempt(State.WAITING, error, status, wait)


def failed(error: str, status: int = 0) -> Attempt:
    """Return the outcome of an attempt that failed and would fail again.

    `error` is a key of `ERRORS`, and `status` is the status code of the response.
    """
    return Attempt(State.FAILED, error, status)


def unknown(error: str, status: int = 0) -> Attempt:
    """Return the outcome of an attempt that may have delivered the message.

    `error` is a key of `ERRORS`, and `status` is the status code of the response.
    """
    return Attempt(State.UNKNOWN, error, status)


def after(outcome: Attempt, attempts: int) -> tuple[State, timedelta]:
    """Return the new state of a message after an attempt, and the pause before the next attempt.

    `outcome` is the result of the attempt. `attempts` counts the attempts so far, including this one. The pause is zero
    if there is no next attempt.
    """
    if outcome.state is not State.WAITING:
        return outcome.state, timedelta(0)
    if attempts >= MOST_ATTEMPTS:
        return State.FAILED, timedelta(0)
    pause = timedelta(minutes=MINUTES[attempts - 1])
    return State.WAITING, min(LONGEST, max(pause, timedelta(seconds=outcome.wait)))
