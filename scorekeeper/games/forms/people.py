"""Forms for the people of a home table (a group that plays at home)."""

from __future__ import annotations

from flask_wtf.file import FileField
from wtforms import BooleanField, StringField

from scorekeeper.games.forms.base import text_field
from scorekeeper.web.forms import AppForm
from scorekeeper.web.images import read_photo


class AddPersonForm(AppForm):
    """Add a person to the home table. `sure` is a name about which the page has asked already."""

    name = StringField(default="")
    sure = StringField(default="")


class HomePersonForm(AppForm):
    """Change a person's name, color and emoji."""

    name = StringField(default="")
    color = text_field()
    emoji = text_field()


class SamePersonForm(AppForm):
    """Merge a person into another person of the same home table. `sure` means that the player confirmed this."""

    into = text_field()
    sure = BooleanField()


class HideForm(AppForm):
    """Stop offering a person for new games. If `hidden` is not set, offer the person again."""

    hidden = BooleanField()


class PhotoForm(AppForm):
    """Upload the photo of a person, or remove it."""

    photo = FileField()
    remove = BooleanField()

    @property
    def data_sent(self) -> bytes:
        """Return the uploaded file, or b"" if no file was chosen.

        Raises `PhotoRefusedError` if the file is too large.
        """
        return read_photo(self.photo.data or None)
