# Everything runs in a virtual environment beside the code; no step needs a hand.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# Stamp files, so that an unchanged pyproject.toml installs nothing again: the package, and what developers need.
READY  := $(VENV)/.ready
TOOLS  := $(VENV)/.tools
JOBS   ?= auto

.PHONY: demo test bench bench-nlp lint docs clean

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable ".[plot]"
	touch $@

$(TOOLS): $(READY)
	$(BIN)/python -m pip install --quiet --editable ".[plot,llm,train,transformers,cliques,scale,documents,spark,rdf,annotate]" --group test --group lint --group docs
	touch $@

demo: $(READY)          ## extract from a bundled text, draw its graph; score a bundled example
	$(BIN)/python -m tupelo demo --output demo-output

test: $(TOOLS) lint     ## everything that CI runs
	$(BIN)/python -m pytest --numprocesses $(JOBS)

lint: $(TOOLS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/vulture

docs: $(TOOLS)          ## the site, into site/
	$(BIN)/python docs/generate.py
	$(BIN)/zensical build --strict

bench: $(TOOLS)         ## speed as ratios to a plain baseline, in one run
	$(BIN)/python -m benchmarks.score_carb
	$(BIN)/python -m benchmarks.extract

bench-nlp: $(TOOLS)     ## accuracy and speed of the shipped parser; SPACY=FOLDER compares with en_core_web_md
	$(BIN)/python -m benchmarks.nlp $(if $(SPACY),--teacher $(SPACY))
	$(BIN)/python -m benchmarks.nlp_speed $(if $(SPACY),--spacy $(SPACY))

clean:
	rm -rf $(VENV) site demo-output .pytest_cache .mypy_cache .ruff_cache
