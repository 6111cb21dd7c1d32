"""A project from Python: make it, add items, invite people, and read what they answered."""

import tempfile
from pathlib import Path

import tupelo

folder = Path(tempfile.mkdtemp())
sentences = folder / "sentences.txt"
sentences.write_text("Ann met Bob.\nDogs bark.\n", encoding="utf-8")

with tupelo.annotation.AnnotationProject.create(folder / "birds", "tuples", items=[sentences], overlap=2) as project:
    print(project.files())
    print("new, known:", project.add(sentences))
    (link,) = project.invite("annotator", url="https://annotate.example.org")
    print(link.rpartition("/")[0])
    print(project.export(format="tab").rows, "tuples so far")
    print(project.agreement())
