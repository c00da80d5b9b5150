r"""Families of networks to search: all small ones, random ones, and those around a given one.

A family numbers its members, and each number alone determines its member, so
that a search can be cut into ranges and resumed anywhere.

>>> tiny = family((1, 1, 1), entries=(-1, 0, 1))
>>> tiny.size, tiny.counts()
(81, (81, 81))
>>> family((1, 2, 1), entries=(0, 1, 2), biases=False).counts()  # up to exchanging and rescaling two neurons
(81, 21)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Final

from ..errors import InvalidFile, InvalidInput, check_integer
from ..rationals import rational
from ..rationals.strict_json import expect_format, expect_integer, expect_list, expect_object
from .exhaustive import ExhaustiveFamily
from .layouts import Layout
from .numbered import FAMILY_FORMAT, NetworkFamily
from .representatives import Representatives
from .sampled import RandomFamily
from .strata import named_strata

MOST_ARRANGEMENTS: Final = 1_000_000
"""The largest number of permutations and scalings of one network that an exhaustive family may have to compare."""

__all__ = ["ExhaustiveFamily", "NetworkFamily", "RandomFamily", "family", "family_from_json"]


def family(
    widths: Sequence[int],
    *,
    entries: Iterable[object] | None = None,
    denominators: int | None = None,
    random: int | None = None,
    count: int | None = None,
    skips: bool = False,
    biases: bool | Sequence[bool] = True,
    strata: Iterable[str] = (),
) -> NetworkFamily:
    r"""A family of fully connected networks with these ``widths``, input and output included.

    ``entries`` are the values of the parameters; ``denominators=q`` stands for
    all fractions in :math:`[-1,1]` with denominators up to :math:`q`. The family is
    exhaustive, one network per class of :math:`\sim_{PS}`, unless ``random`` is a seed:
    then it has ``count`` seeded random members, or no end. With ``skips`` each layer reads all
    earlier ones; ``biases`` may be given per layer. ``strata`` names degenerate
    :mod:`~.strata`: an exhaustive family keeps only members in one of them, and the
    degenerate half of a random family is taken from them.

    Raises :class:`~exactrelu.errors.InvalidInput`.

    >>> family((1, 1, 1), denominators=2).entries
    (Fraction(0, 1), Fraction(1, 1), Fraction(-1, 1), Fraction(1, 2), Fraction(-1, 2))
    >>> family((2, 3, 1), random=0, count=10).member(3) == family((2, 3, 1), random=0).member(3)
    True
    """
    layout = Layout.of(widths, skips, biases)
    values = _values(entries, denominators)
    names = tuple(stratum.name for stratum in named_strata(strata))
    if random is not None:
        if type(random) is not int:
            raise InvalidInput("random", "must be an integer, the seed", random)
        if count is not None:
            check_integer("count", count, 0)
        return RandomFamily(layout, random, count, values, names)
    if count is not None:
        raise InvalidInput("count", "must be left out, unless the family is random", count)
    if not values:
        raise InvalidInput("entries, denominators, random", "must not all be left out")
    found = ExhaustiveFamily(layout, values, names)
    arrangements = layout.orders * Representatives(layout, values).scales ** sum(layout.widths[1:-1])
    if arrangements > MOST_ARRANGEMENTS:
        rule = f"must leave at most {MOST_ARRANGEMENTS} permutations and scalings of the hidden neurons, or be random"
        raise InvalidInput("widths, entries", rule, arrangements)
    return found


def family_from_json(data: Any, source: str = "family") -> NetworkFamily:
    """The family that JSON data specifies.

    Raises :class:`~exactrelu.errors.InvalidInput` naming the place.

    >>> some = family((1, 2, 1), random=3, count=5)
    >>> family_from_json(some.to_json()) == some
    True
    """
    expect_format(data, source, FAMILY_FORMAT)
    if isinstance(data, dict) and data.get("kind") == "mutations":
        from .mutations import mutations_from_json

        return mutations_from_json(data, source)
    common = ("format", "version", "kind", "widths", "skips", "biases", "entries", "strata")
    extra = ("seed", "count") if data.get("kind") == "random" else ()
    fields = expect_object(data, source, required=(*common, *extra))
    if fields["kind"] not in ("exhaustive", "random"):
        raise InvalidFile(f"{source}: kind", "must be exhaustive, random or mutations", fields["kind"])
    seed = expect_integer(fields["seed"], f"{source}: seed", least=-(10**18)) if extra else None
    try:
        return family(
            [expect_integer(n, f"{source}: widths") for n in expect_list(fields["widths"], f"{source}: widths")],
            entries=expect_list(fields["entries"], f"{source}: entries") or None,
            random=seed,
            count=fields["count"] if extra else None,
            skips=fields["skips"],
            biases=fields["biases"],
            strata=expect_list(fields["strata"], f"{source}: strata"),
        )
    except InvalidFile:
        raise
    except InvalidInput as error:
        raise error.at(source) from None


def _values(entries: Iterable[object] | None, denominators: int | None) -> tuple[Fraction, ...]:
    """The different values that parameters may have, in their order."""
    if entries is not None and denominators is not None:
        raise InvalidInput("entries, denominators", "must not both be given")
    if denominators is not None:
        check_integer("denominators", denominators, 1)
        sizes = [Fraction(0), *(Fraction(p, q) for q in range(1, denominators + 1) for p in range(1, q + 1))]
        entries = [value for size in sizes for value in (size, -size)]
    if entries is None:
        return ()
    if isinstance(entries, str | bytes) or not isinstance(entries, Iterable):
        raise InvalidInput("entries", "must be a list of numbers", entries)
    found = tuple(dict.fromkeys(rational(entry, f"entries[{i}]") for i, entry in enumerate(entries)))
    if not found:
        raise InvalidInput("entries", "must not be empty")
    return found
