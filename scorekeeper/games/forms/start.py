"""The form to enter a final score, at a league night or at home.

Forms of the first pages: start a game, import a record, delete unused games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count, takewhile
from secrets import SystemRandom
from typing import Any

from msgspec import Struct, field, structs
from wtforms import Field, FileField, HiddenField, SelectField, StringField

from scorekeeper.games.forms.base import StartForm
from scorekeeper.games.forms.house_rules import MOST_FIND, HouseRulesForm, findable_games, number_of_players
from scorekeeper.games.logic.final_scores import AnswerNeeded, answer_labels
from scorekeeper.games.logic.new_game import (
    Seats,
    draw_dealer,
    draw_partners,
    draw_seats,
    nearest_game,
    sit_down,
    swap_seats,
)
from scorekeeper.i18n.catalog import spoken
from scorekeeper.rules.parts import Seating
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import LOCAL_RULES, PRESETS
from scorekeeper.rules.ruleset import Ruleset, differing
from scorekeeper.web.forms import AppForm, at_most, printable, uploaded
from scorekeeper.web.text import whole_number


class PointsField(Field):
    """The typed points of all sides, as strings. A field "points" has the inputs "points-0", "points-1" and so on."""

    def process(self, formdata: Any, *args: Any, **how: Any) -> None:
        """Parse the posted points of all sides. If none are posted, keep the initial points."""
        super().process(None, *args, **how)
        names = takewhile(formdata.__contains__, map(self.name_of, count())) if formdata else ()
        self.data = tuple(printable(formdata[name]).strip().replace("−", "-") for name in names) or self.data

    def name_of(self, side: int) -> str:
        """Return the name of the input for a side."""
        return f"{self.name}-{side}"

    def text(self, side: int) -> str:
        """Return the text in the input for a side; empty if there is none."""
        return self.data[side] if side < len(self.data) else ""

    def is_missing(self, side: int) -> bool:
        """Return whether the input for a side is empty or not a number."""
        return _points(self.text(side)) is None

    def first_wrong(self) -> int | None:
        """Return the side below whose input the error of this field is shown, or None if it has no error."""
        return next(filter(self.is_missing, range(len(self.data))), None) if self.errors else None


def _points(text: str) -> int | None:
    """Return the points in a typed string, or None if it is empty or not a number."""
    return whole_number(text.strip(), 4, signed=True)


def numbers(texts: Sequence[str]) -> tuple[int, ...]:
    """Return the points of each side, from the typed strings `texts`.

    Raises `RuleViolation` if a string is empty or not a number.
    """
    points = tuple(number for text in texts if (number := _points(text)) is not None)
    if not texts or len(points) < len(texts):
        raise RuleViolation("points_missing", "Enter points for every side.")
    return points


class FinalScoreForm(AppForm):
    """The form to enter the final score of a game without hands.

    `ending` is the user's answer about how the game ended. `asked` is the score that was entered when the page asked
    about this.
    """

    totals = PointsField(name="points", default=())
    asked = HiddenField(default="")
    ending = SelectField()

    def refused(self, violation: RuleViolation, sides: Sequence[str]) -> str:
        """Show an error on the form and return "", if there is a place for it there. Otherwise, return its message.

        An `AnswerNeeded` error is a question with its answers. Missing points, and points that aren't a number, are
        shown at their inputs. `sides` are the names of the sides.
        """
        if violation.code == "points_missing" and None in map(_points, self.totals.data):
            self.totals.errors = [spoken(violation.message)]
            return ""
        if not isinstance(violation, AnswerNeeded):
            return spoken(violation.message)
        self.refuse(self.ending.name, spoken(violation.message))
        self.ending.choices = dict(answer_labels(violation, sides))
        return ""

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the points by side. Raises `RuleViolation` if a side's points are missing or not a number."""
        return numbers(self.totals.data)

    @property
    def answer(self) -> str:
        """Return the user's answer about how the game ended.

        Return "" if the user gave no answer, or answered for a different score than the posted one.
        """
        return (self.ending.data or "") if self.asked.data == ",".join(self.totals.data) else ""


