# Everything runs in a virtual environment beside the code; no step needs a hand.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# Stamp files, so that an unchanged pyproject.toml installs nothing again: the package, and what developers need.
READY  := $(VENV)/.ready
TOOLS  := $(VENV)/.tools
# A plain install, made anew by each `make test-core` for the interpreter that is asked for.
CORE   := .venv-core
JOBS   ?= auto
# LOCK=requirements-dev.lock installs exactly the versions and files of the lock; only torch comes from elsewhere.
LOCK   ?=
# Where Python may not keep what it has compiled, each of the hundreds of processes of a test run compiles the package anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test pytest quick test-core dist bench bench-nlp bench-splitting bench-coref bench-judged bench-marks bench-hostile lint lock docs sbom release clean

$(READY): pyproject.toml $(LOCK)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(if $(LOCK),$(BIN)/python -m pip install --quiet --require-hashes --requirement $(LOCK))
	$(BIN)/python -m pip install --quiet --editable ".[plot,serve]"
	touch $@

$(TOOLS): $(READY) $(wildcard packages/*/pyproject.toml)
	$(BIN)/python -m pip install --quiet $(addprefix --editable ,$(wildcard packages/*)) --editable ".[facts,ask,plot,llm,train,transformers,cliques,scale,documents,spark,rdf,serve,annotate,mcp,spacy,pandas,datasets,langchain,llama-index,neo4j-graphrag,networkx]" --group test --group frameworks --group lint --group docs --group release --group dist
	touch $@

demo: $(READY)          ## extract from a bundled text, draw its graph; score a bundled example
	$(BIN)/python -m tupelo demo --output demo-output

test: $(TOOLS)          ## everything that CI runs; lint side by side with the tests
	$(MAKE) --jobs 2 --output-sync=target lint pytest

# One process more than there are cores: a third of the time of a test is waiting for other programs, sockets and disks.
pytest: JOBS = $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
pytest: $(TOOLS)
	$(BIN)/python -m pytest --numprocesses $(JOBS) --dist worksteal

quick: $(TOOLS)         ## tests without shipped models, other processes, browser, torch or Spark: below two minutes
	$(BIN)/python -m pytest --numprocesses $(JOBS) --quick

test-core:              ## what a plain install can run, e.g. make test-core PYTHON=python3.13
	$(PYTHON) -m venv --clear $(CORE)
	$(CORE)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(CORE)/bin/python -m pip install --quiet --editable . --group core-test
	$(CORE)/bin/python -m pytest --numprocesses $(JOBS)

lint: $(TOOLS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
	$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-forms $(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml))
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows $(wildcard .github/workflows/*.yml)
	$(BIN)/zizmor --quiet --offline --no-progress .github

lock: $(TOOLS)          ## newest versions into requirements-dev.lock
	$(BIN)/python -m tools.lock

sbom: $(TOOLS)          ## the bill of materials of the wheels in dist/
	$(BIN)/python -m tools.sbom

release: $(TOOLS)       ## check, build, bill of materials, tag; nothing is pushed. DRY_RUN=1 only checks
	$(BIN)/python -m tools.release make $(if $(DRY_RUN),--dry-run)

docs: $(TOOLS)          ## the site, into site/
	$(BIN)/python docs/generate.py
	$(BIN)/zensical build --strict

dist: $(TOOLS)          ## all wheels and sdists, into dist/; built, checked, installed and used in an empty environment
	$(BIN)/python -m tools.dist

bench: $(TOOLS)         ## speed as ratios to a plain baseline, in one run
	$(BIN)/python -m benchmarks.score_carb
	$(BIN)/python -m benchmarks.extract

bench-nlp: $(TOOLS)     ## accuracy and speed of the shipped parser; SPACY=FOLDER compares with en_core_web_md
	$(BIN)/python -m benchmarks.nlp $(if $(SPACY),--teacher $(SPACY))
	$(BIN)/python -m benchmarks.nlp_speed $(if $(SPACY),--spacy $(SPACY))

bench-coref: $(TOOLS)   ## coreference of the shipped parser on GUM and GAP; PART=dev for GUM's development part
	$(BIN)/python -m benchmarks.coref $(if $(PART),--part $(PART))

bench-judged: $(TOOLS)  ## what readers say of the tuples that are shown, by kind of text, and the calibration of confidences; SPLIT=test for the test part
	$(BIN)/python -m benchmarks.judged$(if $(SPLIT), --split $(SPLIT))

bench-marks: $(TOOLS)   ## negation, modality, reports, beliefs, conditions and questions on 600 sentences
	$(BIN)/python -m benchmarks.marks

bench-splitting: $(TOOLS) ## sentences in raw text: hand-written hard cases and two treebanks
	$(BIN)/python -m benchmarks.splitting

bench-hostile: $(TOOLS) ## 20,000 hostile texts and files over all readers, text functions and commands
	$(BIN)/python -m benchmarks.hostile

clean:
	rm -rf $(VENV) $(CORE) site dist demo-output .pytest_cache .mypy_cache .ruff_cache
