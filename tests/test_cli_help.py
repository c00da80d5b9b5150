"""Help with examples that run, completion in shells, and colours that only a terminal gets."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import click
import pytest
from click.shell_completion import get_completion_class
from command_tree import COMMANDS, write_files

from exactrelu import registered_theorems, theorem
from exactrelu.cli import cli
from exactrelu.commands.completion import SHELLS, VARIABLE
from exactrelu.commands.tables import COLOURS, coloured, columns, facts

ID = "embedding_rank_is_parameters_minus_hidden"
EXAMPLE = re.compile(r"Example: exactrelu (.+)")
ESCAPE = "\x1b["
# The hat is not globally identifiable, and the hunt finds a counterexample: the exit code says so.
FAILING = {("identify",), ("theorem", "hunt")}
WRITING = ("--report", "--certificate", "--plot", "--graph", "--out", "--csv")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def example(command: click.Command) -> str:
    """The example of a help text."""
    found = EXAMPLE.findall(command.help or "")
    assert len(found) == 1, f"{command.name} has {len(found)} examples"
    return str(found[0])


# --- help ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", sorted(COMMANDS), ids=" ".join)
def test_examples_run(run, words: tuple[str, ...], folder: Path) -> None:
    arguments = shlex.split(example(COMMANDS[words]))
    assert tuple(arguments[: len(words)]) == words
    code, out, err = run(*arguments)
    assert code == (1 if words in FAILING else 0), err
    assert out and not err
    for option, target in pairwise(arguments):
        if option in WRITING:
            assert (folder / target).stat().st_size > 0


def test_the_example_of_the_group_runs(run) -> None:
    assert run(*shlex.split(example(cli)))[0] == 0


@pytest.mark.parametrize("words", sorted(COMMANDS), ids=" ".join)
@pytest.mark.parametrize("width", ["60", "80", "200"])
def test_help_is_complete(run, words: tuple[str, ...], width: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", width)
    code, out, err = run(*words, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: exactrelu {' '.join(words)}")
    for option in COMMANDS[words].params:
        if isinstance(option, click.Option):
            assert option.help and option.opts[0] in out, option.name
    assert "--json" in out and "Example: exactrelu" in " ".join(out.split())
    assert max(map(len, out.splitlines())) <= min(int(width), 100) + 2


@pytest.mark.parametrize("group", sorted({words[:-1] for words in COMMANDS}), ids=" ".join)
def test_short_descriptions_are_whole(run, group: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    listed = run(*group, "--help")[1].partition("Commands:")[2].strip().splitlines()
    depth = len(group)
    assert {line.split()[0] for line in listed} == {words[depth] for words in COMMANDS if words[:depth] == group}
    assert [line for line in listed if line.endswith("...")] == []


# --- completion ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts(run, shell: str) -> None:
    code, out, err = run("completion", shell)
    assert (code, err) == (0, "")
    assert VARIABLE in out and "exactrelu" in out and "%(" not in out
    data = json.loads(run("completion", shell, "--json")[1])
    assert data["shell"] == shell and data["script"].strip() == out.strip()


def completions(words: str, monkeypatch: pytest.MonkeyPatch, run) -> list[str]:
    monkeypatch.setenv(VARIABLE, "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split(" ")) - 1))
    code, out, err = run()
    assert (code, err) == (0, "")
    return out.split()


def test_words_are_completed(run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert completions("exactrelu an", monkeypatch, run) == ["plain,analyze"]
    assert completions("exactrelu co", monkeypatch, run) == ["plain,compare", "plain,completion", "plain,convert"]
    assert completions("exactrelu identify --sc", monkeypatch, run) == ["plain,--scope"]
    assert completions("exactrelu identify --scope g", monkeypatch, run) == ["plain,global"]
    assert completions("exactrelu completion ", monkeypatch, run) == [f"plain,{shell}" for shell in SHELLS]


@pytest.mark.parametrize(
    "words",
    [
        *(f"{command} n" for command in ("analyze", "phi", "identify", "regions", "dimension", "recover")),
        *("compare n", "compare a.json n", "analyze net.json --report n", "regions net.json --plot n"),
        *("identify net.json --samples n", "symmetries relu --network n", "analyze net.json --domain n"),
        *("check n", "check c.json --network n", "phi net.json --certificate n", "convert n", "convert net.nnet n"),
        *(f"theorem check {ID} n", f"theorem check {ID} net.json --domain n", f"theorem hunt {ID} --out n"),
        *("theorem report n", "theorem report sweep.db --csv n", "theorem report sweep.db --plot n"),
    ],
)
def test_files_are_left_to_the_shell(run, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert completions(f"exactrelu {words}", monkeypatch, run) == ["file,n"]


def test_statements_are_completed(run, monkeypatch: pytest.MonkeyPatch) -> None:
    for command in ("show", "check", "hunt"):
        assert completions(f"exactrelu theorem {command} embedding_rank_is", monkeypatch, run) == [
            f"plain,{ID}",
            f"plain,{ID}_converse",
        ]
    found = completions("exactrelu theorem show ", monkeypatch, run)
    assert found == [f"plain,{statement.id}" for statement in registered_theorems()]
    assert completions("exactrelu theorem show nothing", monkeypatch, run) == []


def test_hypotheses_are_completed(run, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"plain,{item.name}" for item in theorem("shallow_bounded_global").hypotheses]
    assert completions("exactrelu theorem check shallow_bounded_global --drop ", monkeypatch, run) == names
    assert completions("exactrelu theorem hunt shallow_bounded_global --drop no", monkeypatch, run) == [
        *("plain,nonzero_output", "plain,nonzero_input", "plain,no_zero_sum_flip")
    ]
    # Not those that are dropped already, and none where the statement is not known.
    dropped = "exactrelu theorem hunt shallow_bounded_global --drop nonzero_input --drop non"
    assert completions(dropped, monkeypatch, run) == ["plain,nonzero_output"]
    for unknown in ("nothing --drop ", "shallow_bounded_global --drop nothing --drop ", "--drop "):
        assert completions(f"exactrelu theorem check {unknown}", monkeypatch, run) == []


def test_an_unknown_instruction_is_no_success(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "tcsh_complete")
    assert run()[0] != 0


def test_bash_completes(run, tmp_path: Path) -> None:
    """A real bash, with the script and a program of this name."""
    if get_completion_class("bash") is None or not Path("/bin/bash").exists():
        pytest.skip("there is no bash")
    program = tmp_path / "exactrelu"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m exactrelu.cli "$@"\n')
    program.chmod(0o755)
    script = run("completion", "bash")[1]
    ask = 'COMP_WORDS=(exactrelu dim); COMP_CWORD=1; _exactrelu_completion exactrelu; echo "${COMPREPLY[@]}"'
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    command = ["/bin/bash", "--norc", "-c", f"{script}\n{ask}"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("dimension\n", "")


# --- the look of text ---------------------------------------------------------------------------------------------


def on_a_terminal(*arguments: str, **environment: str) -> tuple[int, str]:
    """Exit code and output of a command whose output is a terminal."""
    inner, outer = os.openpty()
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM", VARIABLE)}
    command = [sys.executable, "-m", "exactrelu.cli", *arguments]
    process = subprocess.Popen(
        command, stdout=outer, stderr=subprocess.PIPE, env={**kept, "TERM": "xterm", **environment}
    )
    os.close(outer)
    shown = b""
    while True:
        try:
            part = os.read(inner, 65536)
        except OSError:  # Linux says so when the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(inner)
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    return process.wait(), shown.decode().replace("\r\n", "\n")


def test_colours_are_for_terminals(run, folder: Path) -> None:
    plain = run("identify", "hat.json")
    code, shown = on_a_terminal("identify", "hat.json")
    assert code == plain[0] == 1 and ESCAPE not in plain[1]
    assert shown.startswith(f"{ESCAPE}31mfails{ESCAPE}0m: the parameters")
    assert f"[{ESCAPE}32mholds{ESCAPE}0m] kinked" in shown
    assert re.sub(r"\x1b\[\d+m", "", shown) == plain[1]


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"NO_COLOR": "0"}, {"TERM": "dumb"}])
def test_no_colours_where_they_are_not_wanted(run, folder: Path, environment: dict[str, str]) -> None:
    assert on_a_terminal("identify", "hat.json", **environment) == run("identify", "hat.json")[:2]


def test_an_empty_no_color_means_nothing(folder: Path) -> None:
    assert ESCAPE in on_a_terminal("analyze", "hat.json", NO_COLOR="")[1]


def test_json_is_never_coloured(run, folder: Path) -> None:
    assert on_a_terminal("identify", "hat.json", "--json") == run("identify", "hat.json", "--json")[:2]


def test_only_statuses_are_coloured() -> None:
    for status in COLOURS:
        assert ESCAPE in coloured(f"{status}: a claim") and ESCAPE in coloured(f"  [{status}] kinked: a reason")
    assert ESCAPE in coloured(f"{'admissible':<22} holds")
    assert ESCAPE in coloured(f"{'locally identifiable':<22} fails (a reason)")
    for text in ("the weight fails: often", "it holds", "failsafe: x", "[holdsx]", "see [holds] inside", "unknown"):
        assert (ESCAPE in coloured(text)) == (text == "unknown"), text


def test_tables() -> None:
    assert facts([("a_b", 1), ("c", "x")]) == [f"{'a b':<22} 1", f"{'c':<22} x"]
    assert columns([("a", 1), ("long", 22)]) == ["a     1", "long  22"]
    assert columns([]) == []


def test_facts_look_the_same_everywhere(run, folder: Path) -> None:
    """Names of facts end where values begin, in the same column, whatever the command."""
    lines = [
        *run("analyze", "hat.json")[1].splitlines(),
        *run("dimension", "hat.json")[1].splitlines()[:5],
        *run("regions", "hat.json", "--all-counts")[1].splitlines()[1:10],
    ]
    for line in lines:
        if not line.startswith(" "):
            assert line[22] == " " and line[23] != " " and len(line[:22].split("  ")[0].strip()) > 1, line
