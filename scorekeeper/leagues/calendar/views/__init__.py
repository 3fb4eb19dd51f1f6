"""Views of the schedule and of personal links."""
