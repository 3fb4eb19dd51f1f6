"""Commands: the actions of people at a table. `decide` turns each into events or raises `RuleViolation`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from scorekeeper.rules import events as ev
from scorekeeper.rules.bidding import Bid, Call, check_bid, hear_call, open_auction
from scorekeeper.rules.final_score import check_ending
from scorekeeper.rules.game import KEEP, SPLIT, TAKE, Adjustment, Entry, Game, OpenBid
from scorekeeper.rules.hands import check_seat, check_side, check_trump, read_hand, refit
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.record import UNDECIDED, check_adjustment, check_final, read_ending
from scorekeeper.rules.ruleset import Ruleset, changed
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.table import set_table

MOST_RULES = 20
"""Maximum number of rule changes in one game. Each one makes every replay check all hands again."""


@dataclass(frozen=True, slots=True)
class TakeBid:
    bidder: int
    bid: Bid
    trump: str | None = None


@dataclass(frozen=True, slots=True)
class MakeCall:
    """Make the next call of the auction, a bid or a pass, for the player whose turn it is.

    The last call of the auction decides the winning bid. If everyone passed, the hand ends without a score.
    """

    call: Call


@dataclass(frozen=True, slots=True)
class TakeBackCall:
    pass


@dataclass(frozen=True, slots=True)
class ChangeRules:
    """Replace the house rules of the whole game, from its first hand on. The preset can't be replaced."""

    rules: Ruleset


@dataclass(frozen=True, slots=True)
class AdjustScore:
    side: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class WithdrawBid:
    pass


@dataclass(frozen=True, slots=True)
class EnterHand:
    """Save a hand.

    `data` is the hand in the format of a game record (RECORD 3). If `data` names no bidder, the bid in play is added.
    """

    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CorrectHand:
    seq: int
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class VoidHand:
    seq: int


@dataclass(frozen=True, slots=True)
class RestoreHand:
    seq: int


@dataclass(frozen=True, slots=True)
class Undo:
    """Undo the last step.

    The game may have several steps that can be undone. The first step that exists in this order is undone: an early
    end, the open bid, the last call of the auction, the last hand or adjustment. If the open bid was made in an
    auction that was entered call by call, only the last call is undone.
    """


@dataclass(frozen=True, slots=True)
class Redo:
    """Redo the hand or adjustment that was undone last."""


@dataclass(frozen=True, slots=True)
class Misdeal:
    pass


@dataclass(frozen=True, slots=True)
class SetDealer:
    dealer: int


@dataclass(frozen=True, slots=True)
class ReplacePlayer:
    seat: int
    player: int


@dataclass(frozen=True, slots=True)
class RenamePlayer:
    seat: int
    player: int


@dataclass(frozen=True, slots=True)
class Concede:
    winner: int


@dataclass(frozen=True, slots=True)
class Abandon:
    pass


@dataclass(frozen=True, slots=True)
class EnterResult:
    """Save or correct the final score of a game without hands.

    `totals` holds the total of each side. `winner` is a side, or None if nobody won. `ended_by` says how the game
    ended, and is one of `final_score.ENDED_BY`. If the players didn't say who won, `winner` is None and `ended_by` is
    "undecided".

    If `winner` is a side and `ended_by` is None, "agreed" is saved for `ended_by`. If both are None, the side with the
    highest total wins, and nobody wins a tie.
    """

    totals: tuple[int, ...]
    winner: int | None = None
    ended_by: str | None = None


@dataclass(frozen=True, slots=True)
class Reopen:
    pass


@dataclass(frozen=True, slots=True)
class ReportHand:
    """Report another phone's version of the hand at log position `seq`.

    `by` is the seat of the owner of the reporting phone. `first` is the seat of the owner of the phone that saved the
    hand. An unknown seat is None.
    """

    seq: int
    hand: Hand
    by: int | None = None
    first: int | None = None


@dataclass(frozen=True, slots=True)
class SettleReport:
    """Settle another phone's report on a saved hand by deciding which version counts.

    `seq` is the log position of the hand. `report` is the log position of the report. `how` is `KEEP`, `TAKE` or
    `SPLIT` of `rules.reports`. `reason` is the explanation that was entered on the main phone.
    """

    seq: int
    report: int
    how: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class TakeTail:
    """Undo the hands from hand `number` on, so that a phone's offline hands can replace them.

    The offline hands are then entered one by one with other commands. `by` is the seat of the phone's owner, or None if
    unknown.
    """

    number: int
    by: int | None = None


@dataclass(frozen=True, slots=True)
class SetHandAside:
    """Discard a hand that a phone saved as hand `number` while it was offline.

    `data` is the hand in the format of a game record (RECORD 3). `by` is the seat of the phone's owner, or None if
    unknown.
    """

    number: int
    data: Mapping[str, Any]
    by: int | None = None


