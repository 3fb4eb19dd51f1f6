"""The history of a league, in sentences."""
