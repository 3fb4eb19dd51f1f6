"""The answers that a player can give about a planned night."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scorekeeper.i18n.catalog import N_

YES, NO, MAYBE, SUBSTITUTE = "yes", "no", "maybe", "substitute"
NOTE_LENGTH = 100


@dataclass(frozen=True, slots=True)
class Reply:
    """One of the answers to the question whether a player will come to a planned night.

    `button` is the label of the button. `heading` is the heading above the players who gave this answer. `at_desk` is
    the wording at check-in.
    """

    button: str
    heading: str
    at_desk: str


REPLIES: Mapping[str, Reply] = {
    YES: Reply(N_("Yes"), N_("Coming"), N_("said yes")),
    MAYBE: Reply(N_("Maybe"), N_("Maybe"), N_("said maybe")),
    NO: Reply(N_("No"), N_("Not coming"), N_("said no")),
    SUBSTITUTE: Reply(N_("I need a substitute"), N_("Need a substitute"), N_("needs a substitute")),
}
"""All answers by key, in the order of the buttons."""


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer that a player entered, or that a helper entered for a player.

    `says` is a key of `REPLIES`. `sub` is the typed name of the substitute, or "".
    """

    says: str
    sub: str = ""
    note: str = ""
