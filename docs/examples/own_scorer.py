import tupelo
from tupelo.scorers import SCORERS, Score


class SameCount:
    """Asks for as many tuples per sentence as gold has."""

    name = "same-count"
    gold_format = "carb"

    def options(self):
        return {}

    def evaluate(self, gold, predicted):
        self.units, self.counts = ["all"], (len(list(gold)), len(list(predicted)))
        return self

    def score(self, weights=None):
        gold, found = self.counts
        recall, precision = min(1.0, found / gold), min(1.0, gold / found)
        figures = {"precision": precision, "recall": recall, "f1": min(precision, recall), "auc": None}
        return Score(scorer=self.name, gold=gold, predicted=found, **figures)


SCORERS.register("same-count", SameCount)
print(tupelo.score("same-count", "gold.tsv", "eager.tsv"))
