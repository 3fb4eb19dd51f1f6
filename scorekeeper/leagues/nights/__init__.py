"""A league night: attendance, seating, tables, results and the close."""
