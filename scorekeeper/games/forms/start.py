"""The forms of the first pages: a new game, a record brought in, games that nobody played put away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from werkzeug.datastructures import FileStorage
from wtforms import FileField, HiddenField, StringField

from scorekeeper.games.forms.base import StartForm
from scorekeeper.games.forms.house_rules import HouseRulesForm
from scorekeeper.rules.parts import Seating
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, differing
from scorekeeper.web.forms import AppForm, at_most, printable

MOST_SEATS = 7
MOST_TYPED = 200
"""Letters of a name that come back with what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What is chosen so far."""

    preset: Ruleset
    seating: Seating
    names: tuple[str, ...]
    """By seat; empty where nobody was named yet."""
    dealer: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    rules_name: str = ""
    """Name under which the house rules are to be kept."""

    def with_rules(self, rules: Ruleset) -> Setup:
        """Return this with kept house rules, and seats as far as their game has them."""
        preset = PRESETS[rules.preset]
        seating = seating_for(preset, seating_value(self.seating), self.seating.players)
        names = tuple(name_at(self.names, seat) for seat in range(seating.players))
        dealer = min(self.dealer, seating.players - 1)
        return replace(
            self, preset=preset, seating=seating, names=names, dealer=dealer, options=differing(preset, rules)
        )


def seating_for(preset: Ruleset, wanted: str, players: int) -> Seating:
    """Return the seating of `preset` that is `wanted`; else one for that many players, else the usual one."""
    by_value = {seating_value(seating): seating for seating in preset.seatings}
    same_number = (seating for seating in preset.seatings if seating.players == players)
    return by_value.get(wanted) or next(same_number, preset.seatings[0])


def seating_value(seating: Seating) -> str:
    """Return a seating as a form carries it: "4p" for four in partners, "4" for four alone."""
    return f"{seating.players}{'p' if seating.kind == 'partners' else ''}"


def name_at(names: Sequence[str], seat: int) -> str:
    """Return the name at a seat, empty where there is none."""
    return names[seat] if seat < len(names) else ""


def _text(*filters: Any) -> Any:
    """A field whose text a page can show; empty where nothing was sent."""
    return StringField(filters=[printable, *filters])


class NewGameForm(HouseRulesForm):
    """Choose a game, who sits where, and house rules. Each of its buttons sends all of it, and one field more."""

    preset = _text()
    choose = _text()
    """Button: another game."""
    seating = _text()
    seating_choice = _text()
    """Button: others who sit down."""
    first_dealer = _text()
    usual_rules = _text()
    """Button: back to the usual rules of the game."""
    use_rules = _text()
    """Button: house rules that this phone keeps, by their id."""
    rules_name = _text(str.strip, at_most(MOST_TYPED))

    def setup(self, fallback: Setup) -> Setup:
        """Return what is chosen; where something is named that is not offered, that of `fallback`."""
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
        return Setup(
            preset,
            seating,
            names,
            int(dealer) if dealer in map(str, range(seating.players)) else 0,
            # Who taps a game wants that game, not what was changed of it before.
            {} if chosen or self.usual_rules.raw_data else self.options(preset),
            self.rules_name.data,
        )


SEAT_FIELDS = tuple(f"name-{seat}" for seat in range(MOST_SEATS))
for _name in SEAT_FIELDS:
    setattr(NewGameForm, _name, _text(str.strip, at_most(MOST_TYPED)))


class UnusedForm(AppForm):
    """Put away games that nobody played."""

    game = HiddenField()

    @property
    def chosen(self) -> list[str]:
        """Return the public ids that were ticked."""
        return list(self.game.raw_data or ())


class RecordForm(StartForm):
    """Bring in a record: a file, or its text."""

    record = FileField()
    text = StringField(default="")

    def read(self) -> bytes:
        """Return what was sent; empty where nothing was."""
        upload = self.record.data
        return upload.read() if isinstance(upload, FileStorage) and upload else (self.text.data or "").encode()
