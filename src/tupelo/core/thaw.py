"""Frozen objects that are quick to make.

A frozen dataclass sets every field through `object.__setattr__`, which takes
four times as long as plain assignment; with millions of tuples that is most of
the time of reading a file. So the classes that come in millions write out their
`__init__`: the new object takes the class of an unfrozen twin with the same
slots, gets its fields, and takes its own class back.
"""

from __future__ import annotations

# Called as `thaw(self, "__class__", Twin)`. Not wrapped in a function, which would cost as much as it saves.
thaw = object.__setattr__
