"""Explanations, for operators."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Explanation(dict[str, "Any"]):
    """What was checked and why something is refused, as a dictionary. `print` shows it as text of at most 80 columns."""

    __slots__ = ()

    def __str__(self) -> str:
        """The table of the command `verify-token --explain`. Text of the token or request in it is escaped."""
        return str(self["text"])
