"""The exception that the crawler raises."""


class Fault(Exception):
    """A response or a change to the database that must not happen."""
