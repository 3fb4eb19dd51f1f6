"""Read the schedule, players' answers about whether they will come, personal pages, and calendars."""
