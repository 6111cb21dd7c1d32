"""The report of `tupelo cliques analyze`: tables and figures of ROBUST (Qi et al., EMNLP 2023) for any cliques.

`sections` turns the numbers of an analysis into tables and figures; `study_page` puts them on one page that stands
alone, pictures included.
"""

from __future__ import annotations

import random
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from html import escape
from typing import Any, Final

from tupelo.robustness.study import CliqueStudy, Interval, WeightCurve
from tupelo.scorers.robust import CliqueResult
from tupelo.scorers.tables import ReportTable
from tupelo.show.plots import COLOURS, draw_line, draw_variances, new_figure, render
from tupelo.show.tables import page, report_fragment

# Table 2 of the paper: percentages on CaRB and on ROBUST, P, R and F1 of each. The drops follow from them.
PRINTED: Final[Mapping[str, Sequence[Sequence[float]]]] = {
    "openie4": [[61.0, 48.25, 53.88], [38.63, 30.14, 33.86]],
    "clausie": [[41.66, 50.16, 45.51], [23.97, 38.58, 29.57]],
    "openie5": [[57.39, 47.48, 51.97], [33.95, 30.88, 32.34]],
    "rnnoie": [[49.26, 49.46, 49.36], [26.15, 32.52, 28.99]],
    "spanoie": [[31.31, 42.21, 35.95], [18.98, 27.94, 22.6]],
    "openie6": [[60.86, 50.54, 55.22], [37.46, 34.25, 35.78]],
}
_FIGURES: Final = {"P": "precision", "R": "recall", "F1": "f1"}
_LINES: Final = {"CaRB": "carb", "ROBUST": "robust", "Δ": "delta"}
_TYPES: Final = {"png": "image/png", "svg": "image/svg+xml"}
_MEASURED: Final = {
    "hws": "Figure 5b: variance of F1 by HWS distance",
    "kernel": "Figure 5c: variance of F1 by tree kernel similarity",
}


@dataclass(frozen=True)
class ReportSection:
    """A section of the report: what it shows, how to read it, a table, and a drawing."""

    name: str
    title: str
    text: str
    table: ReportTable
    draw: Callable[[], Any] | None = None

    @cached_property
    def images(self) -> dict[str, bytes]:
        """The drawing in every kind of file; drawn when first asked for."""
        if self.draw is None:
            return {}
        figure = self.draw()
        return {kind: render(figure, kind) for kind in _TYPES}


def sections(study: CliqueStudy) -> list[ReportSection]:
    """A section for every analysis that was made."""
    size = [
        (name.replace("_", " "), f"{value:,}" if isinstance(value, int) else f"{value:.3f}")
        for name, value in asdict(study.statistics).items()
    ]
    found = [
        ReportSection("size", "Size", "Cliques, their sentences and tuples.", ReportTable(("", ""), tuple(size))),
        *_syntax_sections(study),
    ]
    if study.systems:
        found += _system_sections(study)
    return found


def study_tables(study: CliqueStudy) -> str:
    """All tables as text, and the signatures."""
    shown = [f"{section.title}\n\n{section.table.text()}" for section in sections(study)]
    return "\n".join([*shown, *study.signatures])


def study_page(study: CliqueStudy) -> str:
    """The report as one HTML page."""
    return report_page(f"Cliques of {study.name}", sections(study), study.signatures)


def figure_files(study: CliqueStudy) -> Iterator[tuple[str, bytes]]:
    """Every figure as PNG and SVG: the name of the file, and its content."""
    for section in sections(study):
        for kind, content in section.images.items():
            yield f"{section.name.replace('_', '-')}.{kind}", content


