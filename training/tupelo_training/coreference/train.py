"""Teachers that read across sentences, what they say about unlabelled text, and heads for the frozen encoder.

    python -m tupelo_training.coreference.train --documents documents.npz --encoder FOLDER --bases reader.npz \
        --shipped shipped.npz --output run/ --teachers 3 --size 8 --teacher-seconds 35 --student-seconds 22

Needs numpy and torch only. Figures on documents that are kept aside are printed for every network.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from tupelo.nlp.coreference import _LEAST_SHARE, _entities
from tupelo_training.coreference.frozen import FrozenEncoder
from tupelo_training.coreference.network import WIDTH, Teacher
from tupelo_training.coreference.table import PRONOUNS, Batch, Documents, Tables, frozen_vectors
from tupelo_training.loop import Clock, Optimization, cosine, grouped, training_device
from tupelo_training.options import option_parser
from tupelo_training.parser.chains import LEARNT, UNKNOWN
from tupelo_training.parser.model import Chains, ChainShape
from tupelo_training.weights import read_weights, write_parts

GOLD = ("gum-train", "litbank", "gap", "worlds", "filled")
ASIDE = ("gum-dev", "litbank-dev", "gap-dev", "worlds-dev")
SHAPES = 16
LARGEST = 14 << 20  # of one file of weights


@dataclass(frozen=True, slots=True)
class Setting:
    """A student: its shape, and how much gold answers, teachers and pronouns count; `both`: also the shipped head.

    Gold documents are those that the encoder was trained on, so its vectors know too much there.
    """

    name: str
    shape: ChainShape
    gold: float = 0.5
    taught: float = 0.25
    raw: float = 1.0
    pronouns: float = 2.0
    dropout: float = 0.33
    rate: float = 4e-4
    seed: int = 1
    both: bool = True


OWN, GOVERNED = ChainShape(WIDTH), ChainShape(2 * WIDTH)
SETTINGS = (
    Setting("own", OWN),
    Setting("own-high", OWN, rate=1e-3),
    Setting("governed", GOVERNED),
    Setting("governed-gold", GOVERNED, gold=1.0, raw=0.5),
    Setting("own-low", OWN, gold=0.2, rate=2e-4),
    Setting("own-teachers", OWN, both=False),
)


def logs(scores: Tensor, counted: Tensor, alone: Tensor) -> Tensor:
    """Log-probabilities of nothing and of every candidate."""
    nothing = torch.zeros_like(scores[..., :1]).masked_fill(alone[..., None] == 0, -1e4)
    return torch.cat((nothing, scores.masked_fill(~counted, -1e4)), -1).log_softmax(-1)


def gold_costs(scores: Tensor, batch: Batch) -> Tensor:
    """For every mention, the negative log-likelihood of all right answers together."""
    likely = logs(scores, batch.open, batch.alone)
    accepted = torch.cat((~batch.right.any(-1, keepdim=True), batch.right), -1)
    return -likely.masked_fill(~accepted, -1e4).logsumexp(-1)


def weights_of(batch: Batch, pronouns: float) -> Tensor:
    """How much each mention counts: pronouns more, and those of GAP, of which a text has only one, most."""
    kinds = batch.kinds.long()
    is_pronoun = sum((kinds == kind).float() for kind in PRONOUNS)
    return (1 + (pronouns - 1) * is_pronoun) * (1 + 3 * batch.refers)


def taught_loss(scores: Tensor, wanted: Tensor, batch: Batch, pronouns: float) -> Tensor:
    likely = logs(scores, batch.there, torch.ones_like(batch.alone))
    weight = weights_of(batch, pronouns) * (batch.document >= 0)
    return -((wanted * likely).sum(-1) * weight).sum() / weight.sum()


def gold_loss(scores: Tensor, batch: Batch, pronouns: float) -> Tensor:
    weight = batch.learnt * weights_of(batch, pronouns)
    return (gold_costs(scores, batch) * weight).sum() / weight.sum().clamp(min=1)


Scores = Callable[[Batch], Tensor]


class Judge:
    """Figures on the documents that are kept aside."""

    def __init__(self, documents: Documents, processes: int) -> None:
        self.documents = documents
        self.tables = {source: Tables(documents, (source,), whole=True, processes=processes) for source in ASIDE}

    @torch.no_grad()
    def figures(self, networks: Sequence[Scores]) -> dict[str, dict[str, float]]:
        """Of the mean of the probabilities of the networks."""
        return {source: self._of(source, tables, networks) for source, tables in self.tables.items()}

    def _of(self, source: str, tables: Tables, networks: Sequence[Scores]) -> dict[str, float]:
        counts: dict[str, float] = {}

        def add(**values: float) -> None:
            for name, value in values.items():
                counts[name] = counts.get(name, 0.0) + float(value)

        for number, group in enumerate(tables.groups):
            batch = tables.single(number)
            scores = [network(batch).float() for network in networks]
            ones = torch.ones_like(batch.alone)
            shares = torch.stack([logs(one, batch.there, ones).exp() for one in scores]).mean(0)[0]
            costs = torch.stack([(-gold_costs(one, batch)).exp() for one in scores]).mean(0).clamp(min=1e-9).log()[0]
            third = sum((batch.kinds[0] == kind).float() for kind in PRONOUNS) * batch.learnt[0]
            add(cost=-(costs * third).sum(), asked=third.sum())
            add(all_cost=-(costs * batch.learnt[0]).sum(), all_asked=batch.learnt[0].sum())
            found = shares[:, 1:].cpu().numpy()
            places = batch.pairs[0].long().cpu().numpy()
            start = 0
            for part, _ in group:
                size = len(part.document.mentions)
                links = [
                    [
                        (int(places[row, c]) - start, float(found[row, c]))
                        for c in np.flatnonzero(found[row] > _LEAST_SHARE)
                    ]
                    for row in range(start, start + size)
                ]
                chosen = np.array([entity for entity, _ in _entities(links, part.document.mentions)])
                add(**self._measured(part.number, chosen))
                start += size
        result = {"pronoun cost": counts["cost"] / max(counts["asked"], 1)}
        result["cost"] = counts["all_cost"] / max(counts["all_asked"], 1)
        if "muc_p_all" in counts:
            precision = counts["muc_p"] / max(counts["muc_p_all"], 1)
            recall = counts["muc_r"] / max(counts["muc_r_all"], 1)
            result["muc"] = 200 * precision * recall / max(precision + recall, 1e-9)
        if "counted" in counts:
            result |= {"recall": 100 * counts["right"] / max(counts["counted"], 1)}
            result |= {"precision": 100 * counts["right"] / max(counts["resolved"], 1)}
            result |= {"over all": 100 * counts["right_of_all"] / max(counts["resolved_of_all"], 1)}
        if "gap_right" in counts:
            precision = counts["gap_right"] / max(counts["gap_found"], 1)
            recall = counts["gap_right"] / max(counts["gap_all"], 1)
            result["gap"] = 200 * precision * recall / max(precision + recall, 1e-9)
        return {name: round(value, 3) for name, value in result.items()}

    def _measured(self, number: int, chosen: np.ndarray) -> dict[str, float]:
        document, answer = self.documents.documents[number], self.documents.measured.get(str(number), {})
        if "gap" in answer:
            return _gap(answer["gap"], chosen)
        known = document.entity != UNKNOWN if (document.purpose != LEARNT).any() else np.ones(len(chosen), bool)
        gold = np.where(document.entity == UNKNOWN, -2 - np.arange(len(chosen)), document.entity)
        right_p, all_p = _links(chosen[known], gold[known])
        right_r, all_r = _links(gold[known], chosen[known])
        counts = {"muc_p": right_p, "muc_p_all": all_p, "muc_r": right_r, "muc_r_all": all_r}
        return counts | (_named(answer, chosen) if "pronouns" in answer else {})


def _links(key: np.ndarray, other: np.ndarray) -> tuple[float, float]:
    right = total = 0
    for value in np.unique(key):
        parts = other[key == value]
        right, total = right + len(parts) - len(np.unique(parts)), total + len(parts) - 1
    return right, total


def _gap(answer: dict[str, Any], chosen: np.ndarray) -> dict[str, float]:
    own, counts = answer["own"], {"gap_right": 0, "gap_found": 0, "gap_all": 0}
    for side in "AB":
        found = own >= 0 and any(chosen[n] == chosen[own] and n != own for n in answer[side])
        meant = side in answer["meant"]
        counts["gap_right"] += found and meant
        counts["gap_found"] += found
        counts["gap_all"] += meant
    return {name: float(value) for name, value in counts.items()}


def _named(answer: dict[str, Any], chosen: np.ndarray) -> dict[str, float]:
    counts = dict.fromkeys(("counted", "resolved", "right", "resolved_of_all", "right_of_all"), 0.0)
    starts = answer["starts"]
    for _, is_counted, own, right in answer["pronouns"]:
        counts["counted"] += is_counted
        if own < 0:
            continue
        names = [n for n in answer["named"] if n != own and chosen[n] == chosen[own]]
        before = [n for n in names if starts[n] < starts[own]]
        if not names:
            continue
        best = max(before, key=lambda n: starts[n]) if before else min(names, key=lambda n: starts[n])
        counts["resolved_of_all"] += 1
        counts["right_of_all"] += best in right
        counts["resolved"] += is_counted
        counts["right"] += is_counted and best in right
    return counts


def shuffled(count: int, size: int, seed: int, device: torch.device) -> Iterator[Tensor]:
    random = np.random.default_rng(seed)
    while True:
        order = random.permutation(count)
        order = np.resize(order, max(size, count))
        for start in range(0, len(order) - size + 1, size):
            yield torch.from_numpy(order[start : start + size]).to(device)


def cast(device: torch.device) -> Any:
    return torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda")


class Training:
    """Documents on the device, teachers, and students."""

    def __init__(self, options: Any) -> None:
        self.options, self.device = options, training_device()
        torch.set_float32_matmul_precision("high")
        self.started = time.monotonic()
        self.documents = Documents(options.documents, options.most)
        self.gold = Tables(self.documents, GOLD, processes=options.processes)
        self.raw = Tables(self.documents, ("raw",), processes=options.processes)
        self.judge = Judge(self.documents, options.processes)
        for tables in (self.gold, self.raw, *self.judge.tables.values()):
            tables.move(self.device)
        self.say("tables", gold=self.gold.count, raw=self.raw.count)
        self.vectors = frozen_vectors(
            self.documents,
            FrozenEncoder(options.encoder, self.device),
            self.device,
            400_000 if options.big else 4_000,
        )
        self.say("vectors", mentions=len(self.vectors))

    def say(self, name: str, **values: Any) -> None:
        print(name, round(time.monotonic() - self.started), json.dumps(values), flush=True)

    def teacher(self, number: int) -> Teacher:
        """A teacher, trained on gold alone."""
        options = self.options
        torch.manual_seed(number)
        base = read_weights(options.bases[number % len(options.bases)])
        model = Teacher(base, SHAPES, options.layers).to(self.device)
        groups = grouped(
            (name, value, self._rate(name)) for name, value in model.named_parameters() if value.requires_grad
        )
        own = [value for value in model.parameters() if value.requires_grad]
        optimization = Optimization(groups, own, clip=1.0)
        clock = Clock(options.steps, options.teacher_seconds)
        losses = []
        for chosen in shuffled(self.gold.count, options.size, number, self.device):
            progress = min(1.0, clock.progress)
            if progress >= 1:
                break
            batch = self._hidden(self.gold.batch(chosen))
            with cast(self.device):
                scores = model(batch.text, *batch.ends, batch.rest)
            loss = gold_loss(scores.float(), batch, 2.0)
            optimization.backward(loss)
            clock.step += 1
            optimization.step(cosine(progress), min(0.998, (1 + clock.step) / (10 + clock.step)))
            losses.append(loss.detach())
            if clock.step % 20 == 0 and self.device.type == "cuda":
                torch.cuda.synchronize()
        optimization.mean.swap()
        model.eval()
        self.say(f"teacher {number}", steps=clock.step, loss=float(torch.stack(losses[-50:]).mean()))
        return model

    def _rate(self, name: str) -> float:
        if not name.startswith("layers."):
            return 5e-4
        return float(self.options.rate * 0.9 ** (self.options.layers - 1 - int(name.split(".")[1])))

    def _hidden(self, batch: Batch) -> Batch:
        """Some subwords hidden, some rows in small letters."""
        hidden = torch.rand(batch.pieces.shape, device=self.device) < 0.06
        pieces = batch.pieces.masked_fill(hidden & (batch.places > 0), 103)
        return replace(batch, pieces=pieces)

    def scores_of(self, model: Teacher) -> Scores:
        def scores(batch: Batch) -> Tensor:
            with cast(self.device):
                return model(batch.text, *batch.ends, batch.rest).float()

        return scores

    @torch.no_grad()
    def labels(self, networks: Sequence[Scores], tables: Tables) -> Tensor:
        """`[groups, mentions, 1 + candidates]`: mean probabilities, of nothing first."""
        found = []
        for start in range(0, tables.count, 4):
            batch = tables.batch(torch.arange(start, min(start + 4, tables.count), device=self.device))
            one = torch.ones_like(batch.alone)
            shares = [logs(network(batch), batch.there, one).exp() for network in networks]
            found.append(torch.stack(shares).mean(0).half())
        return torch.cat(found)

    def student(self, setting: Setting, wanted: Mapping[str, Tensor]) -> Chains:
        torch.manual_seed(setting.seed)
        model = self.begun(setting.shape, setting.dropout)
        groups = grouped((name, value, setting.rate) for name, value in model.named_parameters())
        optimization = Optimization(groups, [*model.parameters()], clip=5.0)
        clock = Clock(self.options.steps, self.options.student_seconds)
        size = self.options.student_size
        gold = shuffled(self.gold.count, size, setting.seed, self.device)
        raw = shuffled(self.raw.count, size, setting.seed + 50, self.device) if self.raw.count else None
        while True:
            progress = min(1.0, clock.progress)
            if progress >= 1:
                break
            chosen = next(gold)
            batch = self.gold.batch(chosen)
            scores = self.head_scores(model, setting.shape, batch)
            loss = setting.gold * gold_loss(scores, batch, setting.pronouns)
            if setting.taught:
                taught = taught_loss(scores, wanted["gold"][chosen].float(), batch, setting.pronouns)
                loss = loss + setting.taught * taught
            if setting.raw and raw is not None:
                chosen = next(raw)
                batch = self.raw.batch(chosen)
                scores = self.head_scores(model, setting.shape, batch)
                loss = loss + setting.raw * taught_loss(
                    scores, wanted["raw"][chosen].float(), batch, setting.pronouns
                )
            optimization.backward(loss)
            clock.step += 1
            optimization.step(cosine(progress), min(0.999, (1 + clock.step) / (10 + clock.step)))
            if clock.step % 20 == 0 and self.device.type == "cuda":
                torch.cuda.synchronize()
        optimization.mean.swap()
        model.eval()
        self.say(f"student {setting.name}", steps=clock.step, loss=float(loss.detach()), setting=asdict(setting))
        return model

    def begun(self, shape: ChainShape, dropout: float = 0.0) -> Chains:
        """The shipped head; vectors that it does not know yet count for nothing."""
        model = Chains(shape, dropout)
        with np.load(self.options.shipped) as file:
            arrays = {name: torch.from_numpy(file[name].astype(np.float32)) for name in file.files}
        with torch.no_grad():
            known = arrays["enter.weight"]
            arrays["enter.weight"] = torch.zeros_like(model.enter.weight)
            arrays["enter.weight"][:, : known.shape[1]] = known
        model.load_state_dict(arrays)
        return model.to(self.device)

    def head_scores(self, model: Chains, shape: ChainShape, batch: Batch) -> Tensor:
        vectors = self.vectors[batch.index].flatten(2)[:, :, : shape.inputs]
        with cast(self.device):
            return model(vectors, *batch.rest).float()  # type: ignore[no-any-return]


def arrays_of(model: Chains, setting: Setting) -> dict[str, np.ndarray]:
    arrays = {name: value.detach().cpu().half().numpy() for name, value in model.state_dict().items()}
    return {f"{setting.name}/{name}": value for name, value in arrays.items()}


def main() -> None:
    parser = option_parser(__doc__, "documents", "encoder", "shipped", "output")
    parser.add_argument("--bases", type=Path, nargs="+", required=True, help="what teachers begin with, in turn")
    parser.add_argument("--teachers", type=int, default=4)
    parser.add_argument("--teacher-seconds", type=float, default=1e9)
    parser.add_argument("--student-seconds", type=float, default=1e9)
    parser.add_argument("--steps", type=int, default=1 << 20)
    parser.add_argument("--size", type=int, default=6, help="groups in a batch of teachers")
    parser.add_argument("--student-size", type=int, default=24)
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--settings", nargs="*", help="only these")
    parser.add_argument("--most", type=int, help="documents of each source, for a try")
    parser.add_argument("--deadline", type=float, default=1e9, help="no student is begun after so many seconds")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--small", dest="big", action="store_false", help="little memory")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    training = Training(options)
    teachers: list[Teacher] = []
    for number in range(options.teachers):
        teachers.append(training.teacher(number))
        training.say("figures", of=number, **training.judge.figures([training.scores_of(teachers[-1])]))
    shipped = training.begun(OWN).eval()
    taught = list(map(training.scores_of, teachers))
    both = [*taught, *[lambda batch: training.head_scores(shipped, OWN, batch)] * max(1, len(taught))]
    for name, networks in (("shipped", both[-1:]), ("teachers", taught), ("both", both)):
        training.say("figures", of=name, **training.judge.figures(networks))
    wanted = {
        is_both: {"gold": training.labels(networks, training.gold), "raw": training.labels(networks, training.raw)}
        for is_both, networks in ((False, taught), (True, both))
    }
    training.say("labels")
    del teachers, taught, both
    students: dict[str, np.ndarray] = {}
    for setting in SETTINGS:
        if time.monotonic() - training.started > options.deadline:
            break
        if not options.settings or setting.name in options.settings:
            model = training.student(setting, wanted[setting.both])
            training.say(
                "figures",
                of=setting.name,
                **training.judge.figures([lambda batch, m=model, s=setting.shape: training.head_scores(m, s, batch)]),
            )
            students |= arrays_of(model, setting)
            write_parts(students.items(), options.output, "students", LARGEST)


if __name__ == "__main__":
    main()
