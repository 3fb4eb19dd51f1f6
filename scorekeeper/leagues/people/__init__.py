"""The players of a league."""
