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
from tupelo.core.tensors import parse_tensors, tensor_parts
from tupelo_training.facts.tasks import Task

# The paper's networks: 6 layers of 512 with 8 heads, embeddings of their own.
PAPER = {"width": 512, "inner": 2048, "attention_heads": 8, "layers": 6, "own_embeddings": True}
# From the shipped encoder, whose embeddings stay as they are.
SHARED = {"width": 384, "inner": 1536, "attention_heads": 12, "layers": 6, "own_embeddings": False}
TINY = {"width": 32, "inner": 64, "attention_heads": 2, "layers": 1, "own_embeddings": True}
SIZES = {"paper": PAPER, "encoder": SHARED, "tiny": TINY}
DECODER_LAYERS = {"paper": 6, "encoder": 3, "tiny": 1}


class Store(Protocol):
    """Where the checkpoint lies."""

    def load(self) -> bytes | None: ...

    def save(self, parts: list[bytes]) -> None: ...


@dataclass(frozen=True, slots=True)
class Settings:
    """How long and how fast. The rate is Adafactor's largest; it falls as one over the root of the step."""

    steps: int
    batch: int
    rate: float = 1e-2
    seed: int = 1
    save_every: int = 1000
    device: str = "cpu"


def train(
    task: Task, settings: Settings, store: Store, about: dict[str, Any], report: Callable[[int, float | None], None]
) -> None:
    """Trains the task's network in place. `about` says what is trained on; a checkpoint of another run is refused."""
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


def _save(network: Any, optimiser: Any, store: Store, fixed: dict[str, Any], step: int) -> None:
    arrays = {f"network/{name}": _plain(value) for name, value in network.state_dict().items()}
    for number, state in optimiser.state_dict()["state"].items():
        arrays.update({f"state/{number}/{name}": _plain(value) for name, value in state.items()})
    store.save(list(tensor_parts(arrays, {"step": str(step), "about": json.dumps(fixed, sort_keys=True)})))


def _plain(value: Any) -> Any:
    return torch.as_tensor(value).detach().cpu().float().numpy()


def _resume(network: Any, optimiser: Any, store: Store, fixed: dict[str, Any]) -> int:
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


def start_from_encoder(network: Any, graph: bytes) -> None:
    """Copies the layers of the shipped encoder, as far as the network has layers. `graph` is its `layers.onnx`."""
    import onnx
    from onnx import numpy_helper

    model = onnx.load_from_string(graph)
    constants = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
    makers = {output: node for node in model.graph.node for output in node.output}
    users: dict[str, Any] = {node.input[0]: node for node in model.graph.node if node.op_type == "Add"}
    linears, norms = [], []
    for node in model.graph.node:
        if node.op_type == "MatMul":
            product = makers.get(node.input[1])
            if product is None:
                weight = constants[node.input[1]]
            else:
                whole = constants[makers[product.input[0]].input[0]]
                weight = whole.astype(np.float32) * constants[product.input[1]]
            linears.append((weight.T, constants[users[node.output[0]].input[1]]))
        elif node.op_type == "LayerNormalization":
            norms.append((constants[node.input[1]], constants[node.input[2]]))
    names = ("attention.query", "attention.key", "attention.value", "attention.output", "up", "down")
    with torch.no_grad():
        for number, layer in enumerate(network.layers):
            own = dict(layer.named_parameters())
            pairs = [*zip(names, linears[number * 6 :], strict=False)]
            pairs += [*zip(("attention_norm", "norm"), norms[number * 2 :], strict=False)]
            for name, (weight, bias) in pairs:
                own[f"{name}.weight"].copy_(torch.tensor(weight))
                own[f"{name}.bias"].copy_(torch.tensor(bias))
