"""Games at a table: log, writes and pages."""
