"""Datasets and models of your own: training examples from articles, fact models, encoders."""

from tupelo.api.facts import build_fact_dataset, build_triple_dataset, train_facts
from tupelo.api.pretraining import pretrain_encoder

__all__ = ["build_fact_dataset", "build_triple_dataset", "pretrain_encoder", "train_facts"]


def __dir__() -> list[str]:
    return __all__
