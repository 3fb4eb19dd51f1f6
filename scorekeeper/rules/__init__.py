"""The rules of Setback, Pitch, High-Low-Jack and Some'R'Set: pure, standard library only.

Nothing here reads a clock, a file or a database. Seats, sides, hands and calls
count from 0; seats run clockwise.
"""
