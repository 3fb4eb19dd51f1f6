"""A database of an older version, the pages that version showed, and the script that made both."""
