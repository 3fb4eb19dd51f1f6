"""Define the base class of all HTML forms. Only form fields read what a browser sent."""

import unicodedata
from collections.abc import Callable
from contextlib import closing
from typing import Any, ClassVar

from flask import request
from flask_wtf import FlaskForm
from werkzeug.datastructures import CombinedMultiDict, FileStorage, MultiDict
from wtforms import Field, FileField, HiddenField

from scorekeeper.rules.phrase import RuleViolation


class AppForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF has no types
    """The base class of our forms. After a POST, a form holds the input and the errors in the reader's language.

    The CSRF token is checked for each POST before any view runs (`web.extensions.csrf`), so forms don't check the token
    again. The macro `guarded` puts the token into the page. A field's name on the page may differ from the field's
    attribute name.
    """

    class Meta:
        """WTForms options for all our forms."""

        csrf = False

        def get_translations(self, _form: FlaskForm) -> None:
            """Return None, so that Flask-WTF doesn't load its translations. All error messages are our own."""

        def wrap_formdata(self, form: FlaskForm, formdata: Any) -> Any:
            """Return the input for a form, or None if the request has none.

            JSON input is ignored. Files are included only if the form has a file field.
            """
            if formdata is None or hasattr(formdata, "getlist"):
                return formdata
            if not form.is_submitted():
                return None
            names = [field.name for field in form if isinstance(field, FileField)]
            files = MultiDict((name, each) for name in names for each in request.files.getlist(name))
            return CombinedMultiDict((files, request.form)) if files else request.form or None

    field_names: ClassVar[dict[str, str]] = {}
    """Maps the name of a field in the errors of services to its name on the page, for fields with two names."""

    def refuse(self, field: str, says: str) -> None:
        """Add the error message `says` to a form field.

        `field` is the field's name in the services. `field_names` maps names in the services to names in the form.
        Raises `StopIteration` for an unknown field.
        """
        name = self.field_names.get(field, field)
        shown: Field = next(each for each in self if each.name == name)
        shown.errors = [*shown.errors, says]

    @property
    def hidden_fields(self) -> list[Field]:
        """Return the hidden fields of the form."""
        return [field for field in self if isinstance(field, HiddenField)]


def uploaded(file: object, most: int = -1) -> bytes:
    """Return the content of an uploaded file, or b"" if no file was chosen.

    With `most`, at most `most` + 1 bytes are read, so that the caller can tell if the file is too large. Raises
    `RuleViolation` if a file was chosen that has nothing in it.
    """
    if not isinstance(file, FileStorage) or not file:
        return b""
    with closing(file):
        data: bytes = file.stream.read(most + 1 if most >= 0 else -1)
    if not data:
        raise RuleViolation("file_empty", "That file is empty. Choose another one.")
    return data


def at_most(characters: int) -> Callable[[Any], Any]:
    """Return a form field filter that cuts text to its first `characters` characters."""
    return lambda value: value[:characters] if isinstance(value, str) else value


def printable(text: str | None) -> str:
    """Return `text` with a space in place of each control character, or "" for None.

    Pages can't show control characters.
    """
    return "".join(" " if unicodedata.category(char) == "Cc" else char for char in text or "")
