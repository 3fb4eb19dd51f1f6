"""Read and write the game record `scorekeeper-game/1`: one JSON object for one game (RECORD 1, 2, 4, 5)."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

from scorekeeper.rules.final_score import BY_AGREEMENT, ENDED_BY, check_ending, check_way, judge_final
from scorekeeper.rules.hands import check_side, read_hand, write_hand
from scorekeeper.rules.options import MOST_POINTS, OPTIONS
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.presets import PRESETS, preset_named
from scorekeeper.rules.ruleset import Ruleset, changed, differing, with_options
from scorekeeper.rules.scoring import Hand, Outcome, Scored, Tally, add_hand, leaders_of, new_tally
from scorekeeper.rules.table import Sides, Table, dealer_after, set_table

FORMAT = "scorekeeper-game/1"
ADJUSTMENTS = "x_adjustments"
"""Field of a record that only this app uses: adjustments outside the hands."""
NAME_LENGTH = 40
"""Longest name of a player, in characters."""
UNSEEN = re.compile(r"[\u00ad\u200b\u2060\ufeff]|(?<=[\u0000-\u024f])[\u200c\u200d]")
"""Characters without width. Joiners are kept where a script or an emoji needs them."""
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of the text after them."""
_MOST_TABLES = 64
MOST_ADJUSTED = 99
"""Maximum number of points that one adjustment can add or subtract."""
REASON_LENGTH = 120
"""Longest reason for an adjustment, in characters."""
_TEXTS = ("name", "started", "finished")
CONCEDED = "x_conceded"
"""Field of older records of this app: the side that the others conceded to. It is read, but not written."""
UNDECIDED = "undecided"
"""Value that is stored for how a game ended if the game has only a final score and nobody said who won."""
_KEYS = frozenset(
    (
        *("format", "ruleset", "players", "sides", "first_dealer", "hands", "final", "abandoned"),
        *("winner", "ended_by"),
        *_TEXTS,
    )
)


