"""Every drawing of results: SVG, HTML fragments, plots and pages. `VIEWS` says which function draws which value."""

from functools import cache, partial

from tupelo.core.shipped import shipped_text

# A style, script or piece of HTML that ships beside this module, by its name.
asset = cache(partial(shipped_text, __name__))

# "Class.view" -> "module:function", for `core.registry`. Classes that are not here are drawn as their base class.
VIEWS = {
    "Tabular.html": "tupelo.show.tables:rows_html",
    "Tabular.page": "tupelo.show.tables:rows_page",
    "Analysis.html": "tupelo.show.trees:analysis_html",
    "Analysis.words": "tupelo.show.trees:word_table",
    "Analyses.html": "tupelo.show.chains:analyses_html",
    "Extraction.html": "tupelo.show.highlight:extraction_html",
    "Extraction.tuple": "tupelo.show.highlight:extraction_tuple",
    "Extraction.sentence": "tupelo.show.highlight:extraction_sentence",
    "Extractions.html": "tupelo.show.highlight:extractions_html",
    "Result.html": "tupelo.show.tables:result_html",
    "Score.plot": "tupelo.show.plots:score_plot",
    "Score.errors": "tupelo.show.score_pages:error_page",
    "Reported.html": "tupelo.show.tables:reported_html",
    "RobustScore.html": "tupelo.show.tables:reported_html",
    "RobustScore.plot": "tupelo.show.plots:robust_plot",
    "RobustScore.cliques": "tupelo.show.score_pages:clique_page",
    "ReportTable.html": "tupelo.show.tables:report_fragment",
    "Leaderboard.page": "tupelo.show.tables:leaderboard_page",
    "Leaderboard.plot": "tupelo.show.plots:leaderboard_plot",
    "BenchCard.page": "tupelo.show.tables:bench_page",
    "CliqueStudy.tables": "tupelo.show.clique_study:study_tables",
    "CliqueStudy.page": "tupelo.show.clique_study:study_page",
    "Checked.html": "tupelo.show.review_pages:checked_body",
    "Checked.page": "tupelo.show.review_pages:checked_page",
    "BuildReport.html": "tupelo.show.tables:build_html",
    "Report.html": "tupelo.show.report_page:report_body",
    "Report.page": "tupelo.show.report_page:report_html",
    "Report.markdown": "tupelo.show.report_page:report_markdown",
    "Coverage.html": "tupelo.show.graph_figures:coverage_body",
    "Coverage.page": "tupelo.show.graph_figures:coverage_page",
    "Statistics.html": "tupelo.show.graph_figures:figures_body",
    "Statistics.page": "tupelo.show.graph_figures:figures_page",
    "Statistics.text": "tupelo.show.graph_figures:figures_text",
}
