"""Store games: rows, event log, access, notes, export."""
