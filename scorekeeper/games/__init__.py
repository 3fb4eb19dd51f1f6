"""Games at a card table: event log, use cases that write to it, and pages."""
