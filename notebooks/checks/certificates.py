"""The checks of notebook 10: answers become evidence, and the independent checker judges it."""

from collections.abc import Mapping
from typing import Any

import exactrelu as er
from exactrelu.certificates.certificate import Rejected
from exactrelu.verdicts import text
from exactrelu.zoo import shallow_network

from .exercises import Exercises, Wrong, expect, number

check = Exercises()

SUM = shallow_network([((1, 0), 0, 1), ((-1, 0), 0, 1), ((0, 1), 0, 1), ((0, -1), 0, 1)])
TOGETHER = shallow_network([((1, 1), 0, 1), ((-1, -1), 0, 1)])
FORMS = shallow_network([((1, 0), -1, 1), ((0, 1), -1, 1), ((2, 3), -4, 1)])
STAIRS = shallow_network([(1, 0, 1), (1, -1, 1)])
POINTS = [{"point": ["-1"]}, {"point": ["1/2"]}, {"point": ["2"]}]
EMPTY = [[[0, 1, 0, 1], "1"], [[0, 1, 1, 1], "1"]]


def judged(claim: dict[str, Any], evidence: Mapping[str, Any]) -> str:
    """What the checker says about a claim with this evidence."""
    try:
        return er.Certificate(claim, evidence).check()
    except Rejected as reason:
        raise Wrong(f"the checker says {reason}") from None


@check.exercise(
    "10.1",
    hints=("When is |x + y| less than |x| + |y|?", "Take numbers of different signs, inside the square."),
    mistakes=((1, 1), (0, 0), (2, -2), (1, 0), (1, -1, 0), 1),
)
def _(answer: Any) -> str | None:
    point = [text(number(entry)) for entry in answer]
    claim = {"id": "different_function", "network": SUM.to_json(), "other": TOGETHER.to_json(), "domain": "[-1,1]^2"}
    return f"the checker says: {judged(claim, {'point': point})}"


@check.exercise(
    "10.2",
    hints=('Write all three with "<": -x < -1, and so on.', "The x must cancel, and the y must cancel."),
    mistakes=([1, 1, 1], [-2, -3, -1], [0, 0, 0], [2, 3, -1], [2, 3], [2, 3, 2], 1),
)
def _(answer: Any) -> str | None:
    multipliers = [number(entry) for entry in answer]
    expect(len(multipliers) == 3, "give three multipliers")
    combination = [[[0, 1, i, 1], text(y)] for i, y in enumerate(multipliers)]
    claim = {"id": "region_empty", "network": FORMS.to_json(), "domain": "R^2", "pattern": "++-", "cell": "open"}
    return f"the checker says: {judged(claim, {'combination': combination})}"


@check.exercise(
    "10.3",
    hints=("The determinant is -2. What is its inverse modulo 5?", "2 times 3 is 1 modulo 5."),
    mistakes=(
        [[1, 0], [0, 1]],
        [[-2, 1], ["3/2", "-1/2"]],
        [[4, 3], [2, 1]],
        [[8, -4], [-6, 2]],
        [[3, 1], [4, 3]],
        [[3, 1]],
        2,
    ),
)
def _(answer: Any) -> str | None:
    inverse = [[number(entry) for entry in row] for row in answer]
    expect([len(row) for row in inverse] == [2, 2], "give two rows of two numbers")
    expect(all(entry in range(5) for row in inverse for entry in row), "the entries must be integers from 0 to 4")
    product = [[sum(m * inverse[k][j] for k, m in enumerate(row)) % 5 for j in range(2)] for row in ((1, 2), (3, 4))]
    shown = [[int(entry) for entry in row] for row in product]
    expect(shown == [[1, 0], [0, 1]], f"modulo 5 the product is {shown}")
    return None


@check.exercise(
    "10.4",
    hints=(
        'A split tree in preorder: [0, 1, 0], then all of its "-" branch, then all of its "+" branch.',
        'One leaf is {"empty": 0}, the other three are {"point": ["..."]}. The combination needs two inequalities.',
    ),
    mistakes=(
        {"combinations": [], "tree": [[0, 1, 0], POINTS[0], [0, 1, 1], *POINTS[1:]]},
        {"combinations": [EMPTY], "tree": [[0, 1, 0], [0, 1, 1], POINTS[0], {"empty": 0}, [0, 1, 1], *POINTS[:2]]},
        {"combinations": [EMPTY], "tree": [[0, 1, 0], [0, 1, 1], {"empty": 0}, POINTS[0], [0, 1, 1], *POINTS[1:]]},
        {"combinations": [EMPTY[:1]], "tree": [[0, 1, 0], [0, 1, 1], POINTS[0], {"empty": 0}, [0, 1, 1], *POINTS[1:]]},
        {"combinations": [EMPTY], "tree": [[0, 1, 0], [0, 1, 1], POINTS[0], {"empty": 0}]},
        POINTS,
    ),
)
def _(answer: Any) -> str | None:
    expect(isinstance(answer, Mapping), 'give {"combinations": [...], "tree": [...]}')
    claim = {"id": "regions_complete", "network": STAIRS.to_json(), "domain": "R", "count": 3}
    return f"the checker says: {judged(claim, answer)}"
