"""`tupelo annotate init`: a new project from the worked example of its task."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--task", required=True, metavar="TASK", help="What people do; see below.")
@click.option("--name", help="What the project is called. Default: the name of the folder.")
@click.option(
    "--items",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Your own items instead of the example's; repeat for more files.",
)
@click.option("--overlap", type=click.IntRange(1, 100), help="How many people do each item.")
@click.option("--database", metavar="URL", help="postgresql://… instead of a file in the project.")
@click.option("--url", metavar="URL", help="The address under which people will reach the server.")
def init(
    project: Path,
    task: str,
    name: str | None,
    items: tuple[Path, ...],
    overlap: int | None,
    database: str | None,
    url: str | None,
) -> None:
    """Make the folder PROJECT with everything a project needs, filled from a worked example.

    \b
    Examples:
      tupelo annotate init birds --task tuples --items sentences.txt
      tupelo annotate init ratings --task accuracy --overlap 5

    Tasks: tuples, reported (speech), paraphrase, clique, preference, candidates, accuracy, claims, clusters.

    Then edit project.toml, guidelines.md, tutorial.toml and qualification.jsonl as you like, and run
    'tupelo annotate serve PROJECT'.
    """
    from tupelo.annotate.example import make_project

    settings = {
        ("project", "name"): name or project.resolve().name,
        ("project", "overlap"): overlap,
        ("project", "database"): database,
        ("server", "url"): url,
    }
    written = make_project(project, task, items, settings)
    click.echo(f"{project}: {', '.join(written)}")
    click.echo(f"Next: tupelo annotate serve {project}")
