"""The page about a network in a real browser: quiet, self-contained, light and dark, wide and narrow, on paper."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from chromium import Chromium, executable
from PIL import Image, ImageChops, ImageStat

from exactrelu import Network
from exactrelu.show.report import report_page
from exactrelu.zoo import specimen

pytestmark = pytest.mark.browser

PAGES = {
    "hat": lambda: (specimen("hat").network, specimen("hat").domain),
    "S18": lambda: (specimen("S18").network, specimen("S18").domain),
    "braid4": lambda: (specimen("braid4").network, None),
    "deep": lambda: (Network.random((2, 3, 3, 1), 0), None),
    "large": lambda: (Network.random((2, 16, 16, 1), 0), None),
    "tanh": lambda: (Network.mlp([[["1/2"]], [[3]]], activation="tanh"), None),
    "long numbers": lambda: (Network.mlp([[[10**200, -1]], [[f"1/{3**300}"]]], [[7], [f"{2**500}/3"]]), None),
}
LUMINANCE = "(c => { const [r, g, b] = c.match(/\\d+/g).map(Number); return 0.2126*r + 0.7152*g + 0.0722*b; })"
COLOURS = f"""(() => {{ const s = getComputedStyle(document.body), l = {LUMINANCE};
  return [l(s.backgroundColor), l(s.color)]; }})()"""
OVERFLOWING = """[...document.querySelectorAll('body *')]
  .filter(e => !e.closest('.scroll') && !e.closest('math') && e.getBoundingClientRect().right > innerWidth + 0.5)
  .map(e => e.tagName + ' ' + e.textContent.slice(0, 40))"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    chromium = Chromium()
    yield chromium
    chromium.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@cache
def written(folder: Path, name: str) -> Path:
    net, domain = PAGES[name]()
    path = folder / f"{name}.html"
    path.write_text(report_page(net, domain, name=f"{name} <i>&amp;</i>"), "utf-8")
    return path


def contrast(image: Image.Image) -> float:
    return float(ImageStat.Stat(image.convert("L")).stddev[0])


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_quiet_and_load_nothing(browser: Chromium, folder: Path, name: str) -> None:
    path = written(folder, name)
    browser.open(path, width=1280)
    assert browser.complaints == []
    assert [url for url in browser.requests if not url.startswith("data:")] == [path.as_uri()]
    assert browser.evaluate("document.title") == f"{name} <i>&amp;</i> · exactrelu"
    assert browser.evaluate("document.compatMode") == "CSS1Compat"
    assert browser.evaluate("document.querySelectorAll('h1 i, script').length") == 0


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_overflows(browser: Chromium, folder: Path, name: str, width: int) -> None:
    browser.open(written(folder, name), width=width)
    assert browser.evaluate("innerWidth") == width
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    assert browser.evaluate(OVERFLOWING) == []


@pytest.mark.parametrize("name", ["hat", "S18", "deep", "tanh"])
def test_light_and_dark(browser: Chromium, folder: Path, name: str) -> None:
    shots, colours = [], []
    for dark in (False, True):
        browser.open(written(folder, name), width=900, dark=dark)
        shots.append(browser.screenshot())
        colours.append(browser.evaluate(COLOURS))
    (paper, ink), (dark_paper, dark_ink) = colours
    assert paper - ink > 180 and dark_ink - dark_paper > 180
    light, dark_shot = shots
    assert light.size == dark_shot.size and light.height > 1000
    assert contrast(light) > 15 and contrast(dark_shot) > 15  # neither is blank
    assert ImageStat.Stat(ImageChops.difference(light, dark_shot).convert("L")).mean[0] > 100


@pytest.mark.parametrize("dark", [False, True])
def test_pictures_can_be_seen(browser: Chromium, folder: Path, dark: bool) -> None:
    browser.open(written(folder, "deep"), width=1280, dark=dark, height=1200)
    whole = browser.screenshot()
    boxes = browser.evaluate(
        "[...document.querySelectorAll('figure svg')].map(s => s.getBoundingClientRect()).map(b => "
        "[b.left, b.top + scrollY, b.right, b.bottom + scrollY])"
    )
    assert len(boxes) >= 4
    turned = browser.evaluate("getComputedStyle(document.querySelector('figure svg')).filter")
    assert ("invert" in turned) == dark and (turned == "none") == (not dark)
    for box in boxes:
        picture = whole.crop(tuple(map(round, box)))
        assert contrast(picture) > 15
        corner = picture.getpixel((1, 1))
        backing = whole.getpixel((2, round(box[1]) + 1))
        assert all(abs(a - b) <= 3 for a, b in zip(corner, backing, strict=True))  # a picture has no frame of its own


def test_the_page_can_be_printed(browser: Chromium, folder: Path) -> None:
    browser.open(written(folder, "hat"), width=1280, dark=True)
    printed = browser.print_pages()
    assert printed.startswith(b"%PDF") and 2 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= 20
    browser.call(
        "Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}]
    )
    paper, ink = browser.evaluate(COLOURS)
    assert paper == pytest.approx(255) and ink == 0  # paper is white
    assert browser.evaluate("getComputedStyle(document.querySelector('figure svg')).filter") == "none"


def test_the_tests_can_fail(browser: Chromium, tmp_path: Path) -> None:
    bad = tmp_path / "bad.html"
    bad.write_text(
        '<!DOCTYPE html><body><p style="width: 2000px">wide</p><img src="http://127.0.0.1:9/x.png">'
        "<script>console.error('oh')</script>"
    )
    browser.open(bad, width=400)
    assert browser.complaints and "http://127.0.0.1:9/x.png" in browser.requests
    assert browser.evaluate("document.documentElement.scrollWidth") > 400 and browser.evaluate(OVERFLOWING)
    assert contrast(Image.new("RGB", (50, 50), "white")) == 0


def test_a_missing_browser_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(AssertionError, match="need a Chromium"):
        executable()
