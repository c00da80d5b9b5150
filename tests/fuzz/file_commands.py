"""The commands that read or write files, by what they read or write; ``{}`` stands for the name of the file."""

from __future__ import annotations

from pathlib import Path

from damaged_files import CLAIM

READERS = {
    "network": ["analyze", "{}"],
    "second network": ["compare", "{square}", "{}"],
    "domain": ["regions", "{square}", "--domain", "{}"],
    "samples": ["identify", "--scope", "local", "{square}", "--samples", "{}"],
    "instance": ["theorem", "check", CLAIM, "{}"],
    "certificate": ["check", "{}"],
    "sweep": ["theorem", "report", "{}"],
}
HUNT = ["theorem", "hunt", CLAIM, "--widths", "1,1,1", "--entries=-1,1", "--workers", "1"]
WRITERS = {
    "json": ["convert", "{square}", "{}.json"],
    "onnx": ["convert", "{square}", "{}.onnx"],
    "npz": ["convert", "{square}", "{}.npz"],
    "safetensors": ["convert", "{square}", "{}.safetensors"],
    "tex": ["convert", "{square}", "{}.tex"],
    "graphml": ["regions", "{square}", "--graph", "{}.graphml"],
    "graph json": ["regions", "{square}", "--graph", "{}.json"],
    "svg": ["regions", "{square}", "--plot", "{}.svg"],
    "png": ["regions", "{square}", "--plot", "{}.png"],
    "certificate": ["phi", "{square}", "--certificate", "{}.json"],
    "certificate gz": ["phi", "{square}", "--certificate", "{}.json.gz"],
    "report": ["analyze", "{square}", "--report", "{}.html"],
    "csv": ["theorem", "report", "{sweep}", "--csv", "{}.csv"],
}


def filled(command: list[str], folder: Path, name: object) -> list[str]:
    return [part.format(name, square=folder / "square.json", sweep=folder / "sweep.db") for part in command]


def target(command: list[str], folder: Path, stem: Path) -> Path:
    """The file that a command writes."""
    return next(Path(part) for part in filled(command, folder, stem) if part.startswith(f"{stem}."))