Command = (
    TakeBid
    | WithdrawBid
    | MakeCall
    | TakeBackCall
    | ChangeRules
    | AdjustScore
    | EnterHand
    | CorrectHand
    | VoidHand
    | RestoreHand
    | Undo
    | Redo
    | Misdeal
    | SetDealer
    | ReplacePlayer
    | RenamePlayer
    | Concede
    | Abandon
    | EnterResult
    | Reopen
    | ReportHand
    | SettleReport
    | TakeTail
    | SetHandAside
)


def decide(game: Game, command: Command) -> tuple[ev.Event, ...]:
    """Return the events that `command` causes, or () if `command` changes nothing.

    Raises `RuleViolation` if the rules or the state of the game do not allow it.
    """
    return _DECIDE[type(command)](game, command)


def _must_run(game: Game) -> None:
    if game.over:
        raise RuleViolation("game_over", "The game is over. Undo the last hand to go on.")


def _take_bid(game: Game, command: TakeBid) -> tuple[ev.Event, ...]:
    _must_run(game)
    check_seat(game.table, command.bidder, "bidder")
    check_trump(game.table, command.trump)
    check_bid(game.table, seat=command.bidder, dealer=game.dealer, bid=command.bid)
    standing = game.open_bid
    heard = standing is not None and (standing.bidder, standing.bid) == (command.bidder, command.bid)
    calls = standing.calls if standing is not None and heard else None
    bid = OpenBid(game.dealer, command.bidder, command.bid, command.trump, calls)
    return () if bid == standing else (ev.BidTaken(bid.dealer, bid.bidder, bid.bid, bid.trump, bid.calls),)


def _make_call(game: Game, command: MakeCall) -> tuple[ev.Event, ...]:
    _must_run(game)
    if game.open_bid is not None:
        raise RuleViolation("bid_open", "The bid is already entered.")
    auction = hear_call(game.table, game.auction or open_auction(game.table, game.dealer), command.call)
    made = ev.CallMade(command.call)
    if not auction.closed:
        return (made,)
    if auction.bidder is None or auction.bid is None:
        return made, ev.HandThrownIn(Hand(game.dealer, calls=auction.calls))
    return made, ev.BidTaken(game.dealer, auction.bidder, auction.bid, None, auction.calls)


def _take_back_call(game: Game, command: TakeBackCall) -> tuple[ev.Event, ...]:
    if game.auction is None and (game.open_bid is None or game.open_bid.calls is None):
        raise RuleViolation("no_call", "No bid to undo.")
    return (ev.CallTakenBack(),)


def _must_have_hands(game: Game) -> None:
    if game.final is not None:
        raise RuleViolation("final_fixed", "This game has only a final score, so you can't change it.")


def _change_rules(game: Game, command: ChangeRules) -> tuple[ev.Event, ...]:
    _must_have_hands(game)
    # The seating stays, and with it whether a partner is called.
    rules = changed(command.rules, {"called_partner": game.table.rules.called_partner})
    if rules.preset != game.table.rules.preset:
        raise RuleViolation("preset_fixed", "You can change the house rules, but not the game.")
    if rules == game.table.rules:
        return ()
    if game.rule_changes >= MOST_RULES:
        message = Phrase("You can change the rules of a game at most %(most)s times.", most=MOST_RULES)
        raise RuleViolation("rules_many", message)
    table = set_table(rules, game.table.players, game.table.sides)
    if game.open_bid is not None:
        check_bid(table, seat=game.open_bid.bidder, dealer=game.open_bid.dealer, bid=game.open_bid.bid)
        check_trump(table, game.open_bid.trump)
    for line in game.hands:
        try:
            refit(game.table, table, line.entry.hand)
        except RuleViolation as violation:
            message = Phrase(
                "Hand %(number)s doesn't fit these rules. %(why)s", number=line.number, why=violation.message
            )
            raise RuleViolation("hand_unfit", message, hand=line.number - 1) from None
    return (ev.RulesChanged(rules),)


def _adjust_score(game: Game, command: AdjustScore) -> tuple[ev.Event, ...]:
    _must_have_hands(game)
    check_side(game.table, command.side, "side")
    check_adjustment(command.points, command.reason)
    return (ev.ScoreAdjusted(command.side, command.points, command.reason.strip()),)


def _withdraw_bid(game: Game, command: WithdrawBid) -> tuple[ev.Event, ...]:
    if game.open_bid is None:
        raise RuleViolation("no_bid", "No bid to undo.")
    # Undoing a bid that was called reopens the auction without its last call.
    return (ev.BidWithdrawn() if game.open_bid.calls is None else ev.CallTakenBack(),)


