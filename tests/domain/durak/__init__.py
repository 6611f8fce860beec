"""Durak by both sets of table rules, clause by clause."""
