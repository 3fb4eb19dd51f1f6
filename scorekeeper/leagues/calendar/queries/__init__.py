"""Read the schedule, who comes, personal pages, and calendars."""
