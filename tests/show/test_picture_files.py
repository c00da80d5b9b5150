"""Files, settings and colours: the same bytes in every run, and colours that everybody tells apart."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exactrelu import ExactReluError, InvalidFile, Network, zoo
from exactrelu.show import (
    PlottingUnavailable,
    check_picture_name,
    function_graph,
    path_diagram,
    regions_picture,
    save,
    side_by_side,
)

matplotlib = pytest.importorskip("matplotlib")

from matplotlib.colors import to_rgb  # noqa: E402

from exactrelu.show.canvas import CELL_COLOURS, CURVE_COLOURS, LAYER_COLOURS, LAYER_STYLES, cell_colours  # noqa: E402

HAT, PLANE = zoo.specimen("hat").network, zoo.specimen("maximum").network


def content(figure: Any, path: Path) -> bytes:
    save(figure, path)
    return path.read_bytes()


def test_svg_is_the_same_in_every_run_whatever_the_user_has_set(tmp_path: Path) -> None:
    first = content(regions_picture(PLANE, graph=True), tmp_path / "a.svg")
    with matplotlib.rc_context({"font.size": 30, "svg.hashsalt": "other", "axes.facecolor": "black"}):
        second = content(regions_picture(PLANE, graph=True), tmp_path / "b.svg")
        assert matplotlib.rcParams["font.size"] == 30
    assert first == second
    assert first.startswith(b"<?xml")
    assert b"<dc:date>" not in first


@pytest.mark.sweep
def test_svg_is_the_same_in_every_process(tmp_path: Path) -> None:
    code = (
        "import sys; from exactrelu import zoo; from exactrelu.show import *\n"
        "hat = zoo.specimen('hat').network; save(side_by_side(hat, hat.flip([0, 1, 2])), sys.argv[1])"
    )
    for seed in (1, 2):
        subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / f"{seed}.svg")],
            check=True,
            env={"PYTHONHASHSEED": str(seed), "PYTHONPATH": ":".join(sys.path)},
        )
    assert (tmp_path / "1.svg").read_bytes() == (tmp_path / "2.svg").read_bytes()


def test_png(tmp_path: Path) -> None:
    assert content(function_graph(HAT), tmp_path / "a.png").startswith(b"\x89PNG")
    image = matplotlib.image.imread(tmp_path / "a.png")
    assert image.shape[0] > 700
    edge = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
    assert (edge[:, :3] == 1).all()  # white all around: nothing is cut off


def test_a_long_title_is_not_cut_off(tmp_path: Path) -> None:
    save(path_diagram(HAT, title="long " * 30), tmp_path / "a.png")
    image = matplotlib.image.imread(tmp_path / "a.png")
    assert (image[:, :2, :3] == 1).all() and (image[:, -2:, :3] == 1).all()


def test_bad_files(tmp_path: Path) -> None:
    figure = function_graph(HAT)
    for name in ("a.pdf", "a", "svg"):
        with pytest.raises(InvalidFile, match=r'must end in "\.svg" or "\.png" to hold a picture'):
            save(figure, tmp_path / name)
    with pytest.raises(InvalidFile, match="must be writable"):
        save(figure, tmp_path / "missing" / "a.svg")
    check_picture_name("x/y.SVG")


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for draw in (lambda: function_graph(HAT), lambda: path_diagram(HAT), lambda: side_by_side(HAT, HAT)):
        with pytest.raises(PlottingUnavailable, match=r'pip install "exactrelu\[plot\]"') as caught:
            draw()
        assert isinstance(caught.value, ExactReluError)


@pytest.mark.sweep
def test_matplotlib_is_imported_late_and_without_pyplot() -> None:
    code = (
        "import sys, exactrelu as er, exactrelu.show as show\n"
        "assert 'matplotlib' not in sys.modules\n"
        "show.regions_picture(er.zoo.specimen('maximum').network)\n"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})


# How colours look without one kind of cone (Viénot, Brettel and Mollon 1999), in linear RGB.
PROTANOPE = np.array([[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]])
DEUTERANOPE = np.array([[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]])


def seen(colour: Any, kind: Any) -> Any:
    return np.clip(kind @ np.array(to_rgb(colour)) ** 2.2, 0, 1) ** (1 / 2.2)


@pytest.mark.parametrize(
    "kind", [np.eye(3), PROTANOPE, DEUTERANOPE], ids=["all cones", "no red cones", "no green cones"]
)
def test_colours_can_be_told_apart(kind: Any) -> None:
    palettes = ((CURVE_COLOURS, 0.14), (CELL_COLOURS, 0.14), (cell_colours(7), 0.07), (cell_colours(9), 0.09))
    for palette, least in palettes:
        distances = [np.linalg.norm(seen(a, kind) - seen(b, kind)) for a, b in combinations(palette, 2)]
        assert min(distances) > least
    pair = [seen(colour, kind) for colour in ("#C8A200", "#A0AF00")]  # such a pair would fail for some
    assert kind[0, 1] == 0 or np.linalg.norm(pair[0] - pair[1]) < 0.14


def test_layers_differ_in_colour_and_neighbours_in_dashes() -> None:
    assert len(set(LAYER_COLOURS)) == len(LAYER_COLOURS)
    assert len(set(LAYER_STYLES)) == len(LAYER_STYLES)


def test_any_number_of_cells_has_different_colours() -> None:
    for count in (1, 7, 8, 300, 2000):
        assert len(set(map(tuple, cell_colours(count)))) == count


def test_networks_are_not_changed_by_drawing() -> None:
    net = Network.random((2, 3, 1), 0)
    before = repr(net)
    regions_picture(net)
    assert repr(net) == before


def test_a_notebook_shows_the_picture_that_is_saved(tmp_path: Path) -> None:
    figure = function_graph(HAT)
    shown = figure._repr_png_()
    assert shown == content(figure, tmp_path / "hat.png")
    assert shown.startswith(b"\x89PNG")
