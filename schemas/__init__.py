"""Every shape that outlives a deploy: cards, entries, options, read and written strictly.

Imports msgspec and the standard library only. A stored shape never changes: add a version and an
upcaster beside it (`schemas.upcast`).
"""
