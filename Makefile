# `make` alone lists what there is. Everything is installed into .venv; nothing else is touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: help setup demo test check format docs bench clean
.DEFAULT_GOAL := help

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

setup: $(VENV)/.ready ## a virtual environment with Aramis in it

$(VENV)/.ready: pyproject.toml constraints.txt
	@echo "Setting up: a virtual environment in $(VENV) and the packages Aramis needs (about a minute)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Aramis needs Python 3.11 or newer; this is " + sys.version.split()[0])'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) --editable '.[video,test,check]'
	@touch $@

weights: setup
	@$(BIN)/aramis models fetch

demo: setup ## the main job on real photographs; prints the measures and where the report lies
	@$(BIN)/aramis demo

test: weights ## every test
	@$(BIN)/python -m pytest $(PYTEST)

check: setup ## format, lint, types: everything that needs no test run
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy

format: setup ## put the code in form
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

docs: setup ## write the reference pages from the code
	@$(BIN)/python docs/write_reference.py

bench: weights ## speed beside the peers, as ratios (ARAMIS_DATA names the folder of the annotated sets)
	@ARAMIS_DATA=$${ARAMIS_DATA:-../shared/data} $(BIN)/python -m benchmarks

clean: ## take away what make made
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
