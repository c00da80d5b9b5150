"""The commands of the command line, found by walking the tree of click, and files for their examples."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from exactrelu import Instance, Network, certify, family, save, sweep, theorem, zoo
from exactrelu.cli import cli

NET = Network.mlp([[[1, 2], [2, -1], [-1, 1]], [[1, 2, -3]]], [[1, -1, 2], ["1/2"]])
NNET = "// a network\n1,1,1,1\n1,1,\n0,\n-1,\n1,\n0,0,\n1,1,\n0.1,\n-2.5,\n"


def leaves(group: click.Group = cli, before: tuple[str, ...] = ()) -> dict[tuple[str, ...], click.Command]:
    """Every command that does something, by its words."""
    found: dict[tuple[str, ...], click.Command] = {}
    for name, command in group.commands.items():
        inner = leaves(command, (*before, name)) if isinstance(command, click.Group) else {(*before, name): command}
        found |= inner
    return found


COMMANDS = leaves()


def words_of(line: str) -> tuple[str, ...]:
    """The command of a command line: its first words that name one."""
    words = tuple(line.split())
    return next((words[:n] for n in range(1, len(words) + 1) if words[:n] in COMMANDS), words[:1])


def write_files(folder: Path) -> None:
    """The files that examples speak of."""
    save(NET, folder / "net.json")
    save(zoo.HAT, folder / "hat.json")
    save(NET, folder / "a.json")
    save(NET.permute([[2, 0, 1]]).rescale([[3, "1/2", 7]]), folder / "b.json")
    certify("regions_complete", network=NET).save(folder / "c.json")
    (folder / "net.nnet").write_text(NNET)
    pair = Instance(zoo.HAT, zoo.HAT.rescale({(1, 0): 2}))
    (folder / "pair.json").write_text(json.dumps(pair.to_json()))
    (folder / "sweep.db").write_bytes(finished_sweep())


@cache
def finished_sweep() -> bytes:
    """The file of a sweep that found counterexamples, made once."""
    statement = theorem("embedding_rank_is_parameters_minus_hidden").without("admissible")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sweep.db"
        sweep(statement, family((1, 1, 1), entries=(-1, 0, 1)), path, workers=1)
        return path.read_bytes()
