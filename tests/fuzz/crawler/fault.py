"""What the crawler raises."""


class Fault(Exception):
    """An answer, or what became of the score book, that must not be."""
