"""A function that can only be asked for its values: counted, checked, exact."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from fractions import Fraction

from ...errors import Budget, HypothesisNotMet, InvalidInput, WrongDimension, check_budget
from ...rationals import Vector, rational_vector
from ...verdicts import brief

Oracle = Callable[[Vector], Iterable[object]]
"""What answers a tuple of ``Fraction`` with a sequence of exact numbers."""


class BrokenPromise(HypothesisNotMet):
    """A function is not of the kind that was promised; ``point`` is where this shows, if at one point."""

    def __init__(self, argument: str, rule: str, point: Vector | None = None) -> None:
        where = "" if point is None else f", which fails near the point {point_text(map(_short, point))}"
        super().__init__(argument, f"{rule}{where}")
        self.point = point
        self._parts = (argument, rule, point)


class BlackBox:
    r"""An exact oracle on :math:`\mathbb Q^d` that asks each point once and counts its ``queries``.

    The oracle must return a sequence of exact numbers, of the same length
    everywhere. Raises :class:`~exactrelu.errors.InvalidInput` naming the query
    point where it does not, and :class:`~exactrelu.errors.BudgetExceeded` before
    query number ``budget + 1``, where a point with numbers of :math:`b` bits counts
    as :math:`(1+\lfloor b/1000\rfloor)^2` queries, about the work that it makes.

    >>> box = BlackBox(lambda point: [2 * point[0]], 1)
    >>> box((3,)), box((3,)), box.queries
    ((Fraction(6, 1),), (Fraction(6, 1),), 1)
    """

    def __init__(self, oracle: Oracle, input_dim: int, *, budget: int | None = None) -> None:
        if not callable(oracle):
            raise InvalidInput("oracle", "must be a function from a tuple of rationals to a list of rationals", oracle)
        check_budget(budget)
        self.input_dim = input_dim
        self.output_dim: int | None = None
        self._oracle = oracle
        self._budget = None if budget is None else Budget("queries", budget)
        self._answers: dict[Vector, Vector] = {}

    @property
    def queries(self) -> int:
        """The number of points that were asked."""
        return len(self._answers)

    def __call__(self, point: Vector) -> Vector:
        """The value at a point."""
        if point not in self._answers:
            if self._budget is not None:
                bits = max(max(entry.numerator.bit_length(), entry.denominator.bit_length()) for entry in point)
                self._budget.spend((1 + bits // 1000) ** 2)
            self._answers[point] = self._ask(point)
        return self._answers[point]

    def _ask(self, point: Vector) -> Vector:
        place = f"oracle at the point {point_text(point)}"
        try:
            answer = self._oracle(point)
        except Exception as error:
            raise InvalidInput(place, f"must have a value, but raised {type(error).__name__}: {error}") from error
        if isinstance(answer, str | bytes | Mapping | Set) or not isinstance(answer, Iterable):
            raise InvalidInput(place, "must be a list of rational numbers", answer)
        value = rational_vector(answer, place)
        if not value:
            raise WrongDimension(place, "must have at least one entry", 0)
        if self.output_dim is None:
            self.output_dim = len(value)
        if len(value) != self.output_dim:
            raise WrongDimension(place, f"must have {self.output_dim} entries as elsewhere", len(value))
        return value


def point_text(point: Iterable[Fraction]) -> str:
    """A point for a sentence; coordinates with very many digits are described."""
    return f"({', '.join(brief(entry) for entry in point)})"


def _short(value: Fraction) -> Fraction:
    """A number of few digits close by, for the eye only."""
    return value.limit_denominator(1000)
