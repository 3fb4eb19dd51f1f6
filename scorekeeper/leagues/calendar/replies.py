"""The answers that a player can give for a planned night."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scorekeeper.i18n.catalog import N_

YES, NO, MAYBE, SUBSTITUTE = "yes", "no", "maybe", "substitute"
NOTE_LENGTH = 100


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer: its button, the heading over the people who gave it, and its note at check-in."""

    button: str
    heading: str
    at_desk: str


REPLIES: Mapping[str, Reply] = {
    YES: Reply(N_("Yes"), N_("Coming"), N_("said yes")),
    MAYBE: Reply(N_("Maybe"), N_("Maybe"), N_("said maybe")),
    NO: Reply(N_("No"), N_("Not coming"), N_("said no")),
    SUBSTITUTE: Reply(N_("I need a substitute"), N_("Need a substitute"), N_("needs a substitute")),
}
"""By key, in the order of the buttons."""


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer as somebody gives it; `sub` is the typed name of the substitute, or empty."""

    says: str
    sub: str = ""
    note: str = ""
