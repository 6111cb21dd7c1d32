"""`tupelo annotate`: the annotation application. One module per subcommand, imported only when it is called."""

from __future__ import annotations

import click

from tupelo.cli.lazy import LazyGroup


class AnnotateCommands(LazyGroup):
    places = {  # noqa: RUF012, a table of names
        "init": ("tupelo.cli.annotate_init:init", "Make a project folder from a worked example."),
        "serve": ("tupelo.cli.annotate_serve:serve", "Serve a project in the browser."),
        "invite": ("tupelo.cli.annotate_invite:invite", "Make invitation links."),
        "import": ("tupelo.cli.annotate_import:import_items", "Add items from files."),
        "export": ("tupelo.cli.annotate_export:export", "Write answers to a file, in any format."),
        "agreement": ("tupelo.cli.annotate_agreement:agreement", "How far annotators agree."),
    }


@click.group(cls=AnnotateCommands)
def annotate() -> None:
    """Make and judge tuples, paraphrases, inferences and facts with people, in the browser.

    \b
    Examples:
      tupelo annotate init birds --task tuples --items sentences.txt
      tupelo annotate serve birds
    """
