"""Make the pages of a game that a phone shows while offline, from the same templates as the online pages.

The pages are rendered for an empty game. `static/js/games/offline-pages.js` fills in the score, the hands, and the
effect of a change.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from flask import render_template, url_for
from msgspec import structs

from scorekeeper.games import queries
from scorekeeper.games.forms.base import AdjustForm
from scorekeeper.games.pages.common import ChangeRow, Effect, EndingPage, Sharing
from scorekeeper.games.presenters.agreements import adjust_page, ending_page
from scorekeeper.games.presenters.board import board_page
from scorekeeper.games.presenters.card_count import count_page, count_rules, count_words, whole_deck_page
from scorekeeper.games.presenters.correction import correction_page
from scorekeeper.games.presenters.history import CorrectionPage, LogPage, TablePage
from scorekeeper.games.presenters.rule_card import rule_card
from scorekeeper.games.presenters.snapshot import LETTERS, Snapshot, adjustment_text, bid_in_suit, call_text, said_bid
from scorekeeper.games.presenters.summaries import outcome_view
from scorekeeper.games.store.access import NoSuchGameError
from scorekeeper.i18n.catalog import _, ngettext
from scorekeeper.i18n.sentences import join_names
from scorekeeper.rules import commands as c
from scorekeeper.rules import events as ev
from scorekeeper.rules.game import Entry, Game
from scorekeeper.rules.hands import allowed_trumps
from scorekeeper.rules.record import MOST_ADJUSTED
from scorekeeper.rules.replay import advance
from scorekeeper.rules.scoring import Hand

LOG_LINES = 30
"""Maximum number of entries of the history that a phone has offline."""
MARK = 987_654
"""Placeholder for the number of a hand, and for the points of an adjustment."""


def pages_of(snapshot: Snapshot, empty: Game) -> dict[str, Any]:
    """Return a dict of a game's offline pages, by name. `empty` is the game before its first hand.

    The values are HTML, except for these keys: "correct" has a list of correction forms, one for each bidder, by seat.
    "end" has a dict of the pages that end the game, by the winning side as a string ("" for no winner). "count" has the
    data with which a phone counts cards, or None in a game without named points.

    "effect", "strike" and "adjusting" are sections of a page. They show what changes if a hand is corrected, if a hand
    is deleted, and if the score is adjusted. "drop" is the page on which an adjustment is deleted.
    """
    fresh = replace(snapshot, game=empty, tally=(), latest=ev.GameStarted(empty.table.rules, (), (), 0))
    effect = _effect(empty)
    (hand, *_rest) = corrected = [_correction(fresh, seat) for seat in range(empty.table.players)]
    adjusted = replace(fresh, game=advance(empty, c.decide(empty, c.AdjustScore(0, 1, "-"))))
    dropping = correction_page(adjusted, adjusted.game.entries[0], effect=effect, striking=True)
    return {
        "table": _page("table", page=_menu(snapshot, fresh)),
        "rules": _page("rule_card", page=rule_card(empty.table.rules, game_id=snapshot.public_id)),
        "log": _history(snapshot),
        "correct": [_page("correction", page=page) for page in corrected],
        "effect": _section(_page("correction", page=structs.replace(hand, effect=effect))),
        "strike": _section(_page("correction", page=structs.replace(hand, number=MARK, effect=effect, striking=True))),
        "drop": _page("correction", page=dropping),
        "adjust": _page("adjust", page=adjust_page(fresh), form=AdjustForm(None)),
        "adjusting": _section(_page("adjust", page=adjust_page(fresh, effect=effect), form=AdjustForm(None))),
        "end": dict(_endings(fresh)),
        "auction": _auction(fresh),
        "count": _count(fresh) if empty.table.rules.categories else None,
    }


def _effect(game: Game) -> Effect:
    """Return an empty model for the effect of a change. It has one row without values, which the phone fills in."""
    return Effect((ChangeRow(0, "", "", LETTERS[:2] if len(game.table.sides) == 2 else ""),), "{result}", "")


def _page(template: str, **values: Any) -> str:
    """Return the HTML of a page's content. `MARK` in the page is replaced by "{n}"."""
    return render_template(f"games/{template}.html", part=True, **values).replace(str(MARK), "{n}")


def _section(html: str) -> str:
    """Return the HTML of the section that shows the effect of a change."""
    return html[html.index('<section class="panel effect"') : html.index("</section>") + len("</section>")]


