"""Calculate the lines, marks and ticks of a game's score chart.

Lengths are in canvas units. The canvas is `WIDTH` units wide, so on the narrowest phone a unit is about a pixel.
The drawing of a long game is not larger in bytes: lines are thinned, keeping their ups and downs, and marks that would
touch are left out.
"""

from collections.abc import Callable, Sequence
from itertools import cycle

from msgspec import Struct

from scorekeeper.games.logic.highlights import ChartPoint
from scorekeeper.rules.game import Game

WIDTH, HEIGHT = 320, 200
TOP, BOTTOM = 12, 26
DIGIT = 8
"""Width of a digit in the labels to the left and right of the lines."""
LABEL_GAP = 14
"""Smallest vertical distance between two labels."""
MOST_POINTS = 160
"""Maximum number of scores that are drawn in the line of one side; see `thinned`."""
MOST_MARKED, MOST_CROSSED = 25, 60
"""Number of hands up to which every score has a mark, and up to which every set (failed bid) has a cross.

With more hands, the marks or the crosses would touch.
"""
FAR = 10
"""A target of more than this many times the best score is not drawn, since it would flatten the lines."""

SHAPES = (
    "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z",
    "m-3-3h6v6h-6z",
    "m0-4.5l4.5 4.5l-4.5 4.5l-4.5-4.5z",
    "m0-4l4 3l-1.5 5h-5l-1.5-5z",
    "m-2-3.5h4l2 3.5l-2 3.5h-4l-2-3.5z",
    "m-3.5-3.5h7v4l-3.5 3.5l-3.5-3.5z",
    "m-1.2-4h2.4v2.8h2.8v2.4h-2.8v2.8h-2.4v-2.8h-2.8v-2.4h2.8z",
    "m-2-3.5h4l2 7h-8z",
)
"""SVG path of each side's mark, drawn around (0, 0), in the shape of the side's badge."""
CROSS = "m-4-4l8 8m0-8l-8 8"


class RaceLine(Struct, frozen=True):
    """The line of one side in a score chart.

    `path`, `marks` and `crosses` are SVG path data, or empty. A cross marks a hand in which the side was set. `shape`
    is the path of a single mark, drawn around (0, 0). `label_y` is the height of the label in canvas units, and `total`
    is the number in the label.
    """

    side: int
    shape: str
    path: str
    marks: str
    crosses: str
    label_y: float
    total: int


class Tick(Struct, frozen=True):
    """A tick on an axis: its position in canvas units, and its number."""

    at: float
    value: int


class Race(Struct, frozen=True):
    """The drawing of a score chart, from `left` to `right` in canvas units.

    `scores` and `hands` are the ticks of the vertical and of the horizontal axis. `zero_y` and `target_y` are the
    heights of horizontal lines. `target_y` is None if no target is drawn.
    """

    left: float
    right: float

    lines: tuple[RaceLine, ...]
    scores: tuple[Tick, ...]
    hands: tuple[Tick, ...]
    zero_y: float
    target_y: float | None
    sets_marked: bool
    """Whether the lines have a cross at each set."""
    any_set: bool


def race(game: Game, way: Sequence[ChartPoint]) -> Race | None:
    """Return the drawing of the scores in `way`, or None if no hand is saved.

    `way` comes from `highlights.standings`.
    """
    if len(way) < 2:
        return None
    totals = [total for standing in way for total in standing.totals]
    target = _target(game, max(totals))
    low, high = min(0, *totals), max(1, target or 0, *totals)
    any_set = any(standing.was_set for standing in way)
    sets_marked = any_set and len(way) - 1 <= MOST_CROSSED
    left = 10 + DIGIT * max(3, len(str(low)), len(str(high)))
    right = WIDTH - 18 - DIGIT * max(len(str(total)) for total in way[-1].totals) - 4

    def x(place: int) -> float:
        return left + (right - left) * place / (len(way) - 1)

    def y(total: int) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - total) / (high - low)

    labels = _spread([y(total) for total in way[-1].totals])
    return Race(
        left=left,
        right=right,
        lines=tuple(_line(side, way, x, y, labels[side], crossed=sets_marked) for side in range(len(labels))),
        scores=_score_ticks(low, high, target, y),
        hands=tuple(Tick(_short(x(place)), way[place].hand) for place in _round_numbers(1, len(way) - 1, 6)),
        zero_y=_short(y(0)),
        target_y=None if target is None else _short(y(target)),
        sets_marked=sets_marked,
        any_set=any_set,
    )


