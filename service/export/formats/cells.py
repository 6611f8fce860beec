"""Types of cells and lines of a table, for all formats."""

from collections.abc import Sequence
from datetime import datetime
from typing import TypeAlias

Cell: TypeAlias = int | float | str | datetime | None
Line: TypeAlias = Sequence[Cell]
