"""The command that teaches a shell to complete the others."""

from __future__ import annotations

import os
from typing import Final

import click
from click.shell_completion import get_completion_class, shell_complete

from .common import json_option, print_result

PROGRAM: Final = "exactrelu"
VARIABLE: Final = "_EXACTRELU_COMPLETE"
"""What the shell sets when it asks for completions instead of an answer."""
SHELLS: Final = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@json_option
@click.pass_context
def completion(context: click.Context, shell: str, as_json: bool) -> int:
    """A script with which a shell completes commands.

    Also their options, and the names of files. Put the line eval "$(exactrelu completion bash)" into
    ~/.bashrc, or with zsh into ~/.zshrc, after compinit; for fish, save the script as
    ~/.config/fish/completions/exactrelu.fish.

    Example: exactrelu completion bash
    """
    kind = get_completion_class(shell)
    assert kind is not None
    # Not source(), which would start a shell to learn its version.
    maker = kind(context.find_root().command, {}, PROGRAM, VARIABLE)
    script = maker.source_template % maker.source_vars()
    print_result(script.strip(), {"shell": shell, "script": script}, as_json)
    return 0


def completions(cli: click.Command) -> int | None:
    """Answer a shell that asks for completions and return an exit code; ``None`` when none asks."""
    instruction = os.environ.get(VARIABLE)
    return shell_complete(cli, {}, PROGRAM, VARIABLE, instruction) if instruction else None
