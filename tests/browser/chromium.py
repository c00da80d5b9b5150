"""A headless Chromium, spoken to through pipes (its DevTools protocol); no port is opened and nothing is fetched."""

from __future__ import annotations

import base64
import io
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from PIL import Image

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars"),
    "--remote-debugging-pipe",
)
PATIENCE = 60


def executable() -> str:
    """The browser; that there is one is part of what these tests claim."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found is not None, f"these tests need a Chromium: none of {', '.join(NAMES)} is on the PATH"
    return found


class Chromium:
    """One browser with one tab; everything that the tab complains about or asks for is kept."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="chromium-")
        hears, self._write = os.pipe()
        self._read, says = os.pipe()
        flags = " ".join((*FLAGS, f"--user-data-dir={self._folder.name}"))
        # The protocol lives on the descriptors 3 and 4 of the browser.
        command = f"exec {executable()} {flags} about:blank 3<&{hears} 4>&{says}"
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(["bash", "-c", command], pass_fds=(hears, says), **quiet)
        os.close(hears)
        os.close(says)
        self._buffer, self._number, self._session = b"", 0, None
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self._loaded = False
        self.messages: list[Any] = []
        page = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> Any:
        """The result of a command; events that arrive before it are taken note of."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]

    def open(self, path: Path, *, width: int, dark: bool = False, height: int = 900) -> None:
        """Load a file in a window of this width."""
        self.complaints, self.requests, self._loaded = [], [], False
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media="screen", features=[scheme])
        self.call("Page.navigate", url=path.as_uri())
        while not self._loaded:
            self._next()

    def evaluate(self, expression: str) -> Any:
        """The value of an expression on the page."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def screenshot(self) -> Image.Image:
        """The whole page, from top to bottom."""
        taken = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=self._everything())
        return Image.open(io.BytesIO(base64.b64decode(taken["data"]))).convert("RGB")

    def print_pages(self) -> bytes:
        """The page as a PDF document."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=False, preferCSSPageSize=True)["data"])

    def close(self) -> None:
        """End the browser."""
        try:
            os.write(self._write, json.dumps({"id": 0, "method": "Browser.close"}).encode() + b"\0")
            self._process.wait(timeout=10)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._write)
        os.close(self._read)
        self._folder.cleanup()

    def _everything(self) -> dict[str, float]:
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        return {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 16_000), "scale": 1}

    def _next(self) -> dict[str, Any]:
        """The next message; an event is taken note of."""
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, end - time.monotonic()))
            part = os.read(self._read, 1 << 20) if ready else b""
            assert part, "the browser has ended, or says nothing any more"
            self._buffer += part
        first, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(first)
        self._note(message.get("method"), message.get("params", {}))
        return message

    def _note(self, method: str | None, about: dict[str, Any]) -> None:
        if method == "Page.loadEventFired":
            self._loaded = True
        elif method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown"):
            self.complaints.append(str(about))
        elif method == "Log.entryAdded":
            self.complaints.append(about["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])
