"""View models of the money of a night and of a season.

Put the fees and prizes of a season into words, for its page.
"""

from collections.abc import Collection
from typing import Literal, Self

from msgspec import Struct, structs

from scorekeeper.games.presenters.agreements import amount_text
from scorekeeper.i18n.catalog import _
from scorekeeper.i18n.sentences import isolated, join_names
from scorekeeper.leagues.money.settings import MoneySettings, Share
from scorekeeper.web.text import unaccented


class Amount(Struct, frozen=True):
    """A line of a money table.

    `amount` is a string in the format of the reader's language. `count` is the number of fees or sets (failed bids) as
    text, or "". `who` is the name of the player who was paid, or "". `is_sum` marks a line that is the sum of the lines
    above.
    """

    what: str
    amount: str
    count: str = ""
    who: str = ""
    is_sum: bool = False


class PrizeChange(Struct, frozen=True):
    """What a player was paid in prizes before a night was corrected, and what they are due now, as texts."""

    name: str
    before: str
    now: str
    due: str
    """The difference in words, such as "gives back 42.50"."""


class PotPlayer(Struct, frozen=True):
    """A player who was checked in tonight, on the page of a side pot.

    `paid` says whether the player paid into the pot. `won` says whether the player won the pot.
    """

    id: str
    name: str
    paid: bool
    won: bool


class PotForm(Struct, frozen=True):
    """A side pot on the money page of an open night. `now` is the amount in it, with the entries of tonight."""

    name: str
    entry: str
    now: str
    players: tuple[PotPlayer, ...]
    last_time: int
    """How many of `players` were in the pot when it was last played for."""

    @property
    def inside(self) -> int:
        """Return the number of players who are in the pot tonight."""
        return sum(player.paid for player in self.players)

    @property
    def winners(self) -> str:
        """Return the names of the players who won the pot, as "Ann and Bob"; "" if nobody did."""
        won = [isolated(player.name) for player in self.players if player.won]
        return join_names(won) if won else ""

    def chosen(self, paid: Collection[str], won: Collection[str]) -> Self:
        """Return the pot with these choices, not saved yet: who paid, and who won, by public id."""
        players = (structs.replace(each, paid=each.id in paid, won=each.id in won) for each in self.players)
        return structs.replace(self, players=tuple(players))


class FeePayer(Struct, frozen=True):
    """A person in the list of a night's entry fees.

    `note` says what is unusual: that they paid a fee that wasn't due, that they paid through the accounts, or that only
    a part is left to pay. Otherwise it is "".
    """

    id: str
    name: str
    note: str = ""
    at_desk: bool = False
    """True if the desk took money from them, so that it can be undone there."""


class FeesPanel(Struct, frozen=True):
    """The part of a page about a night's entry fees. It lists the people who owe the fee and the people who paid it."""

    fee: str
    """The fee as text: "5.00"."""
    owing: tuple[FeePayer, ...]
    paid: tuple[FeePayer, ...]
    players: int
    """How many players have to pay."""
    due: str
    """Sum of the fees still due, as text."""

    @property
    def rows(self) -> tuple[FeePayer, ...]:
        """Return everyone on the list by name, so that nobody's place depends on who has paid."""
        return tuple(sorted((*self.owing, *self.paid), key=lambda payer: (unaccented(payer.name), payer.id)))

    @property
    def done(self) -> int:
        """Return the number of players who have paid the fee. Players who didn't have to pay are not counted."""
        return self.players - len(self.owing)


class StatementLine(Struct, frozen=True):
    """One line of a person's account. The amounts are strings in the format of the reader's language.

    An amount is "" if nothing was charged or paid.
    """

    day: str
    what: str
    charged: str
    paid: str
    note: str = ""
    payment: int = 0
    """Id of the payment, if it can still be corrected; else 0."""


class Balance(Struct, frozen=True):
    """The account of one person in a season."""

    id: str
    name: str
    state: Literal["owes", "ahead", "even"]
    amount: str
    """The amount they owe or paid ahead, as text."""
    cents: int
    """`amount` in cents; negative if they paid ahead."""
    charged: str
    paid: str
    undoable: int
    """The id of a payment that was saved today as the last one of the account, and can be undone; 0 without one."""
    lines: tuple[StatementLine, ...]
    """The lines of the account; empty unless the reader opened this account, since a season has thousands of lines."""


def money_words(settings: MoneySettings, *, playoffs: bool) -> tuple[str, ...]:
    """Return sentences about how fees, prizes and side pots work; () if the season isn't played for money.

    `playoffs` says whether the season has playoffs.
    """
    sentences = [*_fees(settings), *_prizes(settings)]
    sentences += [
        _("Side pot “%(pot)s”: %(amount)s a night.", pot=isolated(pot.name), amount=amount_text(pot.entry))
        for pot in settings.pots
    ]
    if sentences and playoffs:
        sentences.append(_("Playoff nights have the same fees and prizes."))
    return tuple(sentences)


def _fees(settings: MoneySettings) -> list[str]:
    told = []
    if settings.entry_fee:
        told.append(_("Entry fee: %(amount)s a night.", amount=amount_text(settings.entry_fee)))
    if settings.per_set:
        told.append(_("Each set puts %(amount)s into the kitty.", amount=amount_text(settings.per_set)))
    return told


def _prizes(settings: MoneySettings) -> list[str]:
    if not settings.payout:
        return []
    return [
        _("Prizes, from first place down: %(shares)s.", shares=", ".join(map(_share, settings.payout))),
        _(
            "Players who share a rank split the prizes for the places they take up. Prizes are rounded down to the "
            "nearest cent, and first place gets the leftover cents. If partners can't split a prize evenly, one of "
            "them gets a cent more."
        ),
    ]


def _share(share: Share) -> str:
    return f"{share.percent}%" if share.percent else amount_text(share.fixed)
