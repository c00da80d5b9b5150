"""Sweeps on a Dask cluster: a real one, with processes of its own, on the loopback interface."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sweep_runs import FAMILY, ID, OPTIONS, STATEMENT, expected, table

import exactrelu as er
from exactrelu.theorems.sweep import backends, sweep

distributed = pytest.importorskip("distributed")

# Dask's own warnings, about sockets that it closes late, are not ours.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The scheduler of a cluster of two processes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None, silence_logs=50
        ) as cluster:
            yield cluster.scheduler_address


def test_the_same_table_everywhere(address: str, tmp_path: Path) -> None:
    report = sweep(STATEMENT, FAMILY, tmp_path / "dask.db", backend="dask", scheduler=address)
    assert report.exhausted and table(tmp_path / "dask.db") == expected(tmp_path / "serial.db")


def test_statements_of_ones_own_travel(address: str) -> None:
    def positive(network: er.Network) -> bool:
        return network.parameters[0].value > 0

    statement = er.Theorem(hypotheses=[er.admissible], conclusion=positive)
    found = sweep(statement, FAMILY, backend="dask", scheduler=address, until_failure=True)
    alone = sweep(statement, FAMILY, workers=1, until_failure=True)
    assert found.counterexample == alone.counterexample is not None and found.total.instances == alone.total.instances


def test_on_the_command_line(address: str, tmp_path: Path, run: Any) -> None:
    arguments = [ID, *OPTIONS, "--drop", "admissible", "--backend", "dask", "--scheduler", address, "--json"]
    code, out, err = run("theorem", "hunt", *arguments, "--budget", "500", "--out", tmp_path / "a.db")
    assert (code, err) == (1, "")
    assert json.loads(out)["report"]["total"]["instances"] == 500
    code, out, _ = run("theorem", "hunt", ID, *OPTIONS, "--drop", "admissible", "--json", "--workers", "1")
    assert code == 1 and json.loads(out)["counterexample"] is not None


def test_a_cluster_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "CONNECTION_SECONDS", 2)
    with (
        warnings.catch_warnings(action="ignore"),
        distributed.LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address=None, silence_logs=50) as cluster,
        pytest.raises(er.InvalidInput, match="scheduler: must have workers, but it has none"),
    ):
        sweep(STATEMENT, FAMILY, backend="dask", scheduler=cluster.scheduler_address)


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "CONNECTION_SECONDS", 1)
    for address, words in (("tcp://127.0.0.1:1", "must answer"), ("nonsense://x", "must"), ("", "must")):
        with pytest.raises(er.InvalidInput, match=f"scheduler: {words}"):
            sweep(STATEMENT, FAMILY, backend="dask", scheduler=address)


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(er.InvalidInput, match=r'pip install "exactrelu\[distributed\]"'):
        sweep(STATEMENT, FAMILY, backend="dask", scheduler="tcp://127.0.0.1:1")
