"""The statements of the theory, section by section."""

from __future__ import annotations

from typing import Final

from ..theorem import Theorem
from . import embedding

STATEMENTS: Final[tuple[Theorem, ...]] = (*embedding.STATEMENTS,)