def complete(game: Game, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return `data`, a hand in the record format, with the bid in play added if `data` names no bidder.

    If `data` is just `{"conceded": True}`, return the whole hand in which the dealer gave up the forced bid.
    """
    if dict(data) == {"conceded": True}:
        return _given_up(game)
    bid = game.open_bid
    if bid is None or any(key in data for key in ("bidder", "calls", "passed")):
        return dict(data)
    known = {
        "bidder": bid.bidder,
        "bid": bid.bid,
        "trump": bid.trump,
        "calls": None if bid.calls is None else list(bid.calls),
    }
    return {key: value for key, value in known.items() if value is not None} | dict(data)


def _given_up(game: Game) -> dict[str, Any]:
    table = game.table
    partner = {"partner": None} if table.called else {}
    bid = {"bidder": game.dealer, "bid": table.rules.forced_bid}
    return {**bid, **partner, "taken": [0] * table.parties, "conceded": True}


def _enter_hand(game: Game, command: EnterHand) -> tuple[ev.Event, ...]:
    _must_run(game)
    hand = read_hand(game.table, complete(game, command.data), dealer=game.dealer)
    return (ev.HandThrownIn(hand) if hand.thrown_in else ev.HandScored(hand),)


def _correct_hand(game: Game, command: CorrectHand) -> tuple[ev.Event, ...]:
    entry = _live_entry(game, command.seq)
    old = entry.hand
    # Additional record fields (`x_…`) are not in the form, so keep them.
    carried = dict(old.extra or {}) | dict(command.data)
    hand = read_hand(game.table, carried, dealer=old.dealer)
    # Keep the calls and the cards too, unless they contradict the correction.
    if "calls" not in carried and (hand.dealer, hand.bidder, hand.bid) == (old.dealer, old.bidder, old.bid):
        hand = hand._replace(calls=old.calls)
    if "captured" not in carried and (hand.trump, hand.points) == (old.trump, old.points):
        hand = hand._replace(captured=old.captured)
    # A form asks for the rank of the turned-up card.
    if hand.turned_up == (old.turned_up or "")[:1]:
        hand = hand._replace(turned_up=old.turned_up)
    if hand.taken == old.taken and hand.side_tricks is None:
        hand = hand._replace(side_tricks=old.side_tricks, side_red=old.side_red)
    return () if hand == old else (ev.HandCorrected(command.seq, hand),)


def _live_entry(game: Game, seq: int) -> Entry:
    entry = game.entry(seq)
    if not entry.live:
        raise RuleViolation("hand_voided", "That hand was already undone.")
    return entry


def _void_hand(game: Game, command: VoidHand) -> tuple[ev.Event, ...]:
    _live_entry(game, command.seq)
    return (ev.HandVoided(command.seq),)


def _restore_hand(game: Game, command: RestoreHand) -> tuple[ev.Event, ...]:
    entry = game.entry(command.seq)
    if entry.live:
        raise RuleViolation("hand_live", "That hand already counts.")
    if isinstance(entry.what, Hand):
        # The house rules may have changed since it was undone.
        refit(game.table, game.table, entry.what)
    return (ev.HandRestored(command.seq),)


def _undo(game: Game, command: Undo) -> tuple[ev.Event, ...]:
    if game.stopped is not None and game.tally.outcome is None:
        return (ev.GameReopened(),)
    if game.open_bid is not None:
        return _withdraw_bid(game, WithdrawBid())
    if game.auction is not None:
        return (ev.CallTakenBack(),)
    if not game.lines:
        raise RuleViolation("nothing_to_undo", "Nothing to undo.")
    return (ev.HandVoided(game.lines[-1].entry.seq),)


def _redo(game: Game, command: Redo) -> tuple[ev.Event, ...]:
    if not game.undone:
        raise RuleViolation("nothing_to_redo", "Nothing to redo.")
    return (ev.HandRestored(game.undone[-1]),)


def _misdeal(game: Game, command: Misdeal) -> tuple[ev.Event, ...]:
    _must_run(game)
    return (ev.HandMisdealt(game.dealer),)


def _set_dealer(game: Game, command: SetDealer) -> tuple[ev.Event, ...]:
    _must_run(game)
    check_seat(game.table, command.dealer, "dealer")
    if command.dealer == game.dealer:
        return ()
    if game.open_bid is not None:
        check_bid(game.table, seat=game.open_bid.bidder, dealer=command.dealer, bid=game.open_bid.bid)
    return (ev.DealerSet(command.dealer),)


def _report_hand(game: Game, command: ReportHand) -> tuple[ev.Event, ...]:
    entry = _live_entry(game, command.seq)
    if isinstance(entry.what, Adjustment):
        raise RuleViolation("hand_unknown", "That hand isn't in this game.")
    if any((report.hand, report.by) == (command.hand, command.by) for report in entry.reports):
        return ()
    return (ev.HandReported(command.seq, command.hand, command.by, command.first, by_point=True),)


def _settle_report(game: Game, command: SettleReport) -> tuple[ev.Event, ...]:
    entry = _live_entry(game, command.seq)
    report = entry.report(command.report)
    settled = ev.ReportSettled(command.seq, command.report, command.how, command.reason)
    if command.how == KEEP:
        return (settled,)
    if command.how == TAKE:
        hand = refit(game.table, game.table, report.hand)._replace(extra=entry.hand.extra)
        return (settled,) if hand == entry.hand else (settled, ev.HandCorrected(command.seq, hand))
    if command.how != SPLIT:
        raise RuleViolation("settle", "Choose which one is right.", field="how")
    _must_run(game)
    if game.in_play:
        raise RuleViolation("in_play", "A hand is in progress. Save it or undo its bid, then try again.")
    # That phone was a hand behind, so its dealer belongs to another hand.
    other = refit(game.table, game.table, report.hand._replace(dealer=game.dealer, calls=None))
    return settled, ev.HandThrownIn(other) if other.thrown_in else ev.HandScored(other)


def _take_tail(game: Game, command: TakeTail) -> tuple[ev.Event, ...]:
    _must_have_hands(game)
    if game.stopped is not None and game.stopped.rule == "time":
        raise RuleViolation("time_up", "The bell ended this game. Only the desk can change its result.")
    if command.number > len(game.hands) + 1:
        message = Phrase("Hand %(number)s was undone. Redo it first.", number=command.number - 1)
        raise RuleViolation("tail_gap", message)
    late = [ev.HandVoided(line.entry.seq) for line in reversed(game.hands) if line.number >= command.number]
    reopened = (ev.GameReopened(),) if game.stopped is not None else ()
    return ev.TailTaken(command.number, command.by), *reopened, *late


def _set_hand_aside(game: Game, command: SetHandAside) -> tuple[ev.Event, ...]:
    hand = read_hand(game.table, dict(command.data), dealer=game.dealer)
    return (ev.HandSetAside(command.number, hand, command.by),)


def _reseat(kind: type[ev.PlayerReplaced | ev.PlayerRenamed]) -> Callable[[Game, Any], tuple[ev.Event, ...]]:
    def decided(game: Game, command: ReplacePlayer | RenamePlayer) -> tuple[ev.Event, ...]:
        check_seat(game.table, command.seat, "seat")
        return (kind(command.seat, command.player),)

    return decided


def _concede(game: Game, command: Concede) -> tuple[ev.Event, ...]:
    _must_run(game)
    check_side(game.table, command.winner, "winner")
    return (ev.GameConceded(command.winner),)


def _abandon(game: Game, command: Abandon) -> tuple[ev.Event, ...]:
    _must_run(game)
    return (ev.GameAbandoned(),)


def _enter_result(game: Game, command: EnterResult) -> tuple[ev.Event, ...]:
    if game.lines or game.in_play:
        raise RuleViolation("hands_and_final", "This game has hands. Correct those instead.", field="final")
    totals = check_final(game.table, list(command.totals))
    if command.ended_by == UNDECIDED and command.winner is None:
        return (ev.ResultEntered(totals, None, UNDECIDED),)
    told = read_ending(game.table, command.winner, command.ended_by)
    if told is None:
        return (ev.ResultEntered(totals),)
    check_ending(game.table, totals, *told)
    return (ev.ResultEntered(totals, *told),)


def _reopen(game: Game, command: Reopen) -> tuple[ev.Event, ...]:
    if game.stopped is None:
        raise RuleViolation("not_stopped", "This game wasn't ended early.")
    return (ev.GameReopened(),)


_DECIDE: Mapping[type[Any], Callable[[Game, Any], tuple[ev.Event, ...]]] = {
    TakeBid: _take_bid,
    WithdrawBid: _withdraw_bid,
    MakeCall: _make_call,
    TakeBackCall: _take_back_call,
    ChangeRules: _change_rules,
    AdjustScore: _adjust_score,
    EnterHand: _enter_hand,
    CorrectHand: _correct_hand,
    VoidHand: _void_hand,
    RestoreHand: _restore_hand,
    Undo: _undo,
    Redo: _redo,
    Misdeal: _misdeal,
    SetDealer: _set_dealer,
    ReplacePlayer: _reseat(ev.PlayerReplaced),
    RenamePlayer: _reseat(ev.PlayerRenamed),
    Concede: _concede,
    Abandon: _abandon,
    EnterResult: _enter_result,
    Reopen: _reopen,
    ReportHand: _report_hand,
    SettleReport: _settle_report,
    TakeTail: _take_tail,
    SetHandAside: _set_hand_aside,
}
