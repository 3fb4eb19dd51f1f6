"""The base of all league features: rows, roles, access, the log, and the transaction on a night."""
