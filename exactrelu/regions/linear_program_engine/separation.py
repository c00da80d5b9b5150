r"""Answers to many questions at a time: guessed by floats, proved by floats, by integers, or found exactly.

Seen from its point *p*, with :math:`f_i(p+u)=f_i(p)(1-\langle a_i,u\rangle)` and
:math:`g(p+u)=g(p)(1-\langle c,u\rangle)`, a :class:`~.questions.Question` is the linear program
:math:`\max\langle c,u\rangle` subject to :math:`\langle a_i,u\rangle\le1`: does it exceed 1? The simplex method of
:mod:`.guesses` finds a direction, or the names of the forms with a positive multiplier. These are proved in
:mod:`.float_proofs`, else in integers; where that fails too, the exact simplex method answers.

Glossary: r dimension, n questions, m forms of a question.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from ...rationals import float_quotient
from ..program import Floats, Ints
from .float_proofs import dyadic, implied, positive, shortened
from .guesses import NOISE, Guesses, guess
from .questions import Form, Homogeneous, Question, exact_answer

LEAST: Final = 2.0**-200  # a slack that its rounding error has swallowed
ENTRIES: Final = 4_000_000  # floats of a stack, at most
SHORT_BITS: Final = (12, 26, 52)  # lengths of coordinates that are tried


def reach(questions: Sequence[Question], *, exact_only: bool = False) -> list[Homogeneous | None]:
    """For every question a point beyond its target, or ``None`` where there is none; all in one dimension.

    ``exact_only`` does without floats.

    >>> above, below = Form.of([1, 1]), Form.of([3, -1])  # -1 < x < 3
    >>> reach([Question([above, below], (1, 0), Form.of([4, -1])), Question([above, below], (1, 0), Form.of([2, -1]))])
    [None, (2, 5)]
    """
    if exact_only or not questions:
        return [exact_answer(question) for question in questions]
    size = (1 + max(len(question.forms) for question in questions)) * len(questions[0].point)
    step = max(ENTRIES // size, 1)
    parts = [questions[start : start + step] for start in range(0, len(questions), step)]
    return [answer for part in parts for answer in _answers(part)]


def _answers(questions: Sequence[Question]) -> list[Homogeneous | None]:
    """Answers to questions that fit into memory together."""
    forms, p = stacked([question.forms for question in questions], [question.point for question in questions])
    targets = np.array([question.target.floats for question in questions])
    found, x = _guessed(forms, targets, p)
    beyond = np.flatnonzero(found.value > 1 + NOISE)
    points = _points_beyond(questions, beyond, x[beyond], np.concatenate((forms, -targets[:, None]), axis=1))
    full = np.flatnonzero((found.y > NOISE).all(axis=1) & (found.value < 1))
    refuted = set(full[implied(forms[full[:, None], found.basis[full]], targets[full])].tolist())
    answers: list[Homogeneous | None] = []
    for k, question in enumerate(questions):
        if k in points:
            answers.append(points[k])
        elif k in refuted or question.refuted_by(found.basis[k, found.y[k] > NOISE].tolist()):
            answers.append(None)
        else:
            answers.append(exact_answer(question))
    return answers


def _guessed(forms: Floats, targets: Floats, p: Floats) -> tuple[Guesses, Floats]:
    """What the linear programs come to, and points between the targets and the best points."""
    with np.errstate(all="ignore"):
        room = targets[:, 0] + np.einsum("nr,nr->n", targets[:, 1:], p)
        found = guess(polar(forms, p), -targets[:, 1:] / np.maximum(room, LEAST)[:, None])
        return found, p + ((1 + 1 / found.value) / 2)[:, None] * found.u


def polar(forms: Floats, p: Floats) -> Floats:
    """The rows a of the programs, (n, m, r)."""
    slack = forms[:, :, 0] + np.einsum("nmr,nr->nm", forms[:, :, 1:], p)
    rows: Floats = -forms[:, :, 1:] / np.maximum(slack, LEAST)[:, :, None]
    return rows


def _points_beyond(questions: Sequence[Question], asked: Ints, x: Floats, functions: Floats) -> dict[int, Homogeneous]:
    """Those of the points x, rounded, that are proved to answer the questions with the numbers asked."""
    points: dict[int, Homogeneous] = {}
    for bits in SHORT_BITS:
        short = shortened(x, bits)
        good = positive(functions[asked], short)
        points |= zip(asked[good].tolist(), map(dyadic, short[good].tolist()), strict=True)
        asked, x, short = asked[~good], x[~good], short[~good]
    finite = np.isfinite(short).all(axis=1)
    for k, last in zip(asked[finite].tolist(), short[finite].tolist(), strict=True):
        point = dyadic(last)
        if questions[k].answered_by(point):
            points[k] = point
    return points


def stacked(cells: Sequence[Sequence[Form]], points: Sequence[Homogeneous]) -> tuple[Floats, Floats]:
    """The forms of n cells in floats, (n, m, 1 + r), padded with the form 1; and their points (n, r)."""
    size = len(points[0])
    forms = np.zeros((len(cells), max(1, *map(len, cells)), size))
    forms[:, :, 0] = 1.0
    for table, cell in zip(forms, cells, strict=True):
        if cell:
            table[: len(cell)] = [form.floats for form in cell]
    return forms, np.array([[float_quotient(c, h) for c in x] for h, *x in points]).reshape(len(points), size - 1)
