"""Planned nights, players' answers about whether they will come, and the calendars that phones subscribe to.

`series`, `settings` and `replies` are pure. `feed` writes calendar files and reads no database.
"""
