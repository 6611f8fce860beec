"""Recorded games as data: a folder per game, a record per line, with the stored outcome.

They keep old records readable: a change of rules that alters an outcome here is a new version
beside the old one, never an edit of these files. A line is an input of `carnet check` with `expect`
added: the state after the last entry (absent keys are not compared), the first refusal (`at`, any
of `rules`, `contradicts` if a single entry is the reason), or `malformed`.
"""
