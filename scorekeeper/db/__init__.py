"""The database: connections, transactions, the append-only tables, and which version of the tables is there."""