def _syntax_sections(study: CliqueStudy) -> list[ReportSection]:
    spread_rows = [
        (f"{curve.measure} {weight}", *(f"{value:.3f}" for value in five))
        for curve in study.curves
        for weight, five in zip(curve.weights, curve.spread(), strict=True)
    ]
    mean_rows = [
        (f"{weight}", *("–" if curve.means[place] is None else f"{curve.means[place]:.3f}" for curve in study.curves))
        for place, weight in enumerate(study.options.weights)
    ]
    return [
        ReportSection(
            "within",
            "Figure 3: syntax within cliques",
            "A dot is a clique: the mean over pairs of its sentences. HWS is a distance, the kernel a similarity.",
            ReportTable(("measure", "least", "1/4", "1/2", "3/4", "largest"), tuple(spread_rows)),
            lambda: _within_figure(study.curves, study.options.seed),
        ),
        ReportSection(
            "weights",
            "Figure 4: syntax over all cliques",
            "The mean of the clique means. A small discount or decay looks at the skeleton of the sentences.",
            ReportTable(("weight", *(curve.measure for curve in study.curves)), tuple(mean_rows)),
            lambda: _weights_figure(study.curves),
        ),
    ]


def _system_sections(study: CliqueStudy) -> list[ReportSection]:
    details = study.details
    results = {name: evaluation.cliques for name, evaluation in study.systems.items()}
    rows = [
        (name, f"{details[name]['mean_variance_of_f1']:.4f}", "–" if value is None else f"{value:+.3f}")
        for name, value in study.correlations.items()
    ]
    return [
        ReportSection(
            "systems",
            "Table 2: systems on the originals and on the worst sentences",
            "Figures in percent; the printed ones belong to the paper's own cliques.",
            robust_table(details),
        ),
        ReportSection(
            "variance",
            "Figure 5a: cliques by the variance of F1",
            "Few cliques with a high variance: the wording matters little. The correlation is that of the size of a "
            "random subset of the cliques with the mean F1 of its worst sentences; near 0, the score does not depend "
            "on how many cliques there are.",
            ReportTable(("system", "mean variance", "correlation"), tuple(rows)),
            lambda: _variance_figure(results),
        ),
        *(_intervals_section(measure, series) for measure, series in study.variances.items()),
    ]


def _intervals_section(measure: str, series: Mapping[str, Sequence[Interval]]) -> ReportSection:
    rows = [
        (
            system,
            f"{each.low:.3f} – {each.high:.3f}",
            f"{each.count:,}",
            "–" if each.mean is None else f"{each.mean:.4f}",
        )
        for system, intervals in series.items()
        for each in intervals
    ]
    lines = {
        system: [((each.low + each.high) / 2, each.mean) for each in intervals if each.mean is not None]
        for system, intervals in series.items()
    }
    return ReportSection(
        f"variance_by_{measure}",
        _MEASURED[measure],
        "Cliques in intervals of the mean over their pairs of sentences; the mean variance in each.",
        ReportTable(("", "interval", "cliques", "mean"), tuple(rows)),
        lambda: _line_figure(lines, xlabel=_TITLES[measure], ylabel="variance of F1", ylim=(0, None)),
    )


def printed_figures(system: str) -> dict[str, dict[str, float]] | None:
    """The printed figures of a system, 0 to 1, in the shape of the details of a score; `None` if it has none."""
    if system not in PRINTED:
        return None
    carb, robust = (
        dict(zip(_FIGURES.values(), (value / 100 for value in line), strict=True)) for line in PRINTED[system]
    )
    return {"carb": carb, "robust": robust, "delta": {name: carb[name] - robust[name] for name in carb}}


def robust_table(measured: Mapping[str, Mapping[str, Any]]) -> ReportTable:
    """Table 2: a row per figure and line, a column per system, printed figures in columns of their own.

    `measured` has the details of each system's score. Printed systems that were not measured come last.
    """
    columns: dict[str, Mapping[str, Any]] = {}
    for name in (*measured, *(name for name in PRINTED if name not in measured)):
        if name in measured:
            columns[name] = measured[name]
        printed = printed_figures(name)
        if printed is not None:
            columns[f"{name} (paper)"] = printed
    rows = []
    for figure, field in _FIGURES.items():
        for line, part in _LINES.items():
            values = (f"{100 * details[part][field]:.2f}" for details in columns.values())
            rows.append((f"{figure:<2} {line}", *values))
    return ReportTable(("", *columns), tuple(rows))


