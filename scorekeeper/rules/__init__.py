"""The rules of Setback, Pitch, High-Low-Jack and Some'R'Set: pure, standard library only.

Nothing here reads a clock, a file or a database. Seats, sides, and indexes of hands and calls count from 0; seats run
clockwise. In docstrings, "RULES 3" is section 3 of `RULES.md`, and "RECORD 3" is section 3 of `RECORD.md`.
"""