def _correction(fresh: Snapshot, seat: int) -> CorrectionPage:
    """Return the page to correct a hand whose bidder sits at `seat`. The fields of the form are empty."""
    table = fresh.game.table
    # With a called partner a hand has points of the bidder's side and of all others.
    taken = (0, 0) if table.called else (0,) * len(table.sides)
    hand = Hand(fresh.game.dealer, taken=taken)
    if not table.rules.has_bids:
        return structs.replace(correction_page(fresh, Entry(0, hand), chosen={}), number=MARK, said="")
    entry = Entry(0, hand._replace(bidder=seat, bid=table.bids[0]))
    page = correction_page(fresh, entry, chosen={"bidder": str(seat), "bid": "pitch"})
    nobody = tuple(structs.replace(choice, chosen=False) for choice in page.bids)
    return structs.replace(page, number=MARK, said="", bids=nobody)


def _menu(snapshot: Snapshot, fresh: Snapshot) -> TablePage:
    """Return the game menu as it is shown offline.

    Backup codes, phones and links are left out, because they are secret or may change.
    """
    page = queries.table_page(replace(fresh, started=False), (), watch_url=_watch_url(snapshot))
    return structs.replace(page, sharing=Sharing((), None) if snapshot.started else None, fresh=False)


def _watch_url(snapshot: Snapshot) -> str:
    return url_for("games.watch", game_id=snapshot.public_id, _external=True) if snapshot.watched else ""


def _history(snapshot: Snapshot) -> str:
    """Return the HTML of the game's history. For a game that is not on the server, the history has no entries."""
    try:
        page = queries.log_of(snapshot, most=LOG_LINES)
    except NoSuchGameError:
        page = LogPage(snapshot.public_id, _("Game history"), ())
    return _page("log", page=page)


def _endings(fresh: Snapshot) -> Iterator[tuple[str, str]]:
    game = fresh.game
    for side in range(len(game.table.sides)):
        page = ending_page(fresh, c.Concede(side), url_for("games.concede", game_id=fresh.public_id), str(side))
        yield str(side), _page("early_end", page=_scored(page), league=None)
    page = ending_page(fresh, c.Abandon(), url_for("games.abandon", game_id=fresh.public_id), "")
    yield "", _page("early_end", page=_scored(page), league=None)


def _scored(page: EndingPage) -> EndingPage:
    return structs.replace(page, score=_("The score stays as it is: %(score)s.", score="{score}"))


def _count(fresh: Snapshot) -> dict[str, Any]:
    """Return what a phone needs to count cards offline, as a dict.

    `cards`, `quick` and `counted` have HTML. `rules` has the rules for counting, and `words` has the sentences.
    """
    quick = count_page(fresh, {}, quick=True, asked=False)
    return {
        "cards": _page("count", page=whole_deck_page(fresh)),
        "quick": _page("count", page=quick),
        "counted": _section(_page("count", page=structs.replace(quick, counted=("",)))),
        "rules": count_rules(fresh),
        "words": count_words(fresh),
    }


def _auction(fresh: Snapshot) -> str:
    """Return the HTML of the auction after the first call. It includes the button to undo a call.

    Returns "" for a game without bidding.
    """
    if not fresh.game.table.rules.has_bids:
        return ""
    game = advance(fresh.game, c.decide(fresh.game, c.MakeCall("pass")))
    page = board_page(replace(fresh, game=game))
    html = _page("board", page=structs.replace(page, standing=None)).partition("<!--later-->")[0]
    return html[html.index('<section class="auction') : html.rindex("</section>") + len("</section>")]


def page_words(snapshot: Snapshot) -> dict[str, Any]:
    """Return a dict of the sentences of the offline pages, by key. The phone fills in placeholders such as "{n}"."""
    return {
        "back": _("Back to the game"),
        "undo_line": _("Undo adjustment"),
        "undo_change": _("Undo last change"),
        "redo": _("Redo hand %(number)s", number="{n}"),
        "resume": _("Resume the game"),
        "call_back": _("Undo last bid"),
        "needs_signal": _("Needs a signal."),
        "goes_on": _("New score: %(score)s. Game continues.", score="{score}"),
        "goes_on_unchanged": _("Score: %(score)s. Game continues.", score="{score}"),
        "unchanged": _("The totals don't change."),
        "deleted": _("deleted"),
        "delete": _("Delete"),
        "adjusted_row": _("Adjusted"),
        "correct": _("Correct hand"),
        "late": _("doesn't count"),
        "point": _("%(point)s: %(side)s", point="{point}", side="{side}"),
        "late_tag": _("after the end"),
        "last_tag": _("last hand"),
        "corrected_tag": _("corrected"),
        "and": join_names(["{a}", "{b}"]),
        "before": _("Before"),
        "after": _("After"),
        "adjusting": _refusals(),
        "done": _done_words(),
        "log": _log_words(),
        "told": _hand_words(snapshot),
        "stopped": _stopped_words(snapshot),
        "standing": _("High bid: %(bid)s (%(bidder)s).", bid="{bid}", bidder="{bidder}"),
        "no_bids": _("No bids yet."),
        "deals": _("%(dealer)s deals.", dealer="{name}"),
        "pass": call_text("pass"),
        "stuck": _("stuck"),
        "take_it": _("take it"),
        "change": ngettext("%(num)s change waiting", "%(num)s changes waiting", 1),
        "changes": ngettext("%(num)s change waiting", "%(num)s changes waiting", 99).replace("99", "{n}"),
    }