@dataclass(frozen=True, slots=True)
class Agreed:
    """Points that the players added to the score of a side outside any hand, with the reason.

    `after` is the number of hands that were played before the points were added.
    """

    after: int
    side: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Record:
    """A game that was read from a record, checked and scored.

    `scored[i]` is what `hands[i]` scored. `totals[i]` holds the total of each side after that hand and the adjustments
    that follow the hand. `final` holds the totals by side if the game has only a final score and no hands. `extra`
    holds the record fields that are kept unchanged.
    """

    table: Table
    names: tuple[str, ...]
    first_dealer: int
    hands: tuple[Hand, ...] = ()
    totals: tuple[tuple[int, ...], ...] = ()
    scored: tuple[Scored, ...] = ()
    tally: Tally = field(default_factory=lambda: Tally((), ()))
    final: tuple[int, ...] | None = None
    agreed: tuple[Agreed, ...] = ()
    """Adjustments (`x_adjustments`), in the order in which they were made."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    ending: Outcome | None = None
    """The winner and the ending, if the hands don't show them: concession, time limit, agreement."""

    @property
    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None while it is in progress."""
        return self.tally.outcome or self.ending


def read_record(data: object) -> Record:
    """Return the game in `data`, a decoded JSON object.

    Raises `RuleViolation` at the first mistake. The violation's `hand` is the index of the wrong hand, or None if the
    mistake is not in a hand. A hand after the end of the game is a mistake.
    """
    if not isinstance(data, dict):
        raise RuleViolation("record_shape", "That isn't a saved game.")
    _check_keys(data)
    names = _names(data.get("players"))
    try:
        table = _table(data, len(names))
    except RecursionError:
        raise RuleViolation("record_shape", "That file is nested too deeply to be a saved game.") from None
    first_dealer = _first_dealer(table, data.get("first_dealer"))
    extra = {key: value for key, value in data.items() if key.startswith("x_") or key in (*_TEXTS, "abandoned")}
    if "final" in data:
        return _read_final(Record(table, names, first_dealer, extra=extra), data)
    agreed = _agreed(table, extra.pop(ADJUSTMENTS, []))
    if not isinstance(data.get("hands"), list):
        raise RuleViolation("hands_missing", "A saved game needs a list of hands.", field="hands")
    played = _read_hands(table, first_dealer, agreed, data["hands"])
    if agreed and agreed[-1].after > len(played.hands):
        raise RuleViolation("adjustment_after", "An adjustment follows a hand that isn't there.", field=ADJUSTMENTS)
    ending = _ending(table, played.tally, data)
    return Record(table, names, first_dealer, *played, agreed=agreed, ending=ending, extra=extra)


def _read_final(record: Record, data: Mapping[str, Any]) -> Record:
    """Return `record` with the final score and winner from `data`. Raises `RuleViolation` if they are impossible."""
    table = record.table
    final = check_final(table, data["final"])
    told = _told_ending(table, data)
    # Older versions ignored a concession beside a final score.
    if told is not None and ("winner" in data or "ended_by" in data):
        check_ending(table, final, *told)
        tally = final_tally(table, final, *told)
    else:
        decided = judge_final(table, final).winner is not None
        tally = final_tally(table, final, ended_by=None if decided else UNDECIDED)
    return replace(record, tally=tally, final=final)


class _PlayedHands(NamedTuple):
    """The hands of a record with their scores. Its fields have the same names and order as in `Record`."""

    hands: tuple[Hand, ...]
    totals: tuple[tuple[int, ...], ...]
    scored: tuple[Scored, ...]
    tally: Tally


def _read_hands(table: Table, dealer: int, agreed: Sequence[Agreed], raw: Sequence[Any]) -> _PlayedHands:
    """Return the hands in `raw` with their scores. The adjustments `agreed` count toward the scores.

    `dealer` deals the first hand. Raises `RuleViolation` for an impossible hand. The violation's `hand` is the index of
    that hand.
    """
    sums = _sums(table, agreed)
    tally = new_tally(table)
    tally = tally._replace(totals=sums.get(0, tally.totals))
    hands: list[Hand] = []
    totals: list[tuple[int, ...]] = []
    scored: list[Scored] = []
    for index, told in enumerate(raw):
        try:
            if tally.outcome is not None:
                raise RuleViolation("game_over", "The game was over before this hand.")
            hand = read_hand(table, told, dealer=dealer)
        except RuleViolation as violation:
            raise violation.in_hand(index) from None
        tally, done = add_hand(table, tally, hand, sums.get(index + 1))
        dealer = dealer_after(table, hand.dealer, thrown_in=not hand.taken)
        hands.append(hand)
        totals.append(tally.totals)
        scored.append(done)
    return _PlayedHands(tuple(hands), tuple(totals), tuple(scored), tally)


def write_record(
    table: Table,
    names: Sequence[str],
    first_dealer: int,
    hands: Sequence[Hand],
    *,
    final: Sequence[int] | None = None,
    agreed: Sequence[Agreed] = (),
    extra: Mapping[str, Any] | None = None,
    outcome: Outcome | None = None,
) -> dict[str, Any]:
    """Return the record of a game. Reading the record gives the same score again.

    `names` are by seat. `final` holds the totals by side of a game without hands, and is None for any other game.
    `agreed` are the adjustments. `extra` holds the fields that are kept unchanged. `outcome` is how the game ended, and
    is needed only if the hands or the final score don't show the ending.
    """
    data: dict[str, Any] = {
        "format": FORMAT,
        "ruleset": write_rules(table.rules),
        "players": list(names),
        "sides": [list(side) for side in table.sides],
        "first_dealer": first_dealer,
    }
    ending = _written_ending(table, final, outcome)
    if final is not None:
        return data | {"final": list(final)} | ending | dict(extra or {})
    written = []
    dealer = first_dealer
    for hand in hands:
        written.append(write_hand(table, hand, dealer=dealer))
        dealer = dealer_after(table, hand.dealer, thrown_in=hand.thrown_in)
    adjustments = {ADJUSTMENTS: [asdict(each) for each in agreed]} if agreed else {}
    return data | {"hands": written} | adjustments | ending | dict(extra or {})


def read_rules(data: object) -> Ruleset:
    """Return the ruleset in `data`, which holds a preset key and the options that differ from the preset.

    Raises `RuleViolation` for an unknown preset, and for options that `with_options` refuses.
    """
    if not isinstance(data, dict) or not set(data) <= {"preset", "options"}:
        raise RuleViolation("ruleset_shape", "The rules must name a game and the options that differ.", field="ruleset")
    options = data.get("options", {})
    if not isinstance(options, dict):
        raise RuleViolation("ruleset_shape", "The options of the rules must be a JSON object.", field="ruleset")
    return with_options(preset_named(data.get("preset")), options)


def write_rules(rules: Ruleset) -> dict[str, Any]:
    """Return the rules in the record format: the preset key, and the options that differ from the preset."""
    options = differing(PRESETS[rules.preset], rules)
    return {"preset": rules.preset, "options": {key: OPTIONS[key].written(value) for key, value in options.items()}}


def check_final(table: Table, final: object) -> tuple[int, ...]:
    """Return `final` as totals by side of a game without hands. Raises `RuleViolation` if they are impossible."""
    if not isinstance(final, list) or len(final) != len(table.sides) or not all(type(total) is int for total in final):
        raise RuleViolation("final", "The final score must have one whole number for each side.", field="final")
    if any(abs(total) > MOST_POINTS for total in final):
        raise RuleViolation("final", Phrase("A final score can be at most %(most)s.", most=MOST_POINTS), field="final")
    return tuple(final)


def final_tally(table: Table, final: tuple[int, ...], winner: int | None = None, ended_by: str | None = None) -> Tally:
    """Return the final score of a game known only by its totals, together with the winner.

    `ended_by` says how the game ended. `winner` is a side, or None for nobody. If `ended_by` is None, `winner` is
    ignored. In that case, the side with the highest total wins, and nobody wins a tie.
    """
    rule = "final" if ended_by is None else f"final.{ended_by}"
    if ended_by is None:
        leaders = leaders_of(final)
        winner = leaders[0] if len(leaders) == 1 else None
    return Tally(final, (0,) * len(table.sides), outcome=Outcome(winner, rule))


def read_ending(table: Table, winner: object, ended_by: object) -> tuple[int | None, str] | None:
    """Return the winning side and how the game ended, or None if the record names neither.

    The winning side is None if nobody won. If the record names a winner but no ending, the ending is "agreed".

    Raises `RuleViolation` for an unknown side or ending.
    """
    if winner is None and ended_by is None:
        return None
    side = None if winner is None else check_side(table, winner, "winner")
    if ended_by is None:
        return side, "agreed"
    if not isinstance(ended_by, str) or ended_by not in ENDED_BY:
        raise RuleViolation("ended_by", "A game can't end that way.", field="ended_by")
    return side, ended_by


def _told_ending(table: Table, data: Mapping[str, Any]) -> tuple[int | None, str] | None:
    """Return the winning side and how the game ended, as a record states them, or None if it states neither.

    The record has them in the fields `winner` and `ended_by`, or in the old field `x_conceded`. Raises `RuleViolation`
    if these fields contradict each other.
    """
    told = read_ending(table, data.get("winner"), data.get("ended_by"))
    old = data.get(CONCEDED)
    if type(old) is not int or not 0 <= old < len(table.sides):
        return told
    if told not in (None, (old, "conceded"), (old, "agreed")):
        raise RuleViolation("ended_by", "This saved game has two different endings.", field="ended_by")
    return old, "conceded"


def _ending(table: Table, tally: Tally, data: Mapping[str, Any]) -> Outcome | None:
    """Return the ending in `data`, or None if `data` has no ending or the hands already show it.

    `tally` is the score after the hands. Raises `RuleViolation` if the ending contradicts that score.
    """
    told = _told_ending(table, data)
    decided = tally.outcome
    if told is None:
        return None
    winner, ended_by = told
    if decided is None:
        if ended_by not in BY_AGREEMENT:
            raise RuleViolation("ended_by", "The hands don't end the game that way.", field="ended_by")
        check_way(table, tally.totals, winner, ended_by)
        return Outcome(winner, ended_by)
    # In older records a concession did not count once the hands had decided the game.
    if "winner" not in data and "ended_by" not in data:
        return None
    way = _WAYS.get(decided.rule, "target")
    if winner != decided.winner or ended_by not in (way, "agreed"):
        raise RuleViolation("winner_decided", "The hands of this game have another result.", field="winner")
    return None


_WAYS: Mapping[str, str] = {
    **{rule: rule for rule in ("pitch", "moon", "max_sets", "lose_at")},
    "moon_failed": "moon",
}
"""Maps the rule that ended a game to the word for it in a record. For any other rule, the word is "target"."""


def _written_ending(table: Table, final: Sequence[int] | None, outcome: Outcome | None) -> dict[str, Any]:
    """Return the fields `winner` and `ended_by` for a record, or {} if the hands or the final score show the ending."""
    if outcome is None:
        return {}
    if final is None:
        told = outcome.rule in BY_AGREEMENT
        return {"winner": outcome.winner, "ended_by": outcome.rule} if told else {}
    way = outcome.rule.removeprefix("final.")
    if way in ENDED_BY:
        return {"winner": outcome.winner, "ended_by": way}
    # Nobody was asked, and the highest score won. Without the winner, reading the record would ask.
    asked = way == UNDECIDED or outcome.winner in (None, judge_final(table, final).winner)
    return {} if asked else {"winner": outcome.winner, "ended_by": "agreed"}


@lru_cache(maxsize=1024)
def tidy_name(name: str) -> str:
    """Return a name without characters that nobody sees, and with single spaces, so that equal names look equal.

    Control characters and line breaks are kept; `check_name` refuses them.
    """
    spaced = "".join(" " if unicodedata.category(char) == "Zs" else char for char in UNSEEN.sub("", name))
    return unicodedata.normalize("NFC", re.sub(" +", " ", spaced)).strip()


def check_name(name: object) -> str:
    """Return a player's name as `tidy_name` writes it.

    Raises `RuleViolation` if the name is invisible, too long or multiline.
    """
    if not isinstance(name, str) or all(unicodedata.category(char)[0] in "CZ" for char in name):
        raise RuleViolation("name_missing", "Every seat needs a name.", field="players")
    trimmed = tidy_name(name)
    if len(trimmed) > NAME_LENGTH:
        raise RuleViolation(
            "name_long", Phrase("A name can have at most %(most)s characters.", most=NAME_LENGTH), field="players"
        )
    if not _on_one_line(trimmed):
        raise RuleViolation("name_characters", "A name can't have invisible control characters.", field="players")
    return trimmed


def check_adjustment(points: object, reason: object) -> None:
    """Raise `RuleViolation` unless a score can be adjusted by these points for this reason."""
    if type(points) is not int or points == 0 or abs(points) > MOST_ADJUSTED:
        message = Phrase("Enter how many points to add or subtract, from 1 to %(most)s.", most=MOST_ADJUSTED)
        raise RuleViolation("adjustment_points", message, field="points")
    if not isinstance(reason, str) or not reason.strip():
        raise RuleViolation("adjustment_reason", "Enter a reason, so everyone can see it later.", field="reason")
    if len(reason.strip()) > REASON_LENGTH:
        raise RuleViolation(
            "adjustment_reason",
            Phrase("A reason can have at most %(most)s characters.", most=REASON_LENGTH),
            field="reason",
        )
    if not _on_one_line(reason.strip()):
        raise RuleViolation("adjustment_reason", "A reason can't have invisible control characters.", field="reason")


def _on_one_line(text: str) -> bool:
    """Return whether `text` has no control characters, line breaks, surrogates or marks that change its direction.

    Marks that only join letters or emoji are allowed.
    """
    if text.isprintable():
        return True
    return not any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or char in TURNING for char in text)


_TABLES: dict[str, Table] = {}
"""The tables of the latest records, by what `_table` reads: a file of many games repeats a few tables."""


def _table(data: Mapping[str, Any], players: int) -> Table:
    """Return the table of the record `data`, which has this number of players."""
    calls = _names_a_partner(data.get("hands"))
    # As text, 1, 1.0 and true are different keys.
    key = repr((data.get("ruleset"), players, data.get("sides"), "sides" in data, calls))
    if key not in _TABLES:
        rules = read_rules(data.get("ruleset"))
        if calls and rules.may_call:
            rules = changed(rules, {"called_partner": True})
        table = set_table(rules, players, read_sides(data["sides"]) if "sides" in data else None)
        if len(_TABLES) == _MOST_TABLES:
            _TABLES.clear()
        _TABLES[key] = table
    return _TABLES[key]


def _names_a_partner(hands: object) -> bool:
    """Return whether any hand of a record has the field `partner`.

    If a hand has this field, the bidder calls a partner in this game, even if the record's ruleset doesn't say so.
    """
    return isinstance(hands, list) and any(isinstance(hand, dict) and "partner" in hand for hand in hands)


def _check_keys(data: Mapping[str, Any]) -> None:
    for key in data:
        if key not in _KEYS and not key.startswith("x_"):
            raise RuleViolation(
                "field_unknown", Phrase("A saved game has no field “%(name)s”.", name=key[:40]), field=key[:40]
            )
    if data.get("format") != FORMAT:
        raise RuleViolation("format", Phrase("The format must be “%(name)s”.", name=FORMAT), field="format")
    if "hands" in data and "final" in data:
        raise RuleViolation("hands_and_final", "A saved game has hands or a final score, not both.", field="final")
    for key in _TEXTS:
        if key in data and not isinstance(data[key], str):
            raise RuleViolation("field_shape", Phrase("“%(name)s” must be text.", name=key), field=key)
    if type(data.get("abandoned", False)) is not bool:
        raise RuleViolation("field_shape", "“abandoned” must be true or false.", field="abandoned")


def _names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise RuleViolation("players_shape", "The players must be a list of names.", field="players")
    return tuple(check_name(name) for name in value)


def read_sides(value: object) -> Sides:
    """Return the seats of each side. Raises `RuleViolation` unless `value` is a list of lists of whole numbers."""
    if not isinstance(value, list) or not all(
        isinstance(side, list) and all(type(seat) is int for seat in side) for side in value
    ):
        raise RuleViolation("sides", "The sides must be lists of seats.", field="sides")
    return tuple(tuple(side) for side in value)


def _agreed(table: Table, value: object) -> tuple[Agreed, ...]:
    if value == []:
        return ()
    wrong = RuleViolation("adjustments", "The list of adjustments isn't valid.", field=ADJUSTMENTS)
    if not isinstance(value, list):
        raise wrong
    agreed: list[Agreed] = []
    for item in value:
        if not isinstance(item, dict) or set(item) != {"after", "side", "points", "reason"}:
            raise wrong
        after, side = item["after"], item["side"]
        if type(after) is not int or type(side) is not int or not 0 <= side < len(table.sides):
            raise wrong
        if after < (agreed[-1].after if agreed else 0):
            raise wrong
        check_adjustment(item["points"], item["reason"])
        agreed.append(Agreed(after, side, item["points"], item["reason"].strip()))
    return tuple(agreed)


def _sums(table: Table, agreed: Sequence[Agreed]) -> Mapping[int, tuple[int, ...]]:
    """Return a dict of the points that adjustments add to each side, by the number of hands played before.

    Adjustments after the same number of hands are added up.
    """
    sums: dict[int, list[int]] = {}
    for each in agreed:
        sums.setdefault(each.after, [0] * len(table.sides))[each.side] += each.points
    return {after: tuple(each) for after, each in sums.items()}


def _first_dealer(table: Table, value: object) -> int:
    if type(value) is not int or not 0 <= value < table.players:
        raise RuleViolation(
            "first_dealer",
            Phrase("The first dealer must be a seat from 0 to %(last)s.", last=table.players - 1),
            field="first_dealer",
        )
    return value
