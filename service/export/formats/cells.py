"""Cells and lines of a table, whatever format they are written in."""

from collections.abc import Sequence
from datetime import datetime
from typing import TypeAlias

Cell: TypeAlias = int | float | str | datetime | None
Line: TypeAlias = Sequence[Cell]
