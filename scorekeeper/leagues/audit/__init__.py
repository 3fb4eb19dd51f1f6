"""The history of a league as people read it."""
