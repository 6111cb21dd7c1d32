"""The logistic function, for plain numbers and for arrays; means of what is known."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from numpy.typing import NDArray

# math.exp overflows beyond this; the result is 0 to the last bit long before.
_LARGEST = 700.0


@overload
def sigmoid(x: float, *, limit: float | None = None) -> float: ...
@overload
def sigmoid(x: NDArray[Any], *, limit: float | None = None) -> NDArray[Any]: ...
def sigmoid(x: Any, *, limit: float | None = None) -> Any:
    """1 / (1 + exp(-x)), element by element. `limit` clips x to [-limit, limit] first.

    A Python number is computed with `math.exp`, an array or a NumPy scalar with `numpy.exp`; their last bits may
    differ. The dtype of an array is kept: float32 in, float32 out.

    >>> sigmoid(0.0), round(sigmoid(2.0), 4), sigmoid(-1000.0) < 1e-300
    (0.5, 0.8808, True)
    """
    if type(x) in (int, float):
        bound = _LARGEST if limit is None else limit
        return 1 / (1 + math.exp(-max(-bound, min(bound, x))))
    import numpy as np

    return 1 / (1 + np.exp(-(x if limit is None else np.clip(x, -limit, limit))))


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the known values.

    >>> mean([1.0, None, 0.5])
    0.75
    """
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
