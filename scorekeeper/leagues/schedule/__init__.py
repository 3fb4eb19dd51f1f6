"""Seating for league nights: pure functions on the standard library and `rules` only.

A person is a positive integer id. Rounds and seats count from 0, tables from 1. Nothing here reads a clock, file or
database: the same input and seed always give the same seating.
"""
