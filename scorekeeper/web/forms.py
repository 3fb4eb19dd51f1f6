"""Base class of all HTML forms; only form fields read what was sent."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any, ClassVar

from flask import request
from flask_wtf import FlaskForm
from werkzeug.datastructures import CombinedMultiDict, MultiDict
from wtforms import FileField, HiddenField

if TYPE_CHECKING:
    from collections.abc import Callable

    from wtforms import Field


class AppForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF has no types
    """Base of our forms. After a POST it is bound to the input; `errors` are texts in the reader's language.

    The CSRF token is checked for each POST before any view runs (`web.extensions.csrf`), and the macro `guarded` puts
    it into the page, so no form checks it again. A field may have another name on the page than its attribute.
    """

    class Meta:
        """Options of WTForms."""

        csrf = False

        def get_translations(self, _form: FlaskForm) -> None:
            """Return no translations: all messages are ours. Flask-WTF would read its catalog for each request."""

        def wrap_formdata(self, form: FlaskForm, formdata: Any) -> Any:
            """Return the data of a form: no JSON, and files only if the form has a file field."""
            if formdata is None or hasattr(formdata, "getlist"):
                return formdata
            if not form.is_submitted():
                return None
            names = [field.name for field in form if isinstance(field, FileField)]
            files = MultiDict((name, each) for name in names for each in request.files.getlist(name))
            return CombinedMultiDict((files, request.form)) if files else request.form or None

    field_names: ClassVar[dict[str, str]] = {}
    """Names that services use for fields, if they differ from the names on the page."""

    def refuse(self, field: str, says: str) -> None:
        """Show the sentence `says` at the field that a service names. Raises `StopIteration` for an unknown field."""
        name = self.field_names.get(field, field)
        shown: Field = next(each for each in self if each.name == name)
        shown.errors = [*shown.errors, says]

    @property
    def hidden_fields(self) -> list[Field]:
        """Return the hidden fields."""
        return [field for field in self if isinstance(field, HiddenField)]


def at_most(characters: int) -> Callable[[Any], Any]:
    """Return a filter that cuts a text to its first so many characters."""
    return lambda value: value[:characters] if isinstance(value, str) else value


def printable(text: str | None) -> str:
    """Return `text` with spaces in place of control characters, which no page can show."""
    return "".join(" " if unicodedata.category(char) == "Cc" else char for char in text or "")
