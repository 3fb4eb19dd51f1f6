"""Views of open clubs, by audience: people, other websites and programs."""
