"""What a canonicalization method is, and the clusterings it makes for every threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from tupelo.core import TripleMention
from tupelo.core.progress import Advance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Cuttable(Protocol):
    """What a canonicalization method made of one subtask: a clustering for every threshold.

    Items are numbered like the mentions that the method was given.
    """

    @property
    def grid(self) -> Sequence[float]:
        """Thresholds worth trying, rising. One value when the method has nothing to tune."""

    def labels(self, threshold: float) -> NDArray[np.int64]:
        """A cluster number per item. A higher threshold never splits what a lower one joined."""

    def tree(self) -> Hierarchy | None:
        """The full hierarchy: every item and every merge up to one root; `None` where the method makes none."""


class Hierarchy(Protocol):
    """A binary tree over `count` items. Merge number i makes node `count + i` of `children[i]` at `heights[i]`."""

    @property
    def count(self) -> int: ...

    @property
    def children(self) -> NDArray[np.int64]:
        """One row of two nodes per merge, lowest merge first."""

    @property
    def heights(self) -> NDArray[np.float64]: ...


class Prepared(Protocol):
    """A method that has seen the mentions: vectors computed, embeddings trained, rules mined."""

    def subtask(self, name: str) -> Cuttable:
        """One of `core.canonical.SUBTASKS`."""


class CanonMethod(Protocol):
    """A canonicalization method. Constructors take keyword options only, store them and do no work.

    `needs` names the resources without which it cannot run (see `canon.resources.CanonResources`). The same mentions,
    resources and seed give the same clusters. Three attributes are optional: `title`, a line for lists, `thresholds`
    by subtask, without which users have to give one, and `slope(subtask)`, how fast certainty grows with the distance
    from the threshold.
    """

    name: ClassVar[str]
    needs: ClassVar[frozenset[str]]

    def prepare(
        self, mentions: Sequence[TripleMention], resources: Any, *, seed: int = 0, advance: Advance = ...
    ) -> Prepared:
        """Everything that does not depend on the subtask; `resources` is a `canon.resources.CanonResources`."""
