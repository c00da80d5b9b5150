r"""All regions by linear programs: split the domain by one neuron after another, in any dimension.

A :class:`Cell` is an open polyhedron on which the signs of the neurons so far are constant, with a
rational point inside.  The next neuron is affine on it.  Its sign at the point shows one side to be
nonempty; a :class:`~.questions.Question` decides whether the cell reaches the other side, and answers
with a point there.  If it does not, the neuron adds no inequality: so those of a cell have pairwise
different hyperplanes.  Every cell contains a region, so no work is lost.

Cells are split in groups, depth first, so that the questions of a group are answered together and only
few groups wait.

Glossary: r rank of the rows that read the input, as in :mod:`.program`; s sign.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..program import Program, Stage
from .questions import Form, Homogeneous, Question, Row
from .separation import reach

GROUP = 512  # cells that are split together, at most


@dataclass(frozen=True, slots=True)
class Cell:
    """An open cell: its signs in the order of the cuts, its inequalities, and a point inside."""

    signs: tuple[int, ...]
    forms: tuple[Form, ...]  # positive on the cell
    bits: tuple[int, ...]  # the functions whose signs they express
    point: Homogeneous
    values: tuple[Row, ...]  # of the slots of complete stages, as forms
    stage: tuple[Form, ...] = ()  # the cutting rows of the current stage

    def side(self, s: int, bit: int = -1, form: Form | None = None, point: Homogeneous = ()) -> Cell:
        """The part with one more sign, one more inequality perhaps, and another point perhaps."""
        forms, bits = (self.forms, self.bits) if form is None else ((*self.forms, form), (*self.bits, bit))
        return Cell((*self.signs, s), forms, bits, point or self.point, self.values, self.stage)


@dataclass(frozen=True, slots=True)
class _Group:
    """Cells before the same cut."""

    stage: int
    cut: int
    cells: list[Cell]


def cutting_order(program: Program) -> list[int]:
    """The bits of the functions in the order in which they cut."""
    return [bit for stage in program.stages for bit in stage.bits]


def search(program: Program, *, exact_only: bool = False) -> Iterator[list[Cell]]:
    """The regions of a network on a domain with interior points, in groups; ``exact_only`` as in :func:`.reach`."""
    if not program.stages:
        yield [_everything(program)]
        return
    waiting = [_Group(0, 0, [_entered(program.stages[0], _everything(program))])]
    while waiting:
        group = waiting.pop()
        stage = program.stages[group.stage]
        if group.cut < len(stage.bits):
            bit = stage.bits[group.cut]
            parts = _split(group, bit, bit in program.walls, exact_only)
            pieces = -(-len(parts) // GROUP)
            waiting += [_Group(group.stage, group.cut + 1, parts[k::pieces]) for k in range(pieces)]
        elif stage.last:
            yield [Cell(cell.signs, cell.forms, cell.bits, cell.point, ()) for cell in group.cells]
        else:
            following = program.stages[group.stage + 1]
            cells = [_entered(following, _advanced(stage, cell)) for cell in group.cells]
            waiting.append(_Group(group.stage + 1, 0, cells))


def forms_with_signs(program: Program, signs: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """All cutting rows, with their bits, as forms where the functions have these signs, by bit."""
    values = list(_everything(program).values)
    zero = (0,) * len(values[0])
    for stage in program.stages:
        bits = iter(stage.bits)
        for row, bent in zip(stage_rows(stage, values), stage.bent, strict=True):
            bit = next(bits) if bent else -1
            values.append(zero if bent and signs[bit] <= 0 else tuple(row))
            if bent:
                yield bit, row


def cell_with_signs(program: Program, signs: Sequence[int], point: Homogeneous) -> Cell:
    """The cell with these signs, by bit; one form for every hyperplane, not all of them facets."""
    forms: dict[Row, tuple[Form, int]] = {}
    for bit, row in forms_with_signs(program, signs):
        if signs[bit] and any(row[1:]):
            form = Form.of(row if signs[bit] > 0 else [-entry for entry in row])
            forms.setdefault(form.row, (form, bit))
    known = tuple(signs[bit] for bit in cutting_order(program))
    return Cell(known, tuple(form for form, _ in forms.values()), tuple(bit for _, bit in forms.values()), point, ())


def _everything(program: Program) -> Cell:
    size = 1 + program.dim
    units = tuple(tuple([int(i == k) for i in range(size)]) for k in range(size))
    return Cell((), (), (), units[0], units)


def _entered(stage: Stage, cell: Cell) -> Cell:
    """The cell with the forms of the next stage."""
    rows = stage_rows(stage, cell.values)
    cutting = tuple(Form.of(row) for row, cuts in zip(rows, stage.bent, strict=True) if cuts)
    return Cell(cell.signs, cell.forms, cell.bits, cell.point, (*cell.values, *map(tuple, rows)), cutting)


def stage_rows(stage: Stage, values: Sequence[Sequence[int]]) -> list[list[int]]:
    """The rows of a stage applied to the values of the slots."""
    return stage.matrix.times([values[0], *(values[slot] for slot in stage.reads)], len(values[0]))


def _advanced(stage: Stage, cell: Cell) -> Cell:
    """The cell after a stage: what its neurons pass on."""
    first = len(cell.values) - len(stage.rows)
    signs = iter(cell.signs[len(cell.signs) - len(stage.bits) :])
    zero = (0,) * len(cell.values[0])
    passed = [
        zero if bent and next(signs) <= 0 else row for row, bent in zip(cell.values[first:], stage.bent, strict=True)
    ]
    return Cell(cell.signs, cell.forms, cell.bits, cell.point, (*cell.values[:first], *passed))


def _split(group: _Group, bit: int, wall: bool, exact_only: bool) -> list[Cell]:
    """The parts of the cells of a group; of a half-space of the domain only the positive ones."""
    parts: list[Cell] = []
    asked: list[tuple[Cell, Form, int]] = []
    for cell in group.cells:
        form = cell.stage[group.cut]
        here = form.at(cell.point)
        s = (here > 0) - (here < 0)
        if not any(form.row[1:]):
            parts.append(cell.side(s))
        elif s:
            asked.append((cell, form if s > 0 else form.opposite, s))
        else:
            parts += [cell.side(s, bit, side, _pushed(cell, side)) for s, side in ((1, form), (-1, form.opposite))]
    questions = [Question(cell.forms, cell.point, form) for cell, form, _ in asked]
    for (cell, form, s), point in zip(asked, reach(questions, exact_only=exact_only), strict=True):
        if point is None:
            parts.append(cell.side(s))
        else:
            parts += [cell.side(s, bit, form), cell.side(-s, bit, form.opposite, point)]
    return [cell for cell in parts if cell.signs[-1] > 0] if wall else parts


def _pushed(cell: Cell, form: Form) -> Homogeneous:
    """A point of the cell where a form is positive that is zero at its own point."""
    h, *x = cell.point
    scale = 1
    while True:
        point = (h * scale, *(scale * c + g for c, g in zip(x, form.row[1:], strict=True)))
        if all(other.at(point) > 0 for other in cell.forms):
            return point
        scale *= 2