def _refusals() -> dict[str, str]:
    """Return a dict of the error messages for an invalid adjustment, by form field.

    Online pages show the same messages.
    """
    return {
        "side": _("Choose whose score to change."),
        "points": _("Enter how many points to add or subtract, from 1 to %(most)s.", most=MOST_ADJUSTED),
        "reason": _("Enter a reason, so everyone can see it later."),
    }


def _done_words() -> dict[str, str]:
    """Return a dict of the messages that the board shows after a change, by kind of change."""
    return {
        "undo": _("Hand %(number)s undone.", number="{n}"),
        "undo_line": _("Adjustment undone."),
        "correct": _("Hand %(number)s corrected.", number="{n}"),
        "dealer": _("%(dealer)s deals.", dealer="{name}"),
        "misdeal": _("Misdeal. %(dealer)s deals again.", dealer="{name}"),
        "reopen": _("The game goes on."),
    }


def _log_words() -> dict[str, str]:
    """Return the sentences and parts of sentences that describe entries of the history, as a dict by key."""
    return {
        "hand": _("Hand %(number)s.", number="{n}"),
        "a_hand": _("hand %(number)s", number="{n}"),
        "an_adjustment": _("an adjustment"),
        "undo": _("Undid %(hand)s.", hand="{hand}"),
        "correct": _("Corrected %(hand)s.", hand="{hand}"),
        "dealer": _("Dealer changed."),
        "to_deal": _("%(dealer)s to deal", dealer="{name}"),
        "misdeal": _("Misdeal. %(dealer)s deals again.", dealer="{name}"),
        "adjust": _("Score adjusted."),
        "concede": _("Game conceded."),
        "abandon": _("Game ended without a winner."),
        "reopen": _("The game goes on."),
        "score": _("Score: %(score)s.", score="{score}"),
    }


def _hand_words(snapshot: Snapshot) -> dict[str, Any]:
    """Return a dict of the parts of sentences about hands and adjustments, by key.

    Online pages make the sentences about hands with `presenters.vocabulary.hand_text`.
    """
    table = snapshot.game.table
    return {
        "passed": _("%(dealer)s dealt. All passed.", dealer="{dealer}"),
        "alone": _("%(bid)s alone", bid="{bid}"),
        "with": _("%(bid)s with %(partner)s", bid="{bid}", partner="{partner}"),
        "dealt_only": _("%(dealer)s dealt.", dealer="{dealer}"),
        "turned_up": _("%(dealer)s dealt and turned up %(card)s.", dealer="{dealer}", card="{card}"),
        "dealt": _("%(dealer)s dealt, %(bidder)s bid %(bid)s.", dealer="{dealer}", bidder="{bidder}", bid="{bid}"),
        "bids": {
            trump: {str(bid): bid_in_suit(bid, trump or None) for bid in table.bids}
            for trump in ("", *allowed_trumps(table))
        },
        "said": {str(bid): said_bid(bid) for bid in table.bids},
        "called": _("The bidder's side took %(ours)s, the others %(theirs)s.", ours="{ours}", theirs="{theirs}"),
        "others": _("The others"),
        "took": _("%(side)s: %(points)s.", side="{side}", points="{points}"),
        "absent": _("Not out: %(points)s.", points="{points}"),
        "unscored": _("Nobody scored %(points)s.", points="{points}"),
        "card": [category.key for category in table.rules.categories if category.card],
        "gets": [adjustment_text(side, MARK, "{reason}").replace(str(MARK), "{points}") for side in snapshot.sides],
        "loses": [adjustment_text(side, -MARK, "{reason}").replace(str(MARK), "{points}") for side in snapshot.sides],
    }


def _stopped_words(snapshot: Snapshot) -> dict[str, list[str]]:
    """Return a dict of [headline, reason] lists for games that end early. The key is the winning side, as a string.

    The key "null" is for a game that ends without a winner.
    """
    game = snapshot.game
    running = replace(game, stopped=None, tally=game.tally._replace(outcome=None), final=None)
    stops: dict[str, c.Command] = {str(side): c.Concede(side) for side in range(len(game.table.sides))}
    told = {}
    for winner, command in {**stops, "null": c.Abandon()}.items():
        view = outcome_view(advance(running, c.decide(running, command)), snapshot.sides)
        assert view is not None
        told[winner] = [view.headline, view.reason]
    return told
