"""Datasets and models of your own: training examples from articles, fact models, encoders."""

from tupelo.api.facts import (
    FactDatasetOptions,
    FactTrainingOptions,
    TripleDatasetOptions,
    build_fact_dataset,
    build_triple_dataset,
    train_facts,
)
from tupelo.api.pretraining import PretrainingOptions, pretrain_encoder
from tupelo.api.resources import RunOptions

__all__ = [
    "FactDatasetOptions",
    "FactTrainingOptions",
    "PretrainingOptions",
    "RunOptions",
    "TripleDatasetOptions",
    "build_fact_dataset",
    "build_triple_dataset",
    "pretrain_encoder",
    "train_facts",
]


def __dir__() -> list[str]:
    return __all__
