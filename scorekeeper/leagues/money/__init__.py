"""The money of a night, in whole cents. All that comes in is either paid out or kept.

The calculations (`payout`, `pots`, `takings`, `receipt`) are pure and use only the standard library.
"""
