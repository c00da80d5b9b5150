"""The limits of the checker, each at its last admissible value and one beyond, and what it counts as work."""

from __future__ import annotations

import gzip
import json
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

from exactrelu import checker

ROOT = Path(__file__).parents[2]
VALID = ROOT / "docs" / "certificates" / "valid"
VALUE = (VALID / "value.json").read_text()


def load(name: str) -> Any:
    return json.loads((VALID / f"{name}.json").read_text())


def code(document: Any) -> int:
    return checker.check(document if isinstance(document, bytes) else json.dumps(document).encode()).code


def test_the_limits_are_those_of_the_page() -> None:
    page = (ROOT / "docs" / "certificates.md").read_text()
    assert "more than 64 MiB" in page and checker.MAX_BYTES == 64 * 2**20
    assert "5 million commas and opening brackets" in page and checker.MAX_ENTRIES == 5_000_000
    assert "nested deeper than 40" in page and checker.MAX_DEPTH == 40
    assert "more than 20,000 digits" in page and checker.MAX_DIGITS == 20_000
    assert "more than a million bits" in page and checker.MAX_BITS == 1_000_000
    assert "more than 1,200 rows" in page and checker.MAX_MINOR == 1_200
    assert "at most 40 terms" in page and checker.MAX_TERMS == 40
    assert "more than 65,536 bijections" in page and checker.MAX_SUBSETS == 65_536
    assert "lowest degree first, at most 16" in page and checker.MAX_COEFFICIENTS == 16
    assert "more than 3·10^8 units" in page and checker.MAX_WORK == 3 * 10**8


