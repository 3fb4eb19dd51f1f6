"""Score `ten-point-52` and `call-partner-pitch` from the public sources of `sources.md`, without the engine.

The input is a record of the format `scorekeeper-game/1` whose hands give `bidder`, `bid` and `points` or `taken`,
or `passed`.
Bids and point totals are not checked: the engine has to refuse what is wrong.
"""

import json
import sys
from pathlib import Path
from typing import Any

TEN = ("ace", "jack", "off_jack", "high_joker", "low_joker", "ten", "two", "three")
WORTH_THREE = "three"
MOON_POINTS = 10
DEFAULT_TARGET = {"ten-point-52": 52, "call-partner-pitch": 42}


class Table:
    """The sides, options and current scores of one game."""

    def __init__(self, record: dict[str, Any]) -> None:
        """Read the seating and the options of a game record."""
        ruleset: dict[str, Any] = record["ruleset"]
        options: dict[str, Any] = ruleset.get("options", {})
        preset: str = ruleset["preset"]
        self.players = len(record["players"])
        self.called = preset == "call-partner-pitch" or any("partner" in hand for hand in record["hands"])
        self.sides = self._count_sides(record)
        self.target = int(options.get("target", DEFAULT_TARGET[preset]))
        self.finish = str(options.get("finish", "bidder_first"))
        self.win_by = int(options.get("win_by", 1))
        self.hands_limit: int | None = options.get("hands_limit")
        self.floor_zero = options.get("negative", "allowed") == "floor_zero"
        self.scores = [0] * self.sides
        self.hands_played = 0
        self.over = False
        self.winner: int | None = None

    def _count_sides(self, record: dict[str, Any]) -> int:
        """Return the number of sides in the record, or the usual number if the record doesn't list sides.

        Usually there are two sides with 4, 6 or 8 players. With any other number of players, or with a called partner,
        each player is a side.
        """
        if "sides" in record:
            return len(record["sides"])
        if self.called or self.players not in (4, 6, 8):
            return self.players
        return 2

    def party(self, hand: dict[str, Any]) -> list[int]:
        """Return the sides that play for the bid, the bidder's side first.

        With a called partner, each player is a side, and the partner's side is the second in the list.
        """
        bidder = int(hand["bidder"])
        partner = hand.get("partner")
        if self.called:
            return [bidder] if partner is None else [bidder, int(partner)]
        return [bidder % self.sides]

    def took(self, hand: dict[str, Any], party: list[int]) -> list[int]:
        """Return the points that each side scores in a hand; `party` lists the sides that play for the bid.

        With a called partner, each player in `party` scores all points that the party took. Each other player scores
        all points that the others took.
        """
        heaps = 2 if self.called else self.sides
        won = [0] * heaps
        if "taken" in hand:
            won = [int(points) for points in hand["taken"]]
        else:
            for category, side in hand["points"].items():
                if side is not None:
                    won[side] += 3 if category == WORTH_THREE else 1
        if not self.called:
            return won
        return [won[0] if side in party else won[1] for side in range(self.sides)]

    def play(self, hand: dict[str, Any]) -> None:
        """Score one hand and end the game if the hand decides it."""
        if hand.get("passed"):
            return
        self.hands_played += 1
        party = self.party(hand)
        took = self.took(hand, party)
        for side in range(self.sides):
            if side not in party:
                self.scores[side] += took[side]
        if hand["bid"] == "moon":
            self._moon(party, took[party[0]])
        else:
            self._bid(party, took[party[0]], int(hand["bid"]))

    def _bid(self, party: list[int], took: int, bid: int) -> None:
        """Score a hand for the sides in `party`, which took `took` points together.

        If `took` is at least `bid`, add the points to the score of each side in `party`. Otherwise, subtract the bid
        from each of these scores.
        """
        made = took >= bid
        for side in party:
            if made:
                self.scores[side] += took
            else:
                self._lose(side, bid)
        self._end(party[0], made)

    def _moon(self, party: list[int], took: int) -> None:
        """Score a hand in which the bid was a moon, for which the sides in `party` must take all ten points.

        If the party takes all ten points, a bidder with a score of at least zero wins the game, and a score below zero
        becomes zero. If the party takes fewer points, each side in it loses ten points, and the game ends. The highest
        of the other sides wins, or nobody if they are tied.
        """
        if took == MOON_POINTS:
            wins = self.scores[party[0]] >= 0
            for side in party:
                self.scores[side] = max(self.target, self.scores[side]) if self.scores[side] >= 0 else 0
            if wins:
                self._win(party[0])
            else:
                self._end(party[0], made=True)
            return
        for side in party:
            self._lose(side, MOON_POINTS)
        others = [side for side in range(self.sides) if side not in party]
        self.over = True
        self.winner = self._alone_highest(others)

    def _lose(self, side: int, points: int) -> None:
        """Subtract points from a side, but stop at zero if the options say so."""
        self.scores[side] -= points
        if self.floor_zero:
            self.scores[side] = max(0, self.scores[side])

    def _alone_highest(self, candidates: list[int]) -> int | None:
        """Return the side of `candidates` with the highest score, or None in a tie."""
        best = max(self.scores[side] for side in candidates)
        leaders = [side for side in candidates if self.scores[side] == best]
        return leaders[0] if len(leaders) == 1 else None

    def _win(self, side: int | None) -> None:
        """End the game and save `side` as its winner; do nothing if `side` is None."""
        if side is not None:
            self.over = True
            self.winner = side

    def _end(self, bidder: int, made: bool) -> None:
        """End the game after a hand if the option `finish` says so; `bidder` is the bidding side.

        A game with a fixed number of hands can't end before the last of these hands. `made` says whether the bidder
        made the bid.
        """
        if self.finish == "fixed_hands":
            if self.hands_limit is not None and self.hands_played >= self.hands_limit:
                self._win(self._alone_highest(list(range(self.sides))))
            return
        if self.finish == "bid_out":
            rivals = [self.scores[side] for side in range(self.sides) if side != bidder]
            if made and self.scores[bidder] >= max(self.target, max(rivals) + self.win_by):
                self._win(bidder)
            return
        arrived = [side for side in range(self.sides) if self.scores[side] >= self.target]
        if made and bidder in arrived:
            self._win(bidder)
        elif arrived:
            self._win(self._alone_highest(arrived))


def judge(record: dict[str, Any]) -> dict[str, Any]:
    """Score the game in `record`, and return a dict like the "expect" of a worked case.

    The dict has the totals after each hand, whether the game is over, and the winner.
    """
    table = Table(record)
    totals: list[list[int]] = []
    for hand in record["hands"]:
        table.play(hand)
        totals.append(list(table.scores))
    return {"totals": totals, "over": table.over, "winner": table.winner}


def check() -> int:
    """Score every case that the rules don't refuse, print the differences, and return the number of differing cases."""
    cases: list[dict[str, Any]] = json.loads(Path(__file__).with_name("cases.json").read_text(encoding="utf-8"))
    wrong = 0
    scored = [case for case in cases if "error" not in case["expect"]]
    for case in scored:
        found = judge(case["record"])
        if found != case["expect"]:
            wrong += 1
            print(f"{case['id']}: expected {case['expect']}, found {found}")
    print(f"{len(scored)} cases scored, {len(cases) - len(scored)} to be refused, {wrong} differences")
    return wrong


if __name__ == "__main__":
    sys.exit(1 if check() else 0)
