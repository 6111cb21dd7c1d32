"""Cuts of the trees that COMBO's published procedure makes (jeffchy/COMBO), linkage by linkage."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tupelo.canon.cluster import complete_linkage, linkage_tree


@pytest.mark.parametrize("run", range(6))
def test_every_cut_is_equal(run: int, shared: Path) -> None:
    oracle = json.loads((shared / "oracles/combo/hac-small.json").read_text("utf-8"))
    expected = oracle["runs"][run]
    points = np.array(oracle["standardized_points" if expected["standardize"] else "points"])
    tree = linkage_tree(points, expected["linkage"])
    assert tree.heights == pytest.approx(expected["merge_heights"], abs=1e-8)
    for cut in expected["cuts"]:
        assert tree.labels(cut["threshold"]).tolist() == cut["labels"]
        if expected["linkage"] == "complete":
            limited = complete_linkage(points, cut["threshold"])
            assert limited.labels(cut["threshold"]).tolist() == cut["labels"]
