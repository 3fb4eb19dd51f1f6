"""Connect to the database: connections, transactions, append-only tables and the schema version."""
