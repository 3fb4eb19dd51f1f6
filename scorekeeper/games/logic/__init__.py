"""What can be said of a game without a database or a request: pure functions on replayed games."""
