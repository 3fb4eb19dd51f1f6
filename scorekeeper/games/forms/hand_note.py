"""Forms of notes and photos on hands, and of coke hands, which let a player ask for new cards."""

from __future__ import annotations

from flask_wtf.file import FileField
from wtforms import StringField

from scorekeeper.games.forms.base import GameForm, text_field


class HandNoteForm(GameForm):
    """Save the note on a hand."""

    note = text_field()


class HandPhotoForm(GameForm):
    """Save a photo of a hand's cards."""

    photo = FileField()


class CokeHandForm(GameForm):
    """Record a coke hand: the player at `seat` asked for new cards."""

    seat = StringField()
