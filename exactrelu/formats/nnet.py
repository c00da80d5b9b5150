r"""The ``.nnet`` text format of the ACAS Xu networks, with its decimals exact.

After ``//`` comments come a line with the number of layers (and, in most files,
the input, output and largest sizes), a line with all layer sizes, then five
lines (an unused flag, minima and maxima of the inputs, means, ranges), then for
every layer its weight rows and its biases, one line per neuron. Three shapes of
the head occur in the wild: complete; with lone zeros in place of the five
lines; and with more entries than inputs (the ACAS Xu files carry two inputs
that were split off), where the first ones belong to the inputs and the last one
to the outputs.

The file describes a network on *normalised* inputs :math:`(x-m)/r` with output
:math:`y\,r_y+m_y`. The raw network ignores this; with ``normalized`` the exact
affine maps are composed into the first and last layer. Clipping the inputs to
minima and maxima is never applied: it is not part of the network.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from ..errors import InvalidFile, InvalidInput, InvalidNumber
from ..networks import Network
from ..rationals import Reading, Vector, from_float, rational

Line = tuple[int, list[str]]
"""A line number of the file, and the entries of the line."""

HEAD_LINES = 5  # flag, minima, maxima, means, ranges


@dataclass(frozen=True, slots=True)
class Normalization:
    """Means and ranges: one per input, and the last one for all outputs."""

    means: Vector
    ranges: Vector


@dataclass(frozen=True, slots=True)
class NnetFile:
    """The raw network of a file, and its normalization or the reason why it has none."""

    network: Network
    normalization: Normalization | str

    def normalized_network(self, source: str) -> Network:
        """The network on inputs and outputs in their original units.

        Raises :class:`~exactrelu.errors.InvalidFile` if the file has no usable normalization.
        """
        if isinstance(self.normalization, str):
            raise InvalidFile(source, f"must carry means and ranges to be normalized, but {self.normalization}")
        means, ranges = self.normalization.means, self.normalization.ranges
        new = []
        for parameter in self.network.parameters:
            value = parameter.value
            if parameter.source is not None and parameter.source[0] == 0:
                value /= ranges[parameter.source[1]]
            elif parameter.source is None and parameter.target[0] == 1:
                weights = self.network.layers[0].weights[0][parameter.target[1]]
                value -= sum((w or 0) * m / r for w, m, r in zip(weights, means[:-1], ranges[:-1], strict=True))
            if parameter.target[0] == self.network.depth:
                value *= ranges[-1]
                if parameter.source is None:
                    value += means[-1]
            new.append(value)
        return self.network.with_values(new)


def read_nnet(content: str, source: str, reading: Reading = "decimal") -> NnetFile:
    """The network that an ``.nnet`` file describes; ``source`` names it in messages.

    ``reading`` ``"decimal"`` takes the decimals as they are written,
    ``"dyadic"`` rounds each to the nearest double first, as floating-point tools do.

    Raises :class:`~exactrelu.errors.InvalidFile` or
    :class:`~exactrelu.errors.InvalidNumber`, naming the line.
    """
    number = _number_reader(reading)
    lines = [
        (k, [entry for entry in re.split(r"[,\s]+", line) if entry])
        for k, line in enumerate(content.splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("//")
    ]
    sizes = _sizes(lines, source)
    body = lines[2:]
    expected = 2 * sum(sizes[1:])
    head = len(body) - expected
    if head not in (0, HEAD_LINES - 1, HEAD_LINES):
        raise InvalidFile(
            source,
            f"must have {expected} lines of weights and biases after the sizes {_listed(sizes)} "
            f"and 0, 4 or 5 lines before them, but it has {len(body)} in all",
        )
    normalization = _normalization(body[:head][-(HEAD_LINES - 1) :], sizes[0], number, source)
    rows = iter(body[head:])
    weights, biases = [], []
    for before, width in pairwise(sizes):
        weights.append([_row(next(rows), before, number, source) for _ in range(width)])
        biases.append([_row(next(rows), 1, number, source)[0] for _ in range(width)])
    return NnetFile(Network.mlp(weights, biases), normalization)


def _number_reader(reading: Reading) -> Callable[[str, str], Fraction]:
    def exact(entry: str, place: str) -> Fraction:
        if "/" in entry:
            raise InvalidNumber(place, "must be a decimal number, not a quotient", entry)
        return rational(entry, place)

    def rounded(entry: str, place: str) -> Fraction:
        exact(entry, place)  # refuses what is no number, or too long for one
        return from_float(float(entry), reading, place)

    return exact if reading == "decimal" else rounded


def _sizes(lines: list[Line], source: str) -> list[int]:
    """The layer sizes, input first, checked against the line before them."""
    if len(lines) < 2:
        raise InvalidFile(source, "must begin with a line of counts and a line of layer sizes")
    counts = _integers(lines[0], source)
    sizes = _integers(lines[1], source)
    if len(sizes) != counts[0] + 1:
        raise InvalidFile(
            f"{source}: line {lines[1][0]}", f"must have {counts[0] + 1} layer sizes, as line {lines[0][0]} says", sizes
        )
    if len(counts) >= 3 and counts[1:3] != [sizes[0], sizes[-1]]:
        raise InvalidFile(
            f"{source}: line {lines[0][0]}", f"must name {sizes[0]} inputs and {sizes[-1]} outputs", counts[1:3]
        )
    return sizes


def _integers(line: Line, source: str) -> list[int]:
    if not line[1]:
        raise InvalidFile(f"{source}: line {line[0]}", "must consist of positive integers, but has commas only")
    for entry in line[1]:
        if not (entry.isascii() and entry.isdigit() and len(entry) < 10 and int(entry) > 0):
            raise InvalidFile(f"{source}: line {line[0]}", "must consist of positive integers", entry)
    return [int(entry) for entry in line[1]]


def _normalization(
    lines: list[Line], inputs: int, number: Callable[[str, str], Fraction], source: str
) -> Normalization | str:
    """Means and ranges from the four lines before the weights, or why there are none."""
    if not lines:
        return "the lines for them are missing"
    found = []
    for name, (k, entries) in zip(("means", "ranges"), lines[-2:], strict=True):
        if len(entries) <= inputs:
            return f"line {k} has {len(entries)} {name} instead of {inputs + 1}"
        try:
            found.append(tuple(number(entry, f"line {k}") for entry in (*entries[:inputs], entries[-1])))
        except InvalidInput as error:
            raise error.at(source) from None
    if 0 in found[1]:
        return f"line {lines[-1][0]} has a range of 0"
    return Normalization(*found)


def _row(line: Line, length: int, number: Callable[[str, str], Fraction], source: str) -> list[Fraction]:
    k, entries = line
    if len(entries) != length:
        raise InvalidFile(f"{source}: line {k}", f"must have {length} numbers", len(entries))
    return [number(entry, f"{source}: line {k}") for entry in entries]


def _listed(sizes: list[int]) -> str:
    return ", ".join(map(str, sizes[:20])) + (", ..." if len(sizes) > 20 else "")
