"""The commands of the command line, found by walking the tree of click, and files for their examples."""

from __future__ import annotations

from pathlib import Path

import click

from exactrelu import Network, certify, save, zoo
from exactrelu.cli import cli

TO_DO = {"theorem"}
"""Groups of commands whose schemas and examples are still to come."""

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
DONE = sorted(words for words in COMMANDS if words[0] not in TO_DO)


def write_files(folder: Path) -> None:
    """The files that examples speak of."""
    save(NET, folder / "net.json")
    save(zoo.HAT, folder / "hat.json")
    save(NET, folder / "a.json")
    save(NET.permute([[2, 0, 1]]).rescale([[3, "1/2", 7]]), folder / "b.json")
    certify("regions_complete", network=NET).save(folder / "c.json")
    (folder / "net.nnet").write_text(NNET)
