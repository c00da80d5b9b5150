"""Every command of the README does what it says, and its file is a network file."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import exactrelu as er
from exactrelu.cli import run

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def plain_blocks(text: str) -> list[str]:
    """The contents of fenced blocks without a language."""
    parts = re.split(r"^```(\w*)\n", text, flags=re.MULTILINE)
    # text, language, block, "" (the closing fence), text, language, ...
    return [block for language, block in zip(parts[1::4], parts[2::4], strict=True) if not language]


COMMANDS = [
    line.split("#")[0].strip()
    for block in plain_blocks(README)
    for line in block.splitlines()
    if line.startswith("exactrelu")
]
SET_UP = ("pip install . && exactrelu demo", 'pip install ".[test]" && pytest')
NNET = "// a network\n1,1,1,1\n1,1,\n0,\n-1,\n1,\n0,0,\n1,1,\n0.1,\n-2.5,\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    net = er.zoo.HAT
    er.save(net, tmp_path / "net.json")
    er.certify("regions_complete", network=net).save(tmp_path / "c.json")
    er.save(net, tmp_path / "a.json")
    er.save(net.permute([[1, 2, 0]]), tmp_path / "b.json")
    (tmp_path / "net.nnet").write_text(NNET)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_command(command: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, *arguments = shlex.split(command)
    assert program == "exactrelu"
    # the hat is not globally identifiable, and identify says so by its exit code
    assert run(arguments) == (1 if arguments[0] == "identify" else 0)
    captured = capsys.readouterr()
    assert captured.out and not captured.err


def test_commands_are_found_and_every_command_is_shown() -> None:
    shown = {command.split()[1] for command in COMMANDS}
    assert shown == {
        *("demo", "analyze", "phi", "identify", "regions", "compare", "convert"),
        *("dimension", "recover", "symmetries", "check"),
    }


def test_the_set_up_is_two_commands_and_ci_runs_exactly_these() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for command in SET_UP:
        assert f"\n{command}\n" in README
        install, then = command.split(" && ")
        assert f"{install.replace('pip install', 'pip install --quiet')} && {then}\n" in script


def test_the_network_file_is_one(tmp_path: Path) -> None:
    (block,) = re.findall(r"```json\n(.*?)```", README, flags=re.DOTALL)
    (tmp_path / "net.json").write_text(block)
    assert er.load(tmp_path / "net.json").widths == (2, 2, 1)
