"""Define what the forms of a game share, and its small forms.

Read the form data that people send, and limit its size. `scorekeeper.rules` decides whether a value is valid.

Base classes of a game's forms. Each form has an id, so that sending the form twice saves only once.

Forms of notes and photos on hands, and of coke hands, which let a player ask for new cards.

Forms that change a score later: adjustments, and decisions about a hand that two phones entered differently.

Forms for several phones: join with a link, take over with a backup code, and settle hands saved offline.

Forms of the game menu, for changing names, players or the dealer, and for ending a game early.

Form for settling up: how, and for which stakes.
"""

import base64
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from flask import request
from flask_wtf.file import FileField
from werkzeug.datastructures import MultiDict
from wtforms import Field, HiddenField, StringField
from wtforms.validators import InputRequired, Regexp

from scorekeeper.db.tokens import derived_id
from scorekeeper.games.logic.reconcile import request_key
from scorekeeper.rules.bidding import Bid
from scorekeeper.rules.commands import AdjustScore
from scorekeeper.rules.money import USES
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.forms import AppForm, at_most, printable
from scorekeeper.web.locale import EVENING
from scorekeeper.web.text import whole_number

REQUEST_ID = r"[A-Za-z0-9_-]{8,64}\Z"


def read_bid(value: str) -> Bid:
    """Return the bid in a form field: an int, or the text itself if the text is not a number, such as "pitch"."""
    return value if (bid := whole_number(value)) is None else bid


def read_seat(value: str) -> int | None:
    """Return the seat in a form field, counted from 0, or None if the text is not a number."""
    return whole_number(value, 2)


def read_points(value: str) -> int:
    """Return the points of an adjustment, which may be negative.

    If the text is not a number, return 0, and the rules then refuse the adjustment.
    """
    return whole_number(value.strip().removeprefix("+"), 5, signed=True) or 0


def plain(form: MultiDict[str, str]) -> dict[str, str]:
    """Return the first value of each field of a form. Control characters are replaced with spaces."""
    return {key: printable(value) for key, value in form.items()}


def number(text: str) -> Any:
    """Return `text` as a number, or unchanged if it isn't a number, so that the rules refuse it."""
    return text if (value := whole_number(text, 8)) is None else value


VERSION = r"[1-9][0-9]{0,6}\Z"
"""Pattern of a game's version, which is the number of the game's events.

The pattern allows at most seven digits, so that the number fits its database column.
"""
MOST_OFFSET = 20 * 60
"""Largest number of minutes, positive or negative, that `offset_in` accepts."""
UNTOLD = ("csrf_token", "seen", "sure", "again")
"""Fields that are left out when a request is compared with an earlier request of the same id."""


class TextsField(Field):
    """A form field that collects several fields of the request into one dict, from their names to their values.

    A field of the request is collected if its name is in `names` or begins with one of `starts`. If a name is in
    `several`, all values sent under that name are joined with spaces.
    """

    data: dict[str, str]

    def __init__(
        self,
        names: frozenset[str] = frozenset(),
        starts: tuple[str, ...] = (),
        *,
        several: frozenset[str] = frozenset(),
        raw: bool = False,
        **other: Any,
    ) -> None:
        super().__init__(**other)
        self.names = names
        self.starts = starts
        self.several = several
        self.shown: Callable[[str], str] = str if raw else printable

    def process(self, formdata: Any, data: object = None, extra_filters: object = None) -> None:
        """Store the values from the request that belong to this field.

        If a name was sent several times, only the first value counts, except for the names in `several`.
        """
        self.process_errors = []
        sent: Mapping[str, str] = formdata or {}
        self.data = {
            key: self.shown(" ".join(formdata.getlist(key)) if key in self.several else text)
            for key, text in sent.items()
            if key in self.names or key.startswith(self.starts)
        }


class StartForm(AppForm):
    """Base of the forms that start a game."""

    client_id = HiddenField(validators=[InputRequired(), Regexp(REQUEST_ID)])

    def key(self, content: bytes = b"") -> str:
        """Return the request key, which is made of the id in the form, the fields sent, and `content`.

        `content` is the uploaded file, if any. The fields in `UNTOLD` are ignored. If a second request has the same id
        but other fields or another file, the second request gets a different key.
        """
        fields = [(key, value) for key, value in request.form.items(multi=True) if key not in UNTOLD]
        return request_key(str(self.client_id.data), json.dumps([request.path, fields]).encode() + content)

    @property
    def game_id(self) -> str:
        """Return the id of the game that this form starts.

        A phone that gets no response calculates the same id itself.
        """
        told = sorted(f"{key}={value}" for key, value in request.form.items(multi=True) if key != "csrf_token")
        return derived_id("\n".join((request.path, *told)))


class GameForm(StartForm):
    """Base of the forms that change a game. Each form sends the version of the game that its page showed."""

    version = HiddenField(validators=[InputRequired(), Regexp(VERSION)])


class SeenForm(GameForm):
    """Base of the forms for changes that the player reviews before saving.

    `seen` is "" in the first request. The review page then sends the same choices again, with a digest of these choices
    in `seen` (see `choice_digest`). For a hand, `seen` may also have the effect in the words of the phone's preview.
    """

    seen = HiddenField()


