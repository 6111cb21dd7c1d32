# Everything runs in a virtual environment beside the code; no step needs a hand.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# A stamp file, so that an unchanged pyproject.toml installs nothing again.
READY  := $(VENV)/.ready
JOBS   ?= auto

.PHONY: demo test bench bench-nlp lint docs clean

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable ".[plot,llm,train]" --group test --group lint --group docs
	touch $@

demo: $(READY)          ## extract from a bundled text; score a bundled example, show its errors
	$(BIN)/python -m tupelo demo --output demo-output

test: $(READY) lint     ## everything that CI runs
	$(BIN)/python -m pytest --numprocesses $(JOBS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(READY)          ## the site, into site/
	$(BIN)/python docs/generate.py
	$(BIN)/mkdocs build --strict

bench: $(READY)         ## speed as ratios to a plain baseline, in one run
	$(BIN)/python -m benchmarks.score_carb
	$(BIN)/python -m benchmarks.extract

bench-nlp: $(READY)     ## accuracy and speed of the shipped parser; SPACY=FOLDER compares with en_core_web_md
	$(BIN)/python -m benchmarks.nlp $(if $(SPACY),--teacher $(SPACY))
	$(BIN)/python -m benchmarks.nlp_speed $(if $(SPACY),--spacy $(SPACY))

clean:
	rm -rf $(VENV) site demo-output .pytest_cache .mypy_cache .ruff_cache
