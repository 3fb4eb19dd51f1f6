"""Models of the printed score sheet, which has the hands played and blank lines for later hands.

Make score sheets to print, either with the hands of a game so far, or blank for tables without phones.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from scorekeeper.games.pages.common import RaceView
from scorekeeper.games.presenters.board import race_view
from scorekeeper.games.presenters.new_game import sheet_fields
from scorekeeper.games.presenters.rule_card import short_rules
from scorekeeper.games.presenters.snapshot import (
    LETTERS,
    Snapshot,
    bid_text,
    card_text,
    party_letters,
    point_labels,
    suit_sign,
)
from scorekeeper.games.presenters.summaries import outcome_view
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.i18n.ruleset_labels import house_rules, seating_words
from scorekeeper.i18n.sentences import number
from scorekeeper.rules.game import Adjustment, Game, Line
from scorekeeper.rules.parts import Seating
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, differing
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.table import Table, table_at


class PaperSide(Struct, frozen=True):
    """A team (side) that plays in the game, as named at the top of the score sheet."""

    index: int
    letter: str
    name: str
    """Name of the side; empty on a blank sheet, to be written by hand."""
    total: str
    won: bool


class PaperRow(Struct, frozen=True):
    """A line of the score sheet that is filled in."""

    number: str
    """The number of the hand, "±" for an adjustment."""
    dealer: str
    bidder: str
    bid: str
    partner: str
    trump: str
    points: tuple[str, ...]
    """Letter of the side for each point of the game, "–" if nobody took it; empty if only sums are known."""
    was_set: bool
    scores: tuple[tuple[str, str], ...]
    """For each side, its points in the hand (empty for none) and its total."""
    note: str
    """The reason for an adjustment, in place of the columns from dealer to points; else empty."""
    counts: bool


class PaperPage(Struct, frozen=True):
    """A score sheet to print: blank, filled in, or both."""

    title: str
    game_id: str
    """Public id of the game; empty for a blank sheet without a game."""
    preset: str
    rules: tuple[str, ...]
    """The rules in a few sentences."""
    house: tuple[str, ...]
    sides: tuple[PaperSide, ...]
    points: tuple[str, ...]
    """Names of the points of a hand; empty if a hand has just a total."""
    called: bool
    """Whether there is a column for the called partner."""
    rows: tuple[PaperRow, ...]
    blanks: int
    """Number of blank lines after the rows."""
    over: bool
    result: str = ""
    """The winner and why, in a sentence; empty before the end."""
    played: str = ""
    """The league night, as text; empty for any other sheet."""
    started: datetime | None = None
    """When the game was started; None for a blank sheet, which has room for a date."""
    bids: bool = True
    """Whether there are columns for bidder, bid and sets; if not, the turned-up card takes the place of trump."""
    race: RaceView | None = None
    remarks: tuple[tuple[str, str], ...] = ()
    """The notes on hands, as pairs such as ("Hand 3", text)."""
    others: tuple[tuple[Mapping[str, str], str, bool], ...] = ()
    """Blank sheets for all seatings of the game, as (query fields, label, whether it is the sheet shown)."""

    @property
    def columns(self) -> int:
        """Return the number of columns to the left of the sides' columns."""
        return (6 if self.bids else 3) + len(self.points) + self.called


LINES = 20
"""Number of lines of a score sheet that fit on one page."""


def blank_sheet(rules: Ruleset, seating: Seating) -> PaperPage:
    """Return a blank score sheet. Raises `RuleViolation` if `rules` don't allow this seating."""
    table = table_at(rules, seating)
    rules = table.rules
    return PaperPage(
        title=_title(rules),
        game_id="",
        preset=rules.preset,
        rules=short_rules(rules),
        house=house_rules(rules),
        sides=tuple(PaperSide(side, LETTERS[side], "", "", won=False) for side in range(len(table.sides))),
        points=tuple(point_labels(rules).values()),
        called=table.called,
        bids=rules.has_bids,
        rows=(),
        blanks=LINES,
        over=False,
        others=tuple(
            (
                sheet_fields(rules.preset, other, differing(PRESETS[rules.preset], rules)),
                seating_words(rules, other),
                other == seating,
            )
            for other in rules.seatings
            if _can_be(rules, other)
        ),
    )


