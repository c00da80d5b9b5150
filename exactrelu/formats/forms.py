r"""Arrays of affine forms: what a file computes between the layers of a network under construction.

An entry of a tensor is a :class:`Form` :math:`\sum_ua_uu+c` in the neurons
:math:`u` of the layers so far (layer 0 is the input). Tensors are NumPy arrays
of forms, so that whatever only moves entries is done by NumPy. Sums stay forms;
an activation, or a second matrix product, makes a layer. Edges that a product
does not have are absent, not of weight 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ..errors import InvalidFile, InvalidInput
from ..networks import IDENTITY, Activation, Analytic, Layer, Network
from ..verdicts import Neuron

Tensor: TypeAlias = npt.NDArray[Any]
"""An array of forms, of type ``object``."""
Edges: TypeAlias = Sequence[tuple[int, Fraction]]
"""One row of a sparse matrix: positions in a tensor, row by row, with their weights."""

FOLDED: Final = "constants added before a matrix product are composed into its bias"
SCALED: Final = "constants multiplied with a tensor are composed into the weights around it"
SKIPPED: Final = "tensors added without a matrix enter along edges of weight 1"

SOFTPLUS: Final = Analytic.softplus()
"""The one activation whose value at 0 is irrational."""

MAX_ENTRIES: Final = 250_000
"""The largest number of entries of a tensor."""
MAX_EDGES: Final = 5_000_000
"""The largest number of edges of a network that is read, and of places for edges in its matrices."""


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    r"""The form :math:`\sum_ua_uu+c`; ``offset`` is ``None`` where nothing was ever added.

    ``mixed`` says that it is the result of a matrix product or a sum; otherwise it
    is a multiple of one neuron, or a constant.
    """

    terms: dict[Neuron, Fraction]
    offset: Fraction | None = None
    mixed: bool = False

    def is_neuron(self, neuron: Neuron) -> bool:
        """Whether the form is that neuron itself."""
        return not self.mixed and self.offset is None and self.terms == {neuron: 1}

    def scaled(self, factor: Fraction) -> Form:
        """A multiple of the form."""
        if factor == 1:
            return self
        offset = None if self.offset is None else factor * self.offset
        return Form({neuron: factor * weight for neuron, weight in self.terms.items()}, offset, self.mixed)

    def shifted(self, shift: Fraction) -> Form:
        """The form plus a constant; adding 0 to a neuron changes nothing, to a product it makes a bias."""
        if not shift and not self.mixed:
            return self
        return Form(self.terms, shift if self.offset is None else self.offset + shift, self.mixed)

    def plus(self, other: Form) -> Form:
        """The sum of two forms."""
        terms = dict(self.terms)
        for neuron, weight in other.terms.items():
            terms[neuron] = terms[neuron] + weight if neuron in terms else weight
        offset = self.offset if other.offset is None else other.offset + (self.offset or 0)
        return Form(terms, offset, self.mixed or other.mixed or bool(self.terms and other.terms))


def tensor_of(forms: Sequence[Form], shape: Sequence[int]) -> Tensor:
    """Forms, row by row, as a tensor."""
    flat = np.empty(len(forms), dtype=np.object_)
    flat[:] = forms
    return flat.reshape(tuple(shape))


def constants(values: Sequence[Fraction], shape: Sequence[int]) -> Tensor:
    """A constant tensor; a zero is the empty form, so that products with it make no edges."""
    return tensor_of([Form({}, value if value else None) for value in values], shape)


def is_computed(value: npt.NDArray[Any]) -> bool:
    """Whether an array holds forms, not numbers."""
    return value.dtype == np.object_


class LayerBuilder:
    """Layers that are appended one by one, and what was decided on the way; ``source`` names the file in messages."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.notes: set[str] = set()
        self._layers: list[tuple[list[Form], list[Activation]]] = []
        self._neurons: dict[int, tuple[Form, Form]] = {}  # by the identity of a mixed form, which the entry keeps alive
        self._edges = 0

    def layer(self, tensor: Tensor, activations: Sequence[Activation]) -> Tensor:
        """A new layer of neurons with these pre-activations, as a tensor.

        Where nothing is read and no constant was added, as in padding, there is no neuron, but a constant.
        """
        found = [_at_zero(form, rho) for form, rho in zip(tensor.flat, activations, strict=True)]
        live = [k for k, constant in enumerate(found) if constant is None]
        if live:
            self._append([tensor.flat[k] for k in live], [activations[k] for k in live])
        names = {k: neuron((len(self._layers), i)) for i, k in enumerate(live)}
        return tensor_of([names[k] if form is None else form for k, form in enumerate(found)], tensor.shape)

    def _append(self, forms: list[Form], activations: list[Activation]) -> None:
        if any(form.terms and not form.mixed for form in forms):
            self.notes.add(SKIPPED)
        self._layers.append((forms, activations))

    def product(self, tensor: Tensor, rows: Iterable[Edges], shape: Sequence[int]) -> Tensor:
        """A sparse matrix, with one row per result, times the entries of a tensor."""
        factors = self._unmixed(list(tensor.flat))
        if any(form.offset is not None for form in factors):
            self.notes.add(FOLDED)
        return tensor_of([self._combined(factors, row) for row in rows], shape)

    def _combined(self, factors: Sequence[Form], row: Edges) -> Form:
        self._edges += len(row)
        if self._edges > MAX_EDGES:
            raise InvalidFile(self.source, f"must need at most {MAX_EDGES} edges")
        terms: dict[Neuron, Fraction] = {}
        offset: Fraction | None = None
        for position, weight in row:
            form = factors[position]
            if form.offset is not None:
                offset = weight * form.offset + (offset or 0)
            for unit, scale in form.terms.items():
                entry = weight if scale == 1 else weight * scale
                terms[unit] = terms[unit] + entry if unit in terms else entry
        return Form(terms, offset, mixed=True)

    def _unmixed(self, forms: list[Form]) -> list[Form]:
        """The forms, those that are sums or products replaced by neurons of a layer with identity activation."""
        fresh = {id(form): form for form in forms if form.mixed and id(form) not in self._neurons}
        if fresh:
            mixed = list(fresh.values())
            units = self.layer(tensor_of(mixed, (len(mixed),)), [IDENTITY] * len(mixed))
            self._neurons.update((id(form), (form, unit)) for form, unit in zip(mixed, units, strict=True))
        return [self._neurons[id(form)][1] if form.mixed else form for form in forms]

    def network(self, input_dim: int, output: Tensor) -> Network:
        """The network that computes a tensor from the input."""
        flat = list(output.flat)
        number = len(self._layers)
        last = len(self._layers[-1][0]) if self._layers else -1
        if len(flat) != last or not all(form.is_neuron((number, i)) for i, form in enumerate(flat)):
            self._append(flat, [IDENTITY] * len(flat))
        widths, layers = [input_dim], []
        kept = self._kept()
        names: dict[Neuron, Neuron] = {(0, j): (0, j) for j in range(input_dim)}
        for old, indices in kept:
            forms, activations = self._layers[old - 1]
            names.update(((old, i), (len(widths), k)) for k, i in enumerate(indices))
            rows = [forms[i] for i in indices]
            layers.append(self._layer(rows, [activations[i] for i in indices], names, widths))
            widths.append(len(indices))
        try:
            return Network(input_dim, layers)
        except InvalidInput as error:
            raise error.at(self.source) from None

    def _kept(self) -> list[tuple[int, list[int]]]:
        """The layers, and the neurons in them, on which the output depends."""
        used: list[set[int]] = [set() for _ in range(len(self._layers) + 1)]
        used[-1] = set(range(len(self._layers[-1][0])))
        for number in range(len(self._layers), 0, -1):
            forms = self._layers[number - 1][0]
            for i in used[number]:
                for source, j in forms[i].terms:
                    used[source].add(j)
        lost = sum(len(forms) - len(used[k]) for k, (forms, _) in enumerate(self._layers, 1))
        if lost:
            self.notes.add(f"{lost} neurons on which no output depends are left out")
        return [(number, sorted(used[number])) for number in range(1, len(used)) if used[number]]

    def _layer(
        self, forms: list[Form], activations: list[Activation], names: dict[Neuron, Neuron], widths: list[int]
    ) -> Layer:
        sources = sorted({names[unit][0] for form in forms for unit in form.terms})
        if sum(widths[source] for source in sources) * len(forms) > MAX_EDGES:
            raise InvalidFile(self.source, f"must need matrices of at most {MAX_EDGES} entries")
        blocks: dict[int, list[list[Fraction | None]]] = {
            source: [[None] * widths[source] for _ in forms] for source in sources
        }
        for i, form in enumerate(forms):
            for unit, weight in form.terms.items():
                source, j = names[unit]
                blocks[source][i][j] = weight
        offsets = [form.offset for form in forms]
        bias = None if all(offset is None for offset in offsets) else [offset or 0 for offset in offsets]
        try:
            return Layer(blocks, bias=bias, activation=activations)
        except InvalidInput as error:
            raise error.at(f"{self.source}: layer {len(widths)}") from None


def _at_zero(form: Form, rho: Activation) -> Form | None:
    """The constant that a neuron without edges and bias is; ``None`` for other neurons, and irrational constants."""
    if form.terms or form.offset is not None or rho == SOFTPLUS:
        return None
    value = Fraction(str(rho(0)))  # a fraction, or a number of SymPy
    return Form({}, value if value else None)


def neuron(name: Neuron) -> Form:
    """A neuron as a form."""
    return Form({name: Fraction(1)})