def report_page(title: str, report: Sequence[ReportSection], notes: Sequence[str] = ()) -> str:
    """HTML of all sections; `notes` are signatures."""
    contents = "".join(
        f'<li><a href="#{escape(section.name, quote=True)}">{escape(section.title)}</a></li>' for section in report
    )
    signatures = "".join(f"<p><code>{escape(note)}</code></p>" for note in notes)
    body = [f"<ul>{contents}</ul>", *map(_section, report), "<h2>How it was measured</h2>", signatures]
    return page(title, "\n".join(body))


def _section(section: ReportSection) -> str:
    lines = [
        f'<section id="{escape(section.name, quote=True)}">',
        f"<h2>{escape(section.title)}</h2>",
        f"<p>{escape(section.text)}</p>",
        *([_picture(section)] if section.images else []),
        report_fragment(section.table),
        "</section>",
    ]
    return "\n".join(lines)


def _picture(section: ReportSection) -> str:
    """The SVG on white, because drawings have dark lines; all kinds can be saved."""
    addresses = {
        kind: f"data:{_TYPES[kind]};base64,{b64encode(content).decode('ascii')}"
        for kind, content in section.images.items()
    }
    links = " ".join(
        f'<a download="{escape(section.name, quote=True)}.{kind}" href="{address}">{kind.upper()}</a>'
        for kind, address in addresses.items()
    )
    return (
        f'<p><img alt="{escape(section.title, quote=True)}" src="{addresses["svg"]}" '
        'style="max-width: 100%; background: white"></p>'
        f'<p class="figures">Save as {links}</p>'
    )


_TITLES = {"hws": "HWS distance", "kernel": "tree kernel similarity"}
_WEIGHTS = {"hws": "discount", "kernel": "decay"}
# Dots of one weight are spread a little, so that they do not hide each other.
_SPREAD = 0.03


def _within_figure(curves: Sequence[WeightCurve], seed: int = 1) -> Any:
    """A dot per clique and weight (Figure 3)."""
    figure = new_figure(5.5 * len(curves), 4.2)
    draw = random.Random(seed)
    for axes, curve, colour in zip(figure.subplots(1, len(curves), squeeze=False)[0], curves, COLOURS, strict=False):
        for weight, values in zip(curve.weights, curve.clique_means, strict=True):
            known = [value for value in values if value is not None]
            places = [weight + draw.uniform(-_SPREAD, _SPREAD) for _ in known]
            # Thousands of dots as shapes would make an SVG of megabytes.
            axes.scatter(places, known, s=3, alpha=0.35, color=colour, linewidths=0, rasterized=True)
        axes.set(
            xlabel=_WEIGHTS[curve.measure], ylabel=f"mean {_TITLES[curve.measure]} of a clique", ylim=(-0.02, 1.02)
        )
        axes.grid(alpha=0.2)
    return figure


def _weights_figure(curves: Sequence[WeightCurve]) -> Any:
    """The mean over all cliques, by weight (Figure 4)."""
    lines = {
        _TITLES[curve.measure]: [
            (weight, mean) for weight, mean in zip(curve.weights, curve.means, strict=True) if mean is not None
        ]
        for curve in curves
    }
    return _line_figure(lines, xlabel="discount (HWS), decay (kernel)", ylabel="mean over cliques", ylim=(0, 1))


def _variance_figure(systems: Mapping[str, Sequence[CliqueResult]]) -> Any:
    """The number of cliques by variance of F1 (Figure 5a)."""
    figure = new_figure(6, 4.2)
    axes = figure.add_subplot()
    draw_variances(axes, systems)
    axes.set_title("")
    axes.grid(alpha=0.2)
    return figure


def _line_figure(lines: Mapping[str, Sequence[tuple[float, float]]], **settings: Any) -> Any:
    """A figure of lines by their labels, each a list of points."""
    figure = new_figure(6, 4.2)
    axes = figure.add_subplot()
    for number, (label, points) in enumerate(lines.items()):
        draw_line(axes, number, label, [x for x, _ in points], [y for _, y in points], marker="o", markersize=4)
    axes.set(**settings)
    axes.grid(alpha=0.2)
    axes.legend(frameon=False)
    return figure
