"""Forms of the first pages: start a game, import a record, delete unused games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from secrets import SystemRandom
from typing import Any

from werkzeug.datastructures import FileStorage
from wtforms import FileField, HiddenField, StringField

from scorekeeper.games.forms.base import StartForm
from scorekeeper.games.forms.house_rules import HouseRulesForm
from scorekeeper.games.logic.seating import Seats, draw_dealer, draw_partners, draw_seats, sit_down, swap_seats
from scorekeeper.rules.local_rules import LOCAL_RULES
from scorekeeper.rules.parts import Seating
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, differing
from scorekeeper.web.forms import AppForm, at_most, printable

MOST_SEATS = 7
DRAWS = {"seats": draw_seats, "partners": draw_partners, "dealer": draw_dealer}
"""What can be drawn by lot, by the value of its button."""
MOST_TYPED = 200
"""Characters of an invalid name that are shown again with the error."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The choices made so far for a new game."""

    preset: Ruleset
    seating: Seating
    names: tuple[str, ...]
    """By seat; empty for a seat without a name."""
    dealer: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    rules_name: str = ""
    """Name under which the house rules are to be saved."""
    rules_open: bool = False
    """Whether somebody is choosing house rules, so that they stay in sight."""
    teams: tuple[str, ...] = ()
    """Team names by side; empty for a side without one."""
    drawn: str = ""
    """What was drawn by lot just now: a key of `DRAWS`."""
    to_swap: int | None = None
    """The seat that changes places with the one that is tapped next."""

    def with_rules(self, rules: Ruleset) -> Setup:
        """Return this setup with saved house rules, and the seats that their game has."""
        preset = PRESETS[rules.preset]
        seating = seating_for(preset, seating_value(self.seating), self.seating.players)
        names = tuple(name_at(self.names, seat) for seat in range(seating.players))
        dealer = min(self.dealer, seating.players - 1)
        return replace(
            self, preset=preset, seating=seating, names=names, dealer=dealer, options=differing(preset, rules)
        )


def seating_for(preset: Ruleset, wanted: str, players: int) -> Seating:
    """Return the seating of `preset` with the form value `wanted`; else one for as many players, else the first."""
    by_value = {seating_value(seating): seating for seating in preset.seatings}
    same_number = (seating for seating in preset.seatings if seating.players == players)
    return by_value.get(wanted) or next(same_number, preset.seatings[0])


def seating_value(seating: Seating) -> str:
    """Return the form value of a seating: "4p" for four in partners, "4" for four solo."""
    return f"{seating.players}{'p' if seating.kind == 'partners' else ''}"


def name_at(names: Sequence[str], seat: int) -> str:
    """Return the name at a seat, empty if there is none."""
    return names[seat] if seat < len(names) else ""


def _text(*filters: Any) -> Any:
    """Return a field for a text that a page can show; empty if nothing was sent."""
    return StringField(filters=[printable, *filters])


class NewGameForm(HouseRulesForm):
    """Choose a game, seats and house rules. Each button sends all fields and one more."""

    preset = _text()
    choose = _text()
    """Button: change the game."""
    seating = _text()
    seating_choice = _text()
    """Button: change players and partners."""
    first_dealer = _text()
    usual_rules = _text()
    """Button: back to the usual rules of the game."""
    local_rules = _text()
    """Button: house rules by the name of where they are played."""
    use_rules = _text()
    """Button: use saved house rules, by id."""
    rules_name = _text(str.strip, at_most(MOST_TYPED))
    sit = _text(str.strip, at_most(MOST_TYPED))
    """Button: put this name on the next empty seat, or take it away."""
    draw = _text()
    """Button: draw by lot, a key of `DRAWS`."""
    swap = _text()
    """Button: swap this seat with the one tapped before."""
    to_swap = _text()

    def setup(self, fallback: Setup) -> Setup:
        """Return the choices; a choice that is not offered is replaced by that of `fallback`."""
        chosen = bool(self.choose.raw_data)
        preset = PRESETS.get(self.choose.data or self.preset.data, fallback.preset)
        moved = chosen and self.choose.data != self.preset.data
        wanted = "" if moved else self.seating_choice.data or self.seating.data
        seats = [self[name] for name in SEAT_FIELDS]
        players = sum(bool(seat.raw_data) for seat in seats) or fallback.seating.players
        seating = seating_for(preset, wanted, players)
        names = tuple(seat.data for seat in seats[: seating.players])
        if not seats[0].raw_data:
            names = tuple(name or name_at(fallback.names, seat) for seat, name in enumerate(names))
        dealer = self.first_dealer.data
        numbers = dict(zip(map(str, range(seating.players)), range(seating.players), strict=True))
        teams = tuple(self[name].data for name in TEAM_FIELDS)
        moved, to_swap = self._moved(Seats(names, numbers.get(dealer, 0)), numbers)
        return Setup(
            preset,
            seating,
            moved.names,
            moved.dealer,
            self._options(preset),
            self.rules_name.data,
            rules_open=bool(self.usual_rules.raw_data or self.local_rules.raw_data),
            teams=teams if any(teams) else (),
            drawn=self.draw.data if self.draw.data in DRAWS else "",
            to_swap=to_swap,
        )

    def _moved(self, seats: Seats, numbers: Mapping[str, int]) -> tuple[Seats, int | None]:
        """Return the seats after the button that was pressed, and the seat that waits to be swapped."""
        if self.draw.data in DRAWS:
            return DRAWS[self.draw.data](seats, SystemRandom()), None
        if self.sit.data:
            return sit_down(seats, self.sit.data), None
        one, other = numbers.get(self.to_swap.data), numbers.get(self.swap.data)
        if one is None or other is None:
            return seats, other
        return swap_seats(seats, one, other), None

    def _options(self, preset: Ruleset) -> dict[str, Any]:
        """Return the house rules; none after a tap on a game, which means that game by its usual rules."""
        if self.choose.raw_data or self.usual_rules.raw_data:
            return {}
        local = LOCAL_RULES.get(self.local_rules.data)
        return dict(local.options) if local and local.preset == preset.preset else self.options(preset)


SEAT_FIELDS = tuple(f"name-{seat}" for seat in range(MOST_SEATS))
TEAM_FIELDS = tuple(f"team-{side}" for side in range(MOST_SEATS // 2))
for _name in SEAT_FIELDS + TEAM_FIELDS:
    setattr(NewGameForm, _name, _text(str.strip, at_most(MOST_TYPED)))


class UnusedForm(AppForm):
    """Delete games without any scores."""

    game = HiddenField()

    @property
    def chosen(self) -> list[str]:
        """Return the public ids of the checked games."""
        return list(self.game.raw_data or ())


class RecordForm(StartForm):
    """Import a record: a file, or its text."""

    record = FileField()
    text = StringField(default="")

    def read(self) -> bytes:
        """Return the file or text that was sent, or nothing."""
        upload = self.record.data
        return upload.read() if isinstance(upload, FileStorage) and upload else (self.text.data or "").encode()
