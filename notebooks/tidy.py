"""Bring notebooks into the form in which they are kept: no outputs, cells numbered, one layout.

``python notebooks/tidy.py`` after editing them in Jupyter; the tests compare.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def notebooks() -> list[Path]:
    """All notebooks, lessons before solutions."""
    return [*sorted(HERE.glob("*.ipynb")), *sorted((HERE / "solutions").glob("*.ipynb"))]


def tidied(text: str) -> str:
    """The text of a notebook file in the form in which it is kept."""
    cells = [_cell(cell, place) for place, cell in enumerate(json.loads(text)["cells"], start=1)]
    notebook = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _cell(cell: dict[str, Any], place: int) -> dict[str, Any]:
    source = "".join(cell["source"]).rstrip("\n").splitlines(keepends=True)
    kept = {"cell_type": cell["cell_type"], "id": f"cell-{place:02}", "metadata": {}, "source": source}
    return kept | {"execution_count": None, "outputs": []} if cell["cell_type"] == "code" else kept


if __name__ == "__main__":
    for path in notebooks():
        path.write_text(tidied(path.read_text(encoding="utf-8")), encoding="utf-8")
