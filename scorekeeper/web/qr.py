"""Addresses as codes that a phone's camera reads."""

from __future__ import annotations

import io

import segno
from markupsafe import Markup

QUIET = 4
"""Squares of white around a code that its standard (ISO/IEC 18004) asks for."""


def code_of(address: str, border: int = QUIET) -> Markup:
    """Return the address as a QR code: an SVG element as large as its place, `border` squares of white around it."""
    drawn = io.BytesIO()
    segno.make(address, micro=False).save(
        drawn, kind="svg", border=border, light="#fff", xmldecl=False, svgns=False, omitsize=True
    )
    return Markup(drawn.getvalue().decode())  # noqa: S704 -- drawn here, of squares
