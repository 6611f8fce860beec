"""Every shape that outlives a release: cards, entries and options, decoded and encoded strictly.

It imports only msgspec and the standard library. A stored shape never changes: a new version and an
upcaster are added beside it (`schemas.upcast`).
"""
