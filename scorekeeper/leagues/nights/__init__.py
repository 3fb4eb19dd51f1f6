"""A league night: check-in, seating, tables, results and closing."""
