"""The only module that uses onnxruntime."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tupelo.core import InputError
from tupelo.core.deadline import time_left

if TYPE_CHECKING:
    from numpy.typing import NDArray


class OnnxGraph:
    """An ONNX session on the CPU.

    Threads do not spin while they wait: on a machine whose cores are all in use by a pool of processes, spinning
    nearly halves the speed.
    """

    def __init__(self, content: bytes, threads: int, source: str) -> None:
        """From the bytes of a file, so that a graph cannot refer to other files; `source` is its name in messages."""
        import onnxruntime

        self._source = source

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        # Errors are raised as well.
        options.log_severity_level = 4
        # The graphs are already fused. Further fusion would merge sums and layer norms into one operator that takes
        # several times as long as the two separately.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        # Shapes differ from batch to batch: memory reuse plans would only accumulate.
        options.enable_mem_pattern = False
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the errors of onnxruntime have no other base
            raise InputError(f"{source}: {_reason(error)}, expected an ONNX graph of this version") from error

    def require(self, output: str, size: int) -> None:
        """Refuse a graph whose output has another number of values than the settings beside it have names for."""
        shapes = {one.name: one.shape for one in self._session.get_outputs()}
        if size not in shapes.get(output, ()):
            found = f"output '{output}' of shape {shapes[output]}" if output in shapes else f"no output '{output}'"
            raise InputError(f"{self._source}: {found}, expected one of size {size}")

    def run(self, outputs: Sequence[str], inputs: Mapping[str, NDArray[Any]]) -> list[NDArray[Any]]:
        """The named outputs, in order."""
        time_left()
        try:
            results: list[NDArray[Any]] = self._session.run(list(outputs), dict(inputs))
        except Exception as error:  # as above
            raise InputError(f"{self._source}: {_reason(error)}, expected a graph for this kind of model") from error
        return results


def _reason(error: Exception) -> str:
    """The first line of a message, without the codes before it: `[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : …`."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rpartition(" : ")[2].rstrip(".")
