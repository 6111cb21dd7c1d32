"""Datasets and models of your own: training examples from articles, fact models, encoders."""

from tupelo.api.resources import RunOptions
from tupelo_training.calls import (
    FactDatasetOptions,
    FactTrainingOptions,
    PretrainingOptions,
    TripleDatasetOptions,
    build_fact_dataset,
    build_triple_dataset,
    pretrain_encoder,
    train_facts,
)

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
__dir__ = __all__.copy
