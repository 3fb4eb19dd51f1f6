"""Who sits where on a league night: pure, standard library and the rules only.

A person is an id, a positive number that the league gave. Rounds and seats count from 0, tables from 1. Nothing
here reads a clock, a file or a database: what is drawn follows from what is given and a seed.
"""
