"""Recorded games as data: one folder a game, one record a line, with the outcome that was stored.

They are what keeps old records readable: a change of rules that alters any outcome here is a new
version beside the old one, never an edit of these files. A line is an input of `carnet check` with
`expect` added: the state after the last entry (a key that is absent is not compared), or the first
refusal (`at`, any of `rules`, `contradicts` where one entry alone is the reason), or `malformed`.
"""
