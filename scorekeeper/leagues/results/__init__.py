"""The results of a night, provisional until it is closed, and the points of a season by night.

The module `honors` is pure and uses only the standard library. The ranking is made by `standings.tonight`, by which
the prizes are paid, too.
"""
