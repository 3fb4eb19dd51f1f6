"""The results of a night, provisional until it is closed, and the points of a season by night.

`honors` is pure and uses only the standard library. The ranking itself is `standings.tonight`, which also
decides the prizes.
"""
