"""Every tuple format by name. A new format is one new module and one line here."""

from __future__ import annotations

from tupelo.core import Registry
from tupelo.io.formats.base import ALL_FIELDS, FIELDS, BinaryFormat, Format, TextFormat

FORMATS: Registry[Format] = Registry(
    "format",
    {
        "jsonl": "tupelo.io.formats.jsonl:FORMAT",
        "parquet": "tupelo.io.formats.parquet:FORMAT",
        "tab": "tupelo.io.formats.tab:FORMAT",
        "carb": "tupelo.io.formats.carb:FORMAT",
        "benchmarkgold": "tupelo.io.formats.benchmarkgold:FORMAT",
        "oie2016": "tupelo.io.formats.oie2016:FORMAT",
        "oie2016-orig": "tupelo.io.formats.oie2016_orig:FORMAT",
        "oie2016-conll": "tupelo.io.formats.oie2016_conll:FORMAT",
        "oie2016-snapshot": "tupelo.io.formats.oie2016_snapshot:FORMAT",
        "reoie2016": "tupelo.io.formats.reoie2016:FORMAT",
        "lsoie": "tupelo.io.formats.lsoie:FORMAT",
        "benchie": "tupelo.io.formats.benchie:FORMAT",
        "benchie-gold": "tupelo.io.formats.benchie_gold:FORMAT",
        "wire57": "tupelo.io.formats.wire57:FORMAT",
        "wire57-gold": "tupelo.io.formats.wire57_gold:FORMAT",
        "robust": "tupelo.io.formats.robust:FORMAT",
        "clausie": "tupelo.io.formats.clausie:FORMAT",
        "ollie": "tupelo.io.formats.ollie:FORMAT",
        "openie4": "tupelo.io.formats.openie4:FORMAT",
        "openie5": "tupelo.io.formats.openie5:FORMAT",
        "openie6": "tupelo.io.formats.openie6:FORMAT",
        "minie": "tupelo.io.formats.minie:FORMAT",
        "props": "tupelo.io.formats.props:FORMAT",
        "reverb": "tupelo.io.formats.reverb:FORMAT",
        "stanford": "tupelo.io.formats.stanford:FORMAT",
        "allennlp": "tupelo.io.formats.allennlp:FORMAT",
    },
    aliases={
        # The flags of the 2019 CaRB script.
        "tabbed": "tab",
        "openiefour": "openie4",
        "openiefive": "openie5",
        "benchmarkGold": "benchmarkgold",
    },
)

__all__ = ["ALL_FIELDS", "FIELDS", "FORMATS", "BinaryFormat", "Format", "TextFormat"]