# bytes


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_bytes(pack: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    data = VALUE.encode()
    for beyond, expected in ((1, 0), (0, 0), (-1, 3), (-2, 3), (-100, 3)):
        monkeypatch.setattr(checker, "MAX_BYTES", len(data) + beyond)
        assert code(pack(data)) == expected


def test_bytes_of_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "value.json"
    path.write_text(VALUE)
    for limit, expected in ((len(VALUE), 0), (len(VALUE) - 1, 3), (len(VALUE) // 2, 3)):
        monkeypatch.setattr(checker, "MAX_BYTES", limit)
        assert checker.main([str(path)]) == expected
        assert capsys.readouterr().out.startswith("TOO LARGE" if expected else "VALID: the network of widths")


@pytest.mark.parametrize(
    "tail",
    [b"", b"\0", gzip.compress(b""), gzip.compress(VALUE.encode())],
    ids=["whole", "a byte more", "an empty member", "a second member"],
)
def test_one_gzip_member(tail: bytes) -> None:
    assert code(gzip.compress(VALUE.encode()) + tail) == (2 if tail else 0)
    assert code(gzip.compress(VALUE.encode())[:-1]) == code(b"\x1f\x8b") == code(b"\x1f\x8b" + bytes(20)) == 2


def test_one_gzip_member_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker, "MAX_BYTES", len(VALUE))
    assert code(gzip.compress(VALUE.encode()) + b"\0") == 2


@pytest.mark.parametrize("text", ['"evidence": {}', '"version": 1', '"input_dim": 1'])
def test_repeated_keys(text: str) -> None:
    assert text in VALUE and code(VALUE.replace(text, f"{text}, {text}", 1).encode()) == 2


def test_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = sum(VALUE.count(c) for c in ",[{")
    assert min(VALUE.count(c) for c in ",[{") > 3
    for limit, expected in ((entries, 0), (entries - 1, 3)):
        monkeypatch.setattr(checker, "MAX_ENTRIES", limit)
        assert code(VALUE.encode()) == expected


def test_the_limit_of_entries_bounds_the_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    document = load("value")
    monkeypatch.setattr(checker, "MAX_ENTRIES", 100)
    for inputs in (100, 101):
        document["claim"]["network"]["input_dim"] = inputs
        answer = checker.check(json.dumps(document).encode())
        assert answer.text.startswith("REJECTED at claim.network.input_dim" if inputs == 101 else "REJECTED at claim.")
        assert "input_dim" in answer.text or inputs == 100


@pytest.mark.parametrize(("left", "right"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_depth(left: bytes, right: bytes) -> None:
    for depth, expected in ((38, 1), (39, 1), (40, 2), (41, 2)):
        nested = left * depth + b"1" + right * depth
        assert code(VALUE.replace("{}", nested.decode(), 1).encode()) == expected
    assert "deep" in checker.check(b"[" * 41 + b"]" * 41).text
    assert "deep" not in checker.check(b"[" * 40 + b"]" * 40).text


@pytest.mark.parametrize("text", ["1/{}", "{}/1", "-{}", "{}.5", "0.{}"])
def test_digits(text: str) -> None:
    document = load("value")
    for digits, expected in ((20_000, 1), (20_001, 3)):
        document["claim"]["point"][0] = text.format("0" * (digits - 1) + "1")
        assert code(document) == expected


@pytest.mark.parametrize(
    ("literal", "expected"),
    [
        ("9223372036854775807", 1),
        ("-9223372036854775807", 1),
        ("9223372036854775808", 2),
        ("-9223372036854775808", 2),
        ("1000000000000000000000", 2),
        ("1.0", 2),
        ("1e0", 2),
        ("-Infinity", 2),
        ("NaN", 2),
    ],
)
def test_integers(literal: str, expected: int) -> None:
    assert code(VALUE.replace("{}", f'{{"x": {literal}}}', 1).encode()) == expected


# work


class Meter:
    """What the checker keeps its work in: here it can be read after the check."""

    reading: list[Any]

    def set(self, reading: list[Any]) -> None:
        self.reading = reading

    def get(self) -> list[Any]:
        return self.reading

    def reset(self, token: None) -> None:
        pass


@pytest.fixture
def meter(monkeypatch: pytest.MonkeyPatch) -> Meter:
    found = Meter()
    monkeypatch.setattr(checker, "_work", found)
    return found


def test_units(meter: Meter) -> None:
    meter.set([0, None])
    for units, bits, total in ((7, 0, 7), (1, 999, 8), (1, 1000, 12), (2, 1999, 20), (1, 2000, 29), (0, 5000, 29)):
        checker.spend(units, bits)
        assert meter.reading[0] == total
    checker.spend(checker.MAX_WORK - 29)
    with pytest.raises(checker.Stop) as stopped:
        checker.spend(1)
    assert stopped.value.args[0] == 3
    meter.set([0, print])  # an engine lifts the limit of work, but not that of bits
    checker.spend(2 * checker.MAX_WORK, checker.MAX_BITS)
    with pytest.raises(checker.Stop):
        checker.spend(1, checker.MAX_BITS + 1)


def test_a_sum_of_products_costs_its_terms_and_bits(meter: Meter) -> None:
    meter.set([0, None])
    third, large = checker.Fraction(1, 3), checker.Fraction(2**1500)
    assert checker.dot([(third, third)] * 4) == checker.Fraction(4, 9) and meter.reading[0] == 5
    assert checker.dot([(large, third), (third, third)]) == large / 3 + third / 3 and meter.reading[0] == 5 + 3 * 4
    assert checker.dot([]) == 0 and meter.reading[0] == 18


def test_work_ends_the_check(meter: Meter, monkeypatch: pytest.MonkeyPatch) -> None:
    assert code(VALUE.encode()) == 0
    total = meter.reading[0]
    for limit, expected in ((total, 0), (total - 1, 3)):
        monkeypatch.setattr(checker, "MAX_WORK", limit)
        assert code(VALUE.encode()) == expected


# minors and searches


def test_rows_of_a_minor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to the limit the inverse is given, with or without an engine; beyond it the engine alone decides."""
    document = load("sample_rank_kernel")
    data = json.dumps(document).encode()
    asked = list[tuple[list[list[int]], int]]()

    def engine(says: bool) -> Any:
        return lambda rows, modulus: asked.append((list(rows), modulus)) or says

    monkeypatch.setattr(checker, "MAX_MINOR", document["claim"]["rank"])
    assert checker.check(data).code == checker.check(data, engine(False)).code == 0 and not asked
    monkeypatch.setattr(checker, "MAX_MINOR", document["claim"]["rank"] - 1)
    assert checker.check(data).code == 3
    assert checker.check(data, engine(True)).code == 1 and not asked  # an inverse where none is asked for
    minor = document["evidence"]["minor"]
    inverse, minor["inverse"] = minor["inverse"], []
    data = json.dumps(document).encode()
    assert [checker.check(data, engine(says)).code for says in (True, False)] == [0, 1]
    rows, modulus = asked[0]
    product = [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*inverse, strict=True)] for row in rows
    ]
    unit = [[int(i == j) for j in range(len(rows))] for i in range(len(rows))]
    assert modulus == minor["modulus"] and [[c % modulus for c in row] for row in product] == unit


def test_terms_of_an_exhaustive_search(monkeypatch: pytest.MonkeyPatch) -> None:
    document = load("globally_identifiable_exhaustive")
    hidden = len(document["evidence"]["types"])
    for limit, expected in ((hidden, 0), (hidden - 1, 3)):
        monkeypatch.setattr(checker, "MAX_TERMS", limit)
        assert code(document) == expected


def test_bijections(monkeypatch: pytest.MonkeyPatch) -> None:
    document = load("not_ps_equivalent_moves")
    monkeypatch.setattr(checker, "MAX_SUBSETS", 576)
    assert code(document) == 0
    monkeypatch.setattr(checker, "MAX_SUBSETS", 575)
    assert code(document) == 3


def test_coefficients() -> None:
    document = load("not_identifiable_local_deep")
    family = document["evidence"]["family"]
    name, polynomial = next(iter(family.items()))
    for length, expected in ((16, 0), (17, 1)):
        family[name] = polynomial + ["0"] * (length - len(polynomial))
        assert code(document) == expected


# answers


def test_long_values_are_shown_short() -> None:
    document = load("value")
    for entry, shown in (
        ("x" * 78, "'" + "x" * 78 + "'"),
        ("x" * 79, "'" + "x" * 76 + "..."),
        ("é\n", r"'\xe9\n'"),
    ):
        document["claim"]["point"][0] = entry
        text = checker.check(json.dumps(document).encode()).text
        assert text == f'REJECTED at claim.point[0]: must be a number such as "-3/7", not {shown}'
    for entry, shown in (
        ([0] * 9, str([0] * 9)),
        ([0] * 10, "10 entries"),
        ({str(k): 0 for k in range(10)}, "10 entries"),
    ):
        document["claim"]["point"][0] = entry
        assert checker.check(json.dumps(document).encode()).text.endswith(f'"-3/7", not {shown}')


def test_the_digit_limit_of_the_checker_holds_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    before, seen = sys.get_int_max_str_digits(), list[int]()
    monkeypatch.setattr(checker, "parse", lambda data: seen.append(sys.get_int_max_str_digits()))
    try:
        sys.set_int_max_str_digits(12_345)
        assert code(b"") == 2
        assert [*seen, sys.get_int_max_str_digits()] == [60_000, 12_345]
    finally:
        sys.set_int_max_str_digits(before)


def test_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(data: bytes) -> Any:
        raise MemoryError

    monkeypatch.setattr(checker, "parse", exhausted)
    assert checker.check(b"") == (3, "TOO LARGE: out of memory")


def test_a_check_leaves_nothing_behind(capsys: pytest.CaptureFixture[str]) -> None:
    """No word without being asked for one, and no meter that a later mistake could read."""
    assert code(VALUE.encode()) == 0
    assert capsys.readouterr() == ("", "")
    with pytest.raises(LookupError):
        checker.spend(1)


def test_integers_name_their_bounds() -> None:
    document = load("embedding_rank")
    document["claim"]["rank"] = -1
    answer = checker.check(json.dumps(document).encode())
    assert answer.text == f"REJECTED at claim.rank: must lie between 0 and {2**63}, but is -1"


def test_the_program_says_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checker.main([str(tmp_path / "missing.json")]) == checker.main([]) == checker.main([str(tmp_path)]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 and all(line.startswith("UNREADABLE: give the path of one") for line in lines)
    assert checker.main([str(VALID.parent / "broken" / "value.json")]) == 1
    said = capsys.readouterr()
    assert said.out.startswith("REJECTED at claim.value: ") and said.out.count("\n") == 1
    assert said.err.startswith("checking ")


def test_the_program_runs_as_a_script(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(VALID)
    monkeypatch.setattr(sys, "argv", ["checker.py", "value.json"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(checker.__file__, run_name="__main__")
    assert ended.value.code == 0 and capsys.readouterr().out.startswith("VALID: ")
    assert runpy.run_path(checker.__file__)["main"]([str(VALID / "value.json")]) == 0


def test_answers_do_not_disturb_each_other() -> None:
    document = load("value")
    document["claim"]["point"] = []
    assert [code(document), code(VALUE.encode()), code(document)] == [1, 0, 1]
