"""Every command of the README and of the documentation does what it says, and the network file is one."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import exactrelu as er
from exactrelu.cli import cli, run

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def plain_blocks(text: str) -> list[str]:
    """The contents of fenced blocks without a language."""
    parts = re.split(r"^```(\w*)\n", text, flags=re.MULTILINE)
    # text, language, block, "" (the closing fence), text, language, ...
    return [block for language, block in zip(parts[1::4], parts[2::4], strict=True) if not language]


PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if "generated" not in path.parts
}


def commands_of(text: str) -> list[str]:
    """The commands in the blocks of a page, in order, and those in its sentences."""
    lines = [line.split("#")[0].strip() for block in plain_blocks(text) for line in block.splitlines()]
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    inline = [found.replace("\n", " ") for found in re.findall(r"`(exactrelu [^`]+)`", prose) if "." in found]
    return [line for line in (*lines, *inline) if line.startswith("exactrelu ")]


COMMANDS = {page: found for page, text in PAGES.items() if (found := commands_of(text))}
SET_UP = ("pip install . && exactrelu demo", 'pip install ".[test]" && pytest')
NNET = "// a network\n1,1,1,1\n1,1,\n0,\n-1,\n1,\n0,0,\n1,1,\n0.1,\n-2.5,\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    net = er.zoo.HAT
    for name in ("net", "hat", "a"):
        er.save(net, tmp_path / f"{name}.json")
    er.save(net, tmp_path / "net.onnx")
    er.save(net.permute([[1, 2, 0]]), tmp_path / "b.json")
    for name in ("c", "proof"):
        er.certify("regions_complete", network=net).save(tmp_path / f"{name}.json")
    er.save(net, tmp_path / "net.safetensors")
    (tmp_path / "net.nnet").write_text(NNET)
    (tmp_path / "query.vnnlib").write_text("(declare-const X_0 Real)\n(assert (<= X_0 2.5))\n(assert (>= X_0 -1))\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def expected_code(arguments: list[str]) -> int:
    """The hat is not globally identifiable, and a statement without a hypothesis that it needs has counterexamples."""
    return 1 if arguments[0] == "identify" or "--drop" in arguments else 0


@pytest.mark.parametrize("page", COMMANDS)
def test_commands(page: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS[page]:
        program, *arguments = shlex.split(command)
        assert program == "exactrelu"
        assert (command, run(arguments)) == (command, expected_code(arguments))
        captured = capsys.readouterr()
        assert captured.out and not captured.err


def test_every_command_is_shown() -> None:
    shown = {command.split()[1] for command in COMMANDS["README.md"]}
    assert shown == set(cli.commands)
    assert len(COMMANDS) >= 4


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
