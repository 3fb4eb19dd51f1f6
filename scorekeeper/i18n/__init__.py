"""Texts in the reader's language: the catalogs, the sentences of the rules, the labels of house rules."""