MOST_SEATS = max(seating.players for rules in PRESETS.values() for seating in rules.seatings)
DRAWS = {"seats": draw_seats, "partners": draw_partners, "dealer": draw_dealer}
"""Functions for a random draw, by the form value of the button."""
MOST_TYPED = 200
"""Maximum number of characters that are read of a typed name. Allowed names are shorter; longer ones get an error."""


class Setup(Struct, frozen=True):
    """The choices made so far for a new game."""

    preset: Ruleset
    seating: Seating
    names: tuple[str, ...]
    """Names by seat; empty for a seat without a name."""
    dealer: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    rules_name: str = ""
    """Name under which the player wants to save the house rules; empty for none."""
    rules_open: bool = False
    """Whether the player is choosing house rules, so that the page keeps them open."""
    teams: tuple[str, ...] = ()
    """Team names by side; empty for a side without one."""
    drawn: str = ""
    """The draw that was just made, a key of `DRAWS`; empty for none."""
    to_swap: int | None = None
    """Seat that was tapped to be swapped with the seat that is tapped next; None if no seat was."""
    sure: tuple[str, ...] = ()
    """New names that look like a known one, and about which the page has asked already."""

    def with_rules(self, rules: Ruleset) -> Setup:
        """Return this setup with the saved house rules `rules`, and with the game to which these rules belong.

        If the game doesn't allow the current seating, the result has a different seating.
        """
        preset = PRESETS[rules.preset]
        seating = seating_for(preset, seating_value(self.seating), self.seating.players)
        names = tuple(name_at(self.names, seat) for seat in range(seating.players))
        dealer = min(self.dealer, seating.players - 1)
        return structs.replace(
            self,
            preset=preset,
            seating=seating,
            names=names,
            dealer=dealer,
            options=differing(preset, rules),
            rules_name="",
        )


def seating_for(preset: Ruleset, wanted: str, players: int) -> Seating:
    """Return the seating with the form value `wanted` (see `seating_value`) in the game `preset`.

    If the game has no such seating, return the game's first seating for `players` players. If there is no seating for
    `players` players, return the game's first seating.
    """
    by_value = {seating_value(seating): seating for seating in preset.seatings}
    same_number = (seating for seating in preset.seatings if seating.players == players)
    return by_value.get(wanted) or next(same_number, preset.seatings[0])


def seating_value(seating: Seating) -> str:
    """Return the form value of a seating.

    "4p" means four players in partnerships, and "6p3" six players in three teams. "4" means four players without
    partners, and "5c" five players with a called partner.
    """
    if seating.kind != "partners":
        return f"{seating.players}{'c' if seating.kind == 'called' else ''}"
    return f"{seating.players}p{'' if seating.teams == 2 else seating.teams}"


def name_at(names: Sequence[str], seat: int) -> str:
    """Return the name at a seat, or "" if the seat has no name."""
    return names[seat] if seat < len(names) else ""


def _text(*filters: Any) -> Any:
    """Return a form field for text without control characters. The text is "" if nothing was sent."""
    return StringField(filters=[printable, *filters])


