"""The command line: files in, answers on standard output, and an exit code.

Exit codes: 0 holds or success, 1 fails, 2 usage or unreadable input, 3 unknown
or budget reached, 4 inapplicable, 70 internal error, 130 interrupted.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from . import __version__, commands
from .commands.completion import completions
from .errors import BudgetExceeded, ExactReluError, HypothesisNotMet, Undecided
from .files import reason

USAGE, UNKNOWN, INAPPLICABLE, INTERNAL, INTERRUPTED = 2, 3, 4, 70, 130


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="exactrelu")
def cli() -> None:
    """Exact verification of the identifiability of ReLU networks.

    NET is a network file (.json, .nnet, .onnx, .npz or .safetensors), or - for standard input.
    Colours are for terminals only, and for none if NO_COLOR is set. Exit codes: 0 holds or success,
    1 fails, 2 usage or unreadable input, 3 unknown or budget reached, 4 inapplicable.

    Example: exactrelu demo
    """


for name in commands.__all__:
    cli.add_command(getattr(commands, name))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; every error becomes one line."""
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # counts may be longer than CPython prints by default
    try:
        answered = completions(cli)
        if answered is not None:
            return answered
        with cli.make_context("exactrelu", list(sys.argv[1:] if arguments is None else arguments)) as context:
            code = cli.invoke(context)
        output: Any = sys.stdout  # None when the process was started without one
        if output is not None:
            output.flush()
        return int(code or 0)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return USAGE
    except (BudgetExceeded, Undecided) as error:
        return complain(str(error), UNKNOWN)
    except HypothesisNotMet as error:
        return complain(str(error), INAPPLICABLE)
    except ExactReluError as error:
        return complain(str(error), USAGE)
    except click.ClickException as error:
        return complain(error.format_message(), USAGE)
    except (click.Abort, KeyboardInterrupt):
        exec("")  # CPython remembers an interrupt in exec of a text until the next exec, and would end by the signal
        return complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader has seen enough; keep the interpreter from flushing into the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return complain(f"standard output: must be writable: {reason(error)}", USAGE)
    except MemoryError:
        return complain("out of memory", INTERNAL)
    except Exception as error:  # the promise of the command line: one line, never a traceback
        return complain(f"internal error, please report it: {type(error).__name__}: {error}", INTERNAL)
    finally:
        sys.set_int_max_str_digits(digits)


def complain(sentence: str, code: int) -> int:
    """One line on standard error, and the exit code."""
    click.echo(f"exactrelu: {' '.join(sentence.split())}", err=True)
    return code


def main() -> None:
    """The entry point of the command ``exactrelu``."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # not when the stream is closed
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run())


if __name__ == "__main__":
    main()
