"""A score book of an older version, what that version showed of it, and the script that made both."""
