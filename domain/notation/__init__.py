"""The portable text record: one notation for every game, read and written.

scan       characters → lines of tokens
forms      what the shapes of a game say about its words and fields
values     tokens → one value
entries    tokens → one entry
tags       the tags above the entries
reading    a whole text → a record, or its problems
writing    a record → its text and its hash
"""

from domain.notation.problem import Problem
from domain.notation.reading import Reading, read
from domain.notation.writing import canonical, digest, write

__all__ = ["Problem", "Reading", "canonical", "digest", "read", "write"]
