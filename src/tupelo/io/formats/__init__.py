"""Every tuple format by name. A new format is one new module and one line here."""

from __future__ import annotations

from tupelo.core import Registry
from tupelo.io.formats.base import ALL_FIELDS, FIELDS, BinaryFormat, Format, TextFormat, sample_bytes

FORMATS: Registry[Format] = Registry(
    "format",
    {
        "jsonl": "tupelo.io.formats.jsonl:FORMAT",
        "parquet": "tupelo.io.formats.parquet:FORMAT",
        "csv": "tupelo.io.formats.csv:FORMAT",
        "tab": "tupelo.io.formats.carb:TAB",
        "carb": "tupelo.io.formats.carb:CARB",
        "benchmarkgold": "tupelo.io.formats.carb:BENCHMARKGOLD",
        "oie2016": "tupelo.io.formats.oie2016:OIE2016",
        "oie2016-orig": "tupelo.io.formats.oie2016:ORIG",
        "oie2016-conll": "tupelo.io.formats.oie2016:FORMAT",
        "oie2016-snapshot": "tupelo.io.formats.oie2016:SNAPSHOT",
        "reoie2016": "tupelo.io.formats.reoie2016:FORMAT",
        "lsoie": "tupelo.io.formats.carb:LSOIE",
        "benchie": "tupelo.io.formats.benchie:BENCHIE",
        "benchie-gold": "tupelo.io.formats.benchie:BENCHIE_GOLD",
        "wire57": "tupelo.io.formats.wire57:WIRE57",
        "wire57-gold": "tupelo.io.formats.wire57:WIRE57_GOLD",
        "robust": "tupelo.io.formats.robust:FORMAT",
        "clausie": "tupelo.io.formats.blocks:CLAUSIE",
        "ollie": "tupelo.io.formats.systems:OLLIE",
        "openie4": "tupelo.io.formats.openie:OPENIE4",
        "openie5": "tupelo.io.formats.openie:OPENIE5",
        "openie6": "tupelo.io.formats.blocks:OPENIE6",
        "minie": "tupelo.io.formats.blocks:MINIE",
        "props": "tupelo.io.formats.systems:PROPS",
        "reverb": "tupelo.io.formats.systems:REVERB",
        "stanford": "tupelo.io.formats.systems:STANFORD",
        "allennlp": "tupelo.io.formats.systems:ALLENNLP",
    },
    aliases={
        # The flags of the 2019 CaRB script.
        "tabbed": "tab",
        "openiefour": "openie4",
        "openiefive": "openie5",
        "benchmarkGold": "benchmarkgold",
    },
)

__all__ = ["ALL_FIELDS", "FIELDS", "FORMATS", "BinaryFormat", "Format", "TextFormat", "sample_bytes"]
