"""The command line: one module per command, imported only when the command is called."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from tupelo import TupeloError, __version__

# Name of a command -> where it is, and the line that `tupelo --help` shows without importing it.
COMMANDS: dict[str, tuple[str, str]] = {
    "extract": ("tupelo.cli.extract:extract", "Text to tuples: who did what to whom, when and where."),
    "analyze": ("tupelo.cli.analyze:analyze", "Tag and parse text: words, dependencies, trees, entities."),
    "show": ("tupelo.cli.show:show", "Draw a sentence's trees as SVG."),
    "score": ("tupelo.cli.score:score", "Score a system's tuples against a gold standard."),
    "compare": ("tupelo.cli.compare:compare", "Is one system really better than another? Paired tests."),
    "leaderboard": ("tupelo.cli.leaderboard:leaderboard", "One table for a folder of system outputs."),
    "convert": ("tupelo.cli.convert:convert", "Convert tuples between all known formats."),
    "formats": ("tupelo.cli.formats:formats", "List the tuple formats, or describe one."),
    "data": ("tupelo.cli.data:data", "List, describe and download public datasets."),
    "reproduce": ("tupelo.cli.reproduce:reproduce", "Recompute the tables of a paper from public data."),
    "demo": ("tupelo.cli.demo:demo", "Extract from a bundled text; score a bundled example."),
}


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one only to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[name][0].partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tupelo")
def tupelo() -> None:
    """Plain text to open knowledge, with a yardstick for every step.

    \b
    Examples:
      echo "Ann, a nurse, moved to Oslo in May." | tupelo extract
      tupelo score carb gold.tsv predictions.tsv --format tab
    """


def main() -> None:
    """Run a command. Exit status: 0 done, 1 what was asked does not hold, 2 bad usage or bad input."""
    try:
        tupelo(prog_name="tupelo")
    except TupeloError as error:
        # One line, whatever the message holds: it may quote the input.
        click.echo(f"tupelo: {' '.join(str(error).split())}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output has gone (`| head`); nothing is wrong, and nobody is left to tell.
        sys.stderr.close()
        sys.exit(0)
