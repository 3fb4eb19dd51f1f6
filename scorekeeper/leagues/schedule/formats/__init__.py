"""What a league night can be: one module a format, its rules first, and the registry `FORMATS`."""
