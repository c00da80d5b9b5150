"""The house: layers, import costs, and the promises of the package as a whole."""

from __future__ import annotations

import importlib
import pkgutil
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import exactrelu

ROOT = Path(__file__).parent.parent
SLOW_OR_OPTIONAL = ("sympy", "networkx", "joblib", "matplotlib", "onnx", "rich", "z3", "hypothesis")


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()", "--no-cache"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(ROOT / "exactrelu", tmp_path / "exactrelu", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_imports_go_down_only(copy: Path) -> None:
    result = lint_imports(copy)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "0 broken" in result.stdout


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("errors.py", "from .verdicts import Status", "Imports go down only"),
        ("networks/parameters.py", "from ..paths import count_paths", "Imports go down only"),
        ("polyhedra/__init__.py", "from ..networks import Network", "Imports go down only"),
        ("networks/layers.py", "import flint", "flint lives in rationals"),
    ],
)
def test_a_violated_layer_fails(copy: Path, module: str, line: str, contract: str) -> None:
    path = copy / "exactrelu" / module
    path.write_text(path.read_text() + f"\n{line}\n")
    result = lint_imports(copy)
    assert result.returncode != 0
    assert any(contract in row and "BROKEN" in row for row in result.stdout.splitlines())


def loaded_modules(statement: str) -> set[str]:
    command = [sys.executable, "-c", f"{statement}; import sys; print(*sys.modules)"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_import_is_light() -> None:
    assert not loaded_modules("import exactrelu").intersection(SLOW_OR_OPTIONAL)


def test_the_test_of_light_imports_can_fail() -> None:
    assert "networkx" in loaded_modules("import exactrelu, networkx")


def test_no_subpackage_is_hidden_by_a_public_name() -> None:
    folders = {path.parent.name for path in Path(exactrelu.__path__[0]).glob("*/__init__.py")}
    assert folders.isdisjoint(exactrelu.__all__)


def test_all_names_exist_and_are_sorted_by_kind() -> None:
    assert all(hasattr(exactrelu, name) for name in exactrelu.__all__)
    assert len(set(exactrelu.__all__)) == len(exactrelu.__all__)


def test_all_names_of_all_packages_exist() -> None:
    for found in pkgutil.walk_packages(exactrelu.__path__, "exactrelu."):
        module = importlib.import_module(found.name)
        missing = [name for name in getattr(module, "__all__", ()) if not hasattr(module, name)]
        assert not missing, found.name


def test_typing_marker_is_shipped() -> None:
    assert (Path(exactrelu.__path__[0]) / "py.typed").is_file()


def test_modules_stay_small() -> None:
    """Trusted programs are single files, and may be longer."""
    most = {"checker.py": 800, "extended_checker.py": 800}
    sizes = {path: len(path.read_text().splitlines()) for path in (ROOT / "exactrelu").rglob("*.py")}
    assert {str(path): size for path, size in sizes.items() if size > most.get(path.name, 400)} == {}
