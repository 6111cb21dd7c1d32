"""The only module that uses onnxruntime."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Graph:
    """An ONNX session on the CPU.

    Threads do not spin while they wait: on a machine whose cores are all in use by a pool of processes, spinning
    nearly halves the speed.
    """

    def __init__(self, path: Path, threads: int) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # The graphs are already fused. Further fusion would merge sums and layer norms into one operator that takes
        # several times as long as the two separately.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        # Shapes differ from batch to batch: memory reuse plans would only accumulate.
        options.enable_mem_pattern = False
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def run(self, outputs: Sequence[str], inputs: Mapping[str, NDArray[Any]]) -> list[NDArray[Any]]:
        """The named outputs, in order."""
        results: list[NDArray[Any]] = self._session.run(list(outputs), dict(inputs))
        return results