class NewGameForm(HouseRulesForm):
    """Choose a game, the seats and house rules. Each button sends all fields of the form and a field for itself."""

    preset = _text()
    choose = _text()
    """Button: choose another game; the value is its key."""
    build = _text(str.strip, at_most(MOST_FIND))
    """Button: make up house rules, starting from the game that is most like this text."""
    wanted_players = _text()
    """The number of players that was entered in the search for a game."""
    seating = _text()
    seating_choice = _text()
    """Button: choose another number of players or other partners."""
    first_dealer = _text()
    usual_rules = _text()
    """Button: go back to the usual rules of the game."""
    local_rules = _text()
    """Button: use named house rules, by the key in `LOCAL_RULES`."""
    use_rules = _text()
    """Button: use house rules that this phone saved, by id."""
    rules_name = _text(str.strip, at_most(MOST_TYPED))
    sit = _text(str.strip, at_most(MOST_TYPED))
    """Button: seat the player with this name on the next empty seat, or free the seat that they have already."""
    draw = _text()
    """Button: draw at random; the value is a key of `DRAWS`."""
    swap = _text()
    """Button: choose this seat for a swap, or swap it with the seat that was tapped before."""
    to_swap = _text()
    sure = HiddenField()

    def setup(self, fallback: Setup) -> Setup:
        """Return the choices in the form. Missing or invalid choices are taken from `fallback`."""
        chosen = self.chosen_game()
        preset = PRESETS.get(chosen or self.preset.data, fallback.preset)
        seats = [self[name] for name in SEAT_FIELDS]
        seated = sum(bool(seat.raw_data) for seat in seats) or fallback.seating.players
        players = (chosen and number_of_players(self.wanted_players.data)) or seated
        moved = bool(chosen) and (chosen != self.preset.data or players != seated)
        wanted = "" if moved else self.seating_choice.data or self.seating.data
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
            # What was typed names the rules that were on the page.
            "" if self.choose.raw_data or self.builds else self.rules_name.data,
            rules_open=bool(self.usual_rules.raw_data or self.local_rules.raw_data or self.builds),
            teams=teams if any(teams) else (),
            drawn=self.draw.data if self.draw.data in DRAWS else "",
            to_swap=to_swap,
            sure=tuple(map(str, self.sure.raw_data or ())),
        )

    @property
    def builds(self) -> bool:
        """Return whether the player pressed the button for making up a game with their own rules."""
        return bool(self.build.raw_data)

    def chosen_game(self) -> str:
        """Return the key of the game that the player chose with a button of this form, or "" if they chose none."""
        if not self.builds:
            return self.choose.data or ""
        return nearest_game(self.build.data, findable_games(), number_of_players(self.wanted_players.data))

    def _moved(self, seats: Seats, numbers: Mapping[str, int]) -> tuple[Seats, int | None]:
        """Return the seats as changed by the button that was pressed, and the seat that is marked for a swap.

        To swap two players, the user taps the two seats one after the other. After the first tap, the second value is
        the seat that was tapped. Otherwise, the second value is None. `numbers` maps the form value of each seat to its
        number.
        """
        if self.draw.data in DRAWS:
            return DRAWS[self.draw.data](seats, SystemRandom()), None
        if self.sit.data:
            return sit_down(seats, self.sit.data), None
        one, other = numbers.get(self.to_swap.data), numbers.get(self.swap.data)
        if one is None or other is None:
            return seats, other
        return swap_seats(seats, one, other), None

    def _options(self, preset: Ruleset) -> dict[str, Any]:
        """Return a dict that maps the key of each chosen house rule to its value.

        The result is empty if the player pressed a button that chooses another game or the usual rules.
        """
        if self.choose.raw_data or self.builds or self.usual_rules.raw_data:
            return {}
        local = LOCAL_RULES.get(self.local_rules.data)
        return dict(local.options) if local and local.preset == preset.preset else self.options(preset)


SEAT_FIELDS = tuple(f"name-{seat}" for seat in range(MOST_SEATS))
TEAM_FIELDS = tuple(f"team-{side}" for side in range(MOST_SEATS // 2))
for _name in SEAT_FIELDS + TEAM_FIELDS:
    setattr(NewGameForm, _name, _text(str.strip, at_most(MOST_TYPED)))


class FinishedGameForm(StartForm, FinalScoreForm):
    """Add a finished game by its final score. The players and the rules are fields of `NewGameForm`."""

    day = _text(str.strip, at_most(MOST_TYPED))
    offset = StringField(default="")


class UnusedForm(AppForm):
    """Delete games without any scores."""

    game = HiddenField()

    @property
    def chosen(self) -> list[str]:
        """Return the public ids of the games that were checked."""
        return list(self.game.raw_data or ())


class RecordForm(StartForm):
    """Import a game record, as a file or as pasted text."""

    record = FileField()
    text = StringField(default="")
    offset = StringField(default="")

    def read(self) -> bytes:
        """Return the file or text that was sent, or b"" if neither was sent. Raises what `uploaded` raises."""
        return uploaded(self.record.data) or (self.text.data or "").encode()
