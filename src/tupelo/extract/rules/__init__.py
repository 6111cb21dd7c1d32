"""Tuples by rules on dependency trees, each with the name of the rule that made it."""

from tupelo.extract.rules.candidate import TupleCandidate, candidates
from tupelo.extract.rules.extractor import RuleExtractor, rule_extractor

__all__ = ["RuleExtractor", "TupleCandidate", "candidates", "rule_extractor"]
