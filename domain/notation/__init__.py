"""The portable text record: one notation for every game, read and written.

scan       characters to lines of tokens
forms      words and fields of a game, derived from its shapes
values     tokens to one value
entries    tokens to one entry
tags       the tags above the entries
reading    a whole text to a record, or its problems
writing    a record to its text and its hash
"""

from domain.notation.problem import Problem
from domain.notation.reading import Reading, read
from domain.notation.writing import canonical, digest, write

__all__ = ["Problem", "Reading", "canonical", "digest", "read", "write"]
