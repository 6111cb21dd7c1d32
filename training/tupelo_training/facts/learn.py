"""The loop: batches in an order that the seed fixes, Adafactor, and a checkpoint to go on from.

After every `save_every` steps the network, the optimiser's state and the number of the step go to the store. A run
that is killed and started again ends with the same weights as one that was not (on a CPU to the last bit): the order
of the examples depends on the seed and the epoch, and dropout on the seed and the step.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np
import torch

from tupelo.core import InputError
from tupelo.core.vectors import parse_tensors
from tupelo_training.facts.tasks import TrainingTask
from tupelo_training.vector_files import tensor_parts

# Examples per step in the paper.
PAPER_BATCH = {"classifier": 1024, "binary": 1024, "end-to-end": 256}


class CheckpointStore(Protocol):
    """Where the checkpoint is kept."""

    def load(self) -> bytes | None: ...

    def save(self, parts: list[bytes]) -> None: ...


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """Length and speed of a run. The rate is Adafactor's largest; it falls as one over the root of the step."""

    steps: int
    batch: int
    rate: float = 1e-2
    seed: int = 1
    save_every: int = 1000
    device: str = "cpu"


def choose_device(name: str) -> str:
    """`auto` is the GPU where there is one."""
    chosen = ("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name
    if chosen != "cpu" and not torch.cuda.is_available():
        raise InputError(f"device {chosen}: no such device here, expected cpu")
    return chosen


def train(
    task: TrainingTask,
    settings: TrainingSettings,
    store: CheckpointStore,
    about: dict[str, Any],
    report: Callable[[int, float | None], None],
) -> None:
    """Train the network in place. `about` describes the data; a checkpoint of another run is refused."""
    device = torch.device(settings.device)
    network = task.network.to(device)
    optimiser: Any = torch.optim.Adafactor(network.parameters(), lr=settings.rate)
    fixed = {**about, **{key: value for key, value in asdict(settings).items() if key in ("batch", "rate", "seed")}}
    done = _resume(network, optimiser, store, fixed)
    report(done, None)
    network.train()
    order: tuple[int, Any] = (-1, None)
    per_epoch = max(1, -(-len(task) // settings.batch))
    for step in range(done, settings.steps):
        epoch, place = divmod(step, per_epoch)
        if order[0] != epoch:
            order = (epoch, np.random.default_rng([settings.seed, epoch]).permutation(len(task)))
        torch.manual_seed(settings.seed * 1_000_003 + step)
        rows = order[1][place * settings.batch : (place + 1) * settings.batch].tolist()
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            loss: Any = task.loss(rows, device)
        if not torch.isfinite(loss):
            raise InputError(f"step {step + 1}: the loss is {loss.item()}, expected a number; try a smaller --rate")
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        if (step + 1) % settings.save_every == 0 or step + 1 == settings.steps:
            _save(network, optimiser, store, fixed, step + 1)
            report(1, loss.item())
        else:
            report(1, None)
    network.eval().to("cpu")


def _save(network: Any, optimiser: Any, store: CheckpointStore, fixed: dict[str, Any], step: int) -> None:
    arrays = {f"network/{name}": _plain(value) for name, value in network.state_dict().items()}
    for number, state in optimiser.state_dict()["state"].items():
        arrays.update({f"state/{number}/{name}": _plain(value) for name, value in state.items()})
    store.save(list(tensor_parts(arrays, {"step": str(step), "about": json.dumps(fixed, sort_keys=True)})))


def _plain(value: Any) -> Any:
    return torch.as_tensor(value).detach().cpu().float().numpy()


def _resume(network: Any, optimiser: Any, store: CheckpointStore, fixed: dict[str, Any]) -> int:
    """The number of steps that were done before."""
    data = store.load()
    if data is None:
        return 0
    try:
        arrays, metadata = parse_tensors(data)
        step, about = int(metadata["step"]), json.loads(metadata["about"])
    except (ValueError, KeyError) as error:
        raise InputError(f"the checkpoint is broken ({error}), expected one that this command wrote") from error
    if about != json.loads(json.dumps(fixed)):
        changed = sorted(key for key in {*about, *fixed} if about.get(key) != fixed.get(key))
        raise InputError(
            f"the checkpoint is of another run ({', '.join(changed)} differ), expected the same data and settings; "
            "choose another output"
        )
    network.load_state_dict(
        {
            name.removeprefix("network/"): torch.from_numpy(array.copy())
            for name, array in arrays.items()
            if name.startswith("network/")
        }
    )
    states: dict[int, dict[str, Any]] = {}
    for name, array in arrays.items():
        if name.startswith("state/"):
            _, number, part = name.split("/")
            states.setdefault(int(number), {})[part] = torch.from_numpy(array.copy())
    whole = optimiser.state_dict()
    whole["state"] = states
    optimiser.load_state_dict(whole)
    return step
