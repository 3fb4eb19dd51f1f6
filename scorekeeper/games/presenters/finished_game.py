"""Make the page on which a finished game is added by its final score, such as one that was scored on paper."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from scorekeeper.games import pages
from scorekeeper.games.forms.start import Setup, name_at
from scorekeeper.games.presenters.new_game import seat_fields, sheet_fields
from scorekeeper.games.presenters.snapshot import new_tap_id
from scorekeeper.games.presenters.vocabulary import LETTERS
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.i18n.ruleset_labels import seating_words
from scorekeeper.i18n.sentences import isolated, side_names
from scorekeeper.rules.table import sides_of
from scorekeeper.rules.violation import RuleViolation


def finished_page(
    setup: Setup, known_names: Sequence[str], day: str, today: date, violation: RuleViolation | None = None
) -> pages.FinishedGamePage:
    """Return the page for adding a game with the players and rules of `setup`, played on `day` (text of the form).

    `today` is offered while `day` is empty. The message of `violation` is shown at the name that is wrong, or above the
    form.
    """
    field, message = (violation.field or "", spoken(violation.message)) if violation else ("", "")
    seats = seat_fields(setup, field, message)
    sides = sides_of(setup.seating)
    fields = dict(sheet_fields(setup.preset.preset, setup.seating, setup.options))
    fields["seating"] = fields.pop("players")
    teams = {f"team-{side}": name_at(setup.teams, side) for side in range(len(sides))}
    return pages.FinishedGamePage(
        name=spoken(setup.preset.name),
        line=seating_words(setup.preset, setup.seating),
        fields=fields | {"first_dealer": str(setup.dealer)} | {key: name for key, name in teams.items() if name},
        sides=tuple(
            pages.FinishedSide(
                index, LETTERS[index], name_at(setup.teams, index), tuple(seats[seat] for seat in members)
            )
            for index, members in enumerate(sides)
        ),
        changed=len(setup.options),
        known_names=tuple(known_names),
        day=day or today.isoformat(),
        typed=bool(day),
        today=today.isoformat(),
        client_id=new_tap_id(),
        error="" if any(seat.error for seat in seats) else message,
    )


def named_sides(setup: Setup) -> tuple[str, ...]:
    """Return the names of the sides, for the question who won."""
    names = [isolated(name_at(setup.names, seat)) or _("Seat %(number)s", number=seat + 1) for seat in range(8)]
    return tuple(side.name for side in side_names(sides_of(setup.seating), names, setup.teams))