def text_field(**options: Any) -> Any:
    """Return a form field for text. Control characters in the text are replaced with spaces.

    The field's data is None if nothing was sent.
    """
    return StringField(filters=[lambda text: text and printable(text)], **options)


def number_in(field: Field) -> int:
    """Return the number chosen in a form field. Raises `RuleViolation` if none was chosen."""
    number = whole_number(field.data or "")
    if number is None:
        raise RuleViolation("choice_missing", "Make a choice first. Nothing was changed.", field=field.name)
    return number


def offset_in(text: str | None) -> timedelta:
    """Return the offset of the phone's local time from UTC, less 5 hours, since a day here ends at 5 in the morning.

    `text` is the offset in minutes, as a script wrote it into the form. For any other text, as from a phone without
    JavaScript, the result is minus `EVENING`.
    """
    minutes = whole_number(text or "", 4, signed=True)
    return -EVENING if minutes is None or abs(minutes) > MOST_OFFSET else timedelta(minutes=minutes)


class HandNoteForm(GameForm):
    """Save the note on a hand."""

    note = text_field()


class HandPhotoForm(GameForm):
    """Save a photo of a hand's cards."""

    photo = FileField()


class CokeHandForm(GameForm):
    """Record a coke hand: the player at `seat` asked for new cards."""

    seat = StringField()


class AdjustForm(SeenForm):
    """Add points to a side's score, or subtract them."""

    side = text_field()
    sign = text_field()
    points = text_field()
    reason = text_field()

    @property
    def choices(self) -> dict[str, str]:
        """Return the values entered in the form, by field name, in the order side, sign, points, reason."""
        return {field.name: field.data or "" for field in (self.side, self.sign, self.points, self.reason)}

    def command(self) -> AdjustScore:
        """Return the command that adjusts the score; raises `RuleViolation` if no side was chosen."""
        side, sign, points, reason = self.choices.values()
        if not side:
            raise RuleViolation("side_missing", "Choose whose score to change.", field="side")
        change = read_points(points)
        return AdjustScore(
            int(side) if side in tuple("0123456") else -1, -abs(change) if sign == "-" else change, reason
        )


class SettleReportForm(GameForm):
    """Settle a dispute about a hand that two phones entered differently."""

    how = HiddenField(default="")
    reason = StringField(default="")


MOST_BYTES = 100_000
"""Maximum size in bytes of the unpacked hands from a QR code: about 700 hands. The limit stops zip bombs."""


class JoinForm(AppForm):
    """Let this phone keep score. The form may also say at which seat the phone's owner sits."""

    secret = HiddenField(default="")
    seat = StringField(default="")


class RecoveryForm(AppForm):
    """Enter the backup code of a lost phone."""

    code = StringField(default="", filters=[at_most(80)])


class TailForm(GameForm):
    """Compare, accept or discard the hands that a phone saved offline.

    `sent` holds these hands and the version of the game that the phone saw, in the format that
    `views.offline.read_tail` reads. The format is JSON, plain or packed as in a QR code. `carried` is "1" if another
    phone sends the hands for the phone that saved them.
    """

    sent = HiddenField(default="")
    carried = HiddenField()

    def hands(self) -> Any:
        """Return the content of `sent`, decoded from JSON, or None if it is not JSON."""
        try:
            return json.loads(_unpacked(self.sent.data or ""))
        except (ValueError, RecursionError, zlib.error):
            return None


def _unpacked(text: str) -> str | bytes:
    """Return the JSON in a code that was made by `static/js/games/outbox-code.js`.

    Such a code begins with "z" for deflated or "j" for plain JSON, followed by base64. Any other text is returned
    unchanged.
    """
    kind, packed = text[:1], text[1:]
    if kind not in ("z", "j"):
        return text
    data = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
    return data if kind == "j" else zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, MOST_BYTES)


class NamesForm(GameForm):
    """Change the players' names."""

    names = TextsField(starts=("name-",), raw=True)

    def by_seat(self, players: int) -> Sequence[str]:
        """Return the names of `players` players in seat order, with "" for each name that was not sent."""
        return [self.names.data.get(f"name-{seat}", "") for seat in range(players)]


class SeatForm(GameForm):
    """Put a substitute at one seat."""

    seat = StringField()
    name = StringField(default="")


class ReseatForm(GameForm):
    """Play again in other seats."""

    seats = StringField()


class DealerForm(GameForm):
    """Change the dealer."""

    dealer = StringField()


class EndForm(GameForm):
    """End a game early.

    `winner` is the side to which the others concede, or "" if the game ends without a winner. `sure` means that the
    player confirmed the end.
    """

    winner = HiddenField(default="")
    sure = HiddenField()


NAMES = frozenset({"method", "currency", *(rate for rates in USES.values() for rate in rates)})


class StakesForm(AppForm):
    """Settle up after a game or an evening."""

    inputs = TextsField(NAMES)

    @property
    def stakes(self) -> Mapping[str, str]:
        """Return the inputs that were sent, as text."""
        stakes: Mapping[str, str] = self.inputs.data
        return stakes
