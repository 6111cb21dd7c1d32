"""Checkpoints for the package `transformers`, as far as they are on this machine."""

from __future__ import annotations

import os


def checkpoint_folder(place: str) -> str:
    """`place` itself if it is a folder, else the folder of the model of that name in the hub's cache.

    Given a name, `transformers` asks the hub even when told to use local files only; given a folder, it asks nobody.
    Raises `OSError` or `ValueError` when there is neither.
    """
    if os.path.isdir(place):
        return place
    from huggingface_hub import snapshot_download

    return str(snapshot_download(place, local_files_only=True))
