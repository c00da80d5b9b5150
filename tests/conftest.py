"""Fixtures and the header of the test run; ``strategies`` and ``oracles`` are importable from any test."""

from __future__ import annotations

import platform
import signal
from importlib.metadata import version
from pathlib import Path
from zlib import crc32

import pytest
from cli_cases import HAT
from hypothesis import settings

import exactrelu
from exactrelu import cli

HERE = Path(__file__).parent
# Real networks are kept beside the checkout, never inside it.
SHARED = next((p / "shared" for p in HERE.parents if (p / "shared" / "real").is_dir()), None)

settings.register_profile("exactrelu", deadline=None, max_examples=100, derandomize=True)
settings.load_profile("exactrelu")

# A shell starts what runs in its background deaf to Ctrl-C, and so would be the commands that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_report_header() -> str:
    packages = ", ".join(f"{name} {version(name)}" for name in ("python-flint", "sympy", "numpy", "networkx"))
    return f"exactrelu {exactrelu.__version__} on Python {platform.python_version()}; {packages}; shared: {SHARED}"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--share", type=int, default=1, help="run one in so many of the chosen tests, always the same")


@pytest.hookimpl(trylast=True)  # after -m has chosen
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    share = config.getoption("share")
    kept = [item for item in items if crc32(item.nodeid.encode()) % share == 0]
    if len(kept) < len(items):
        others = set(items) - set(kept)
        config.hook.pytest_deselected(items=[item for item in items if item in others])
        items[:] = kept


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of small networks with known answers."""
    return HERE / "data"


@pytest.fixture(scope="session")
def real() -> Path:
    """The folder of networks other people made; tests that need it are skipped without it."""
    if SHARED is None:
        pytest.skip("no folder shared/real beside the checkout")
    return SHARED / "real"


@pytest.fixture
def hat(tmp_path: Path) -> Path:
    """The file of a small network, the hat function."""
    path = tmp_path / "hat.json"
    path.write_text(HAT)
    return path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    """Run a command in this process: exit code, standard output, standard error."""

    def run(*arguments: object) -> tuple[int, str, str]:
        code = cli.run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run
