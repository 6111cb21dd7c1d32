"""Nothing is written and not used: vulture reads everything that ships, is trained, measured or shown in the docs.

Tests do not count as use: what only a test calls is dead.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tupelo.robustness.rewrite import RULES

ROOT = Path(__file__).resolve().parents[2]
# What other programs call or read: the standard library's servers and parsers, click, pydantic, SQLAlchemy,
# onnxruntime, faiss, torch, mkdocs, Hugging Face's evaluate, lm-evaluation-harness, the frameworks of `integrations`.
HOOKS = """
    allow_tf32 forward on_page_markdown
    __call__ __class__ __class_getitem__ __dir__ __getattr__ __init_subclass__ __signature__ _feature_names
    _repr_html_ add_batch
    aggregation client_address
    daemon_threads default_map do_GET do_HEAD efConstruction efSearch enable_mem_pattern format_commands format_epilog
    get_command graph_optimization_level handle_data handle_endtag handle_error handle_startendtag
    higher_is_better inter_op_num_threads intra_op_num_threads isolation_level list_commands log_message
    log_severity_level max_redirections memo model_config process_results protocol_version readable readinto
    server_version sys_version tell StartElementHandler EndElementHandler CharacterDataHandler StartDoctypeDeclHandler
    disable_nagle_algorithm do_DELETE do_OPTIONS do_PATCH do_POST do_PUT handle_expect_100 request_queue_size
    requestline verify_request
    _get_relevant_documents _retrieve assigns chunk_id openie class_name convert_to_graph_documents make_component
    __signature__ visit_Subscript
    run_manager run no_args_is_help send_400_response short_help should_exit
"""
# Calls and fields of the library that nothing of ours needs.
LIBRARY = """
    head_word neighbors object_type pipe_analyses sentences_per_clique subject_type to_arrow to_pandas too_alike
    without_controls without_tuples
    without_insurgents words_in_originals
"""
# Imports, arguments and code after an end that nobody can reach: these are dead in benchmarks too.
SURE = 80
DECORATORS = [
    "@command*",
    "@project_command*",
    "@*.command*",
    "@*.get*",
    "@*.post*",
    "@*.put*",
    "@*.delete*",
    "@*.exception_handler*",
    "@click.*",
    "@model_validator*",
]


def named_in_tables() -> set[str]:
    """Parts that are imported by name: `"tupelo.scorers.carb:Carb"`, or `mail:read_mailbox` before its endings."""
    sources = [path for ending in ("py", "toml") for path in ROOT.joinpath("src").rglob(f"*.{ending}")]
    files = [*sources, *ROOT.joinpath("training").rglob("*.py"), ROOT / "pyproject.toml"]
    named = {name for file in files for name in re.findall(r'[\w.{}]+:(\w+)(?:"| +\.)', file.read_text("utf-8"))}
    # The functions of rewrite rules have the names of the rules.
    return named | {name.replace("-", "_") for name in RULES}


def unused(paths: list[Path]) -> list[str]:
    """What nobody uses; plain algorithms in `benchmarks` are also there for the tests to compare with."""
    vulture = pytest.importorskip("vulture", reason="vulture finds unused code")
    # Names to pass over are taken out afterwards: vulture would compare every name of the code with each of them.
    finder = vulture.Vulture(ignore_decorators=DECORATORS)
    finder.scavenge([str(path) for path in paths])
    known = named_in_tables() | {*HOOKS.split(), *LIBRARY.split()}
    return [
        f"{Path(item.filename).name}:{item.first_lineno}: {item.name}"
        for item in finder.get_unused_code(min_confidence=60)
        if item.name not in known and (item.confidence >= SURE or "benchmarks" not in Path(item.filename).parts)
    ]


@pytest.mark.slow
def test_no_code_is_unused():
    assert unused([ROOT / folder for folder in ("src", "papers", "training", "benchmarks", "docs", "tools")]) == []


def test_the_probe_can_fail(tmp_path):
    file = tmp_path / "x.py"
    file.write_text("def forgotten():\n    pass\n", "utf-8")
    assert unused([file]) == ["x.py:1: forgotten"]
