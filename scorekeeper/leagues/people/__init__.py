"""The people of a league."""
