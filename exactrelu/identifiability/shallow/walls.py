r"""The hyperplanes of a shallow network with the neurons on them.

A *wall* is a hyperplane :math:`H` with a fixed form :math:`g_H`; its neurons
have the form :math:`g_H` (positive side) or :math:`-g_H`. ``jump`` is
:math:`a_H`, the sum of all their outputs, ``share`` is :math:`A_H`, the sum over
the positive side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...equality import Form, ShallowNetwork, form_text, hyperplane
from ...rationals import Vector
from ...verdicts import Neuron, plain, text


@dataclass(frozen=True, slots=True)
class Wall:
    """A hyperplane with the indices of its neurons, by orientation."""

    form: Form
    positive: tuple[int, ...]
    negative: tuple[int, ...]
    jump: Vector
    share: Vector

    @property
    def neurons(self) -> tuple[int, ...]:
        """All neurons on the hyperplane, ascending."""
        return tuple(sorted(self.positive + self.negative))

    @property
    def is_pair(self) -> bool:
        """Whether two opposite neurons, and no others, lie on the hyperplane."""
        return len(self.positive) == len(self.negative) == 1

    @property
    def cancels(self) -> bool:
        """Whether the outputs on the hyperplane sum to zero."""
        return not any(self.jump)

    def to_json(self) -> dict[str, Any]:
        """The wall as JSON data; the entries of its form are numbers, hence text."""
        return {
            "form": [text(entry) for entry in self.form],
            "positive": list(self.positive),
            "negative": list(self.negative),
            "jump": plain(self.jump),
            "share": plain(self.share),
        }

    def explain(self) -> str:
        """The equation of the hyperplane."""
        return f"{form_text(self.form)} = 0"


def walls(net: ShallowNetwork, indices: Iterable[int]) -> tuple[Wall, ...]:
    """The walls of the given neurons (with nonzero forms), in the order of their first neurons."""
    found: dict[Form, tuple[list[int], list[int]]] = {}
    for i in indices:
        form = net.forms[i]
        sides = found.setdefault(hyperplane(form), ([], []))
        sides[form != hyperplane(form)].append(i)
    return tuple(
        Wall(
            form,
            tuple(positive),
            tuple(negative),
            total((net.outputs[i] for i in positive + negative), net.output_dim),
            total((net.outputs[i] for i in positive), net.output_dim),
        )
        for form, (positive, negative) in found.items()
    )


def total(vectors: Iterable[Sequence[Fraction]], length: int) -> Vector:
    """The sum of vectors of equal length."""
    result = [Fraction(0)] * length
    for vector in vectors:
        result = [a + b for a, b in zip(result, vector, strict=True)]
    return tuple(result)


def hidden(indices: Iterable[int]) -> tuple[Neuron, ...]:
    """Hidden neurons of a shallow network as pairs (layer, index)."""
    return tuple((1, i) for i in indices)