def game_sheet(snapshot: Snapshot, *, blank: bool = False) -> PaperPage:
    """Return the score sheet of a game, with its hands and then blank lines. With `blank`, all lines are blank."""
    game, sides = snapshot.game, snapshot.sides
    rules = game.table.rules
    outcome = None if blank else outcome_view(game, sides)
    rows = () if blank else tuple(_row(game, snapshot.names, line) for line in game.lines)
    return PaperPage(
        title=_title(rules),
        game_id=snapshot.public_id,
        preset=rules.preset,
        rules=short_rules(rules),
        house=house_rules(rules),
        sides=tuple(
            PaperSide(
                index,
                LETTERS[index],
                side.name,
                "" if blank else number(game.tally.totals[index]),
                won=outcome is not None and outcome.side == index,
            )
            for index, side in enumerate(sides)
        ),
        points=tuple(point_labels(rules).values()),
        called=game.table.called,
        bids=rules.has_bids,
        rows=rows,
        blanks=0 if outcome else max(LINES - len(rows), 0),
        over=outcome is not None,
        result=f"{outcome.headline}. {outcome.reason}" if outcome else "",
        started=None if blank else snapshot.began,
        race=race_view(game, sides) if outcome else None,
        remarks=() if blank else _remarks(snapshot),
    )


def _remarks(snapshot: Snapshot) -> tuple[tuple[str, str], ...]:
    """Return the notes on hands in order, as pairs such as ("Hand 3", note).

    Photos are left out, because the sheet is a single page.
    """
    return tuple(
        (_("Hand %(number)s", number=line.number), told.text)
        for line in snapshot.game.lines
        if line.is_hand and (told := snapshot.hand_notes.get(line.entry.seq)) and told.text
    )


def usual_seating(rules: Ruleset) -> Seating:
    """Return the first of the game's seatings that the house rules in `rules` allow."""
    return next((seating for seating in rules.seatings if _can_be(rules, seating)), rules.seatings[0])


def _title(rules: Ruleset) -> str:
    return _("Score sheet: %(game)s", game=spoken(rules.name))


def _can_be(rules: Ruleset, seating: Seating) -> bool:
    try:
        table_at(rules, seating)
    except RuleViolation:
        return False
    return True


def _row(game: Game, names: Sequence[str], line: Line) -> PaperRow:
    scores = tuple((_change(delta), number(total)) for delta, total in zip(line.delta, line.tally.totals, strict=True))
    agreed = line.entry.what
    if isinstance(agreed, Adjustment):
        return PaperRow(
            "±", "", "", "", "", "", (), was_set=False, scores=scores, note=agreed.reason, counts=not line.after_end
        )
    partner = ""
    if game.table.called and not agreed.thrown_in:
        partner = _("alone") if agreed.partner is None else names[agreed.partner]
    keys = [category.key for category in game.table.rules.points_of("pitch")]
    return PaperRow(
        number=str(line.number),
        dealer=names[agreed.dealer],
        bidder="" if agreed.bidder is None else names[agreed.bidder],
        bid=bid_text(agreed.bid) if game.table.rules.has_bids else "",
        partner=partner,
        trump=card_text(agreed.turned_up) if agreed.turned_up else suit_sign(agreed.trump),
        points=tuple(_owner(game.table, agreed, key) for key in keys) if agreed.points else ("",) * len(keys),
        was_set=line.made is False,
        scores=scores,
        note="",
        counts=not line.after_end,
    )


def _owner(table: Table, hand: Hand, key: str) -> str:
    """Return the letters of the party that took a point, or "–" for nobody.

    For a hung jack, the letters are followed by the points that the jack scores, as in "A3".
    """
    # A hand without a pitch has no point for all the tricks.
    party = (hand.points or {}).get(key)
    hung = str(table.rules.hang_jack) if hand.jack_hung and key == "jack" else ""
    return party_letters(table, hand, party) + hung


def _change(delta: int) -> str:
    return f"+{delta}" if delta > 0 else number(delta) if delta else ""