def _line(
    side: int,
    way: Sequence[ChartPoint],
    x: Callable[[int], float],
    y: Callable[[int], float],
    label_y: float,
    *,
    crossed: bool,
) -> RaceLine:
    """Return the line of a side in the score chart.

    `x` converts an index in `way` to canvas units, and `y` converts a score. `label_y` is the height of the line's
    label. With `crossed`, the line has a cross at each set.
    """
    scores = [standing.totals[side] for standing in way]
    at = [_at(x(place), y(score)) for place, score in enumerate(scores)]
    marked = range(1 if len(way) - 1 <= MOST_MARKED else len(way) - 1, len(way))
    was_set = [place for place, standing in enumerate(way) if crossed and side in standing.was_set]
    return RaceLine(
        side=side,
        shape=SHAPES[side],
        path="M" + "L".join(at[place] for place in thinned(scores)),
        marks="".join(f"M{at[place]}{SHAPES[side]}" for place in marked),
        crosses="".join(f"M{at[place]}{CROSS}" for place in was_set),
        label_y=label_y,
        total=scores[-1],
    )


def thinned(scores: Sequence[int]) -> list[int]:
    """Return the indexes of the scores to draw, in ascending order.

    Up to `MOST_POINTS` scores are all drawn. If there are more, the scores are divided into equal stretches. Then the
    first and last score are drawn, and the lowest and highest score of each stretch.
    """
    if len(scores) <= MOST_POINTS:
        return list(range(len(scores)))
    stretches = MOST_POINTS // 2 - 1
    kept = {0, len(scores) - 1}
    for number in range(stretches):
        stretch = range(number * len(scores) // stretches, (number + 1) * len(scores) // stretches)
        kept |= {min(stretch, key=scores.__getitem__), max(stretch, key=scores.__getitem__)}
    return sorted(kept)


def _target(game: Game, best: int) -> int | None:
    rules = game.table.rules
    return rules.target if rules.finish != "fixed_hands" and rules.target <= FAR * max(best, 1) else None


def _score_ticks(low: int, high: int, target: int | None, y: Callable[[int], float]) -> tuple[Tick, ...]:
    """Return ticks for the target, zero, and round numbers. Ticks that would be too close to others are left out."""
    kept: list[Tick] = []
    for value in (*([] if target is None else [target]), 0, *_round_numbers(low, high, 5)):
        at = _short(y(value))
        if all(abs(at - tick.at) >= LABEL_GAP for tick in kept):
            kept.append(Tick(at, value))
    return tuple(kept)


def _round_numbers(low: int, high: int, most: int) -> range:
    """Return at most `most` + 1 multiples of a step from `low` to `high`. The step is 1, 2, 5, 10, 20 and so on."""
    step, factors = 1, cycle((2, 2.5, 2))
    while (high - low) > most * step:
        step = int(step * next(factors))
    return range(-(-low // step) * step, high + 1, step)


def _spread(places: Sequence[float]) -> list[float]:
    """Return the heights of labels, moved apart so that the labels don't overlap.

    The order stays the same, and all labels are within the canvas.
    """
    order = sorted(range(len(places)), key=places.__getitem__)
    spread = list(places)
    free = float(TOP)
    for index in order:
        spread[index] = max(spread[index], free)
        free = spread[index] + LABEL_GAP
    limit = float(HEIGHT - BOTTOM)
    for index in reversed(order):
        spread[index] = min(spread[index], limit)
        limit = spread[index] - LABEL_GAP
    return [_short(place) for place in spread]


def _at(x: float, y: float) -> str:
    return f"{_short(x):g} {_short(y):g}"


def _short(value: float) -> float:
    return round(value, 1)
