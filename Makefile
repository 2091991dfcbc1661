# Every target works on a fresh machine with Python 3.11 or later and make: the stamp below builds .venv from
# constraints.txt first, so that today's install is tomorrow's.

SHELL := /bin/bash
.DEFAULT_GOAL := help

# the first interpreter that is new enough; PYTHON=... chooses another
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
STAMP := .venv/.installed

# real documents are used where they lie beside the checkout; without them their tests are skipped, by name
PDFDOCKET_CORPUS ?= $(abspath $(wildcard ../shared/corpus))
PDFDOCKET_CASES ?= $(abspath $(wildcard ../shared/cases))
export PDFDOCKET_CORPUS PDFDOCKET_CASES

DEMO_BUILT := fixtures/built/standard.pdf
DOCUMENT ?= $(DEMO_BUILT)
QUESTION ?= What are all the Categories under DIRECT, and which one covers supplier risk?
DEMO_RECORD := .pdfdocket/demo.json
PYTEST := $(BIN)/python -m pytest

.PHONY: help demo test lint coverage bench soak goldens docs clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(STAMP): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "pdfdocket needs Python 3.11 or later: make PYTHON=/path/to/python3.11"; exit 2; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt hatchling editables
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --no-build-isolation -e '.[dev]'
	@touch $@

$(DEMO_BUILT): $(STAMP) $(wildcard fixtures/*.py fixtures/texts/*)
	$(BIN)/python -m fixtures.build fixtures/built standard harbour

# through the environment, so that a question may hold any quotes; "not found" (exit code 1) is an answer too
demo: export DEMO_DOCUMENT = $(DOCUMENT)
demo: export DEMO_QUESTION = $(QUESTION)
demo: $(STAMP) ## ask a question of a PDF: the plan, the cited answer, the record (DOCUMENT=, QUESTION=)
	@if [ "$$DEMO_DOCUMENT" = $(DEMO_BUILT) ]; then $(MAKE) --no-print-directory $(DEMO_BUILT); fi
	$(BIN)/pdfdocket plan "$$DEMO_DOCUMENT" "$$DEMO_QUESTION"
	$(BIN)/pdfdocket ask "$$DEMO_DOCUMENT" "$$DEMO_QUESTION" --out $(DEMO_RECORD) || test $$? -eq 1
	$(BIN)/pdfdocket show $(DEMO_RECORD)

test: $(STAMP) ## run the tests (not the soak and not the bench)
	$(PYTEST) -n 2 --dist loadfile -m "not soak and not bench"

lint: $(STAMP) ## style, types, import contracts and house rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(PYTEST) -q tests/house

coverage: $(STAMP) ## branch coverage: 100 % where the product decides, 90 % elsewhere
	rm -f .coverage .coverage.*
	@# processes that tests start elsewhere write what they covered here
	COVERAGE_FILE="$(CURDIR)/.coverage" $(PYTEST) -q -n 2 --dist loadfile -m "not soak and not bench" --cov --cov-report=
	$(BIN)/coverage report --fail-under=90
	$(BIN)/coverage report --fail-under=100 \
		--include='pipeline/decide.py,pipeline/loop/*,pipeline/policy/*,pipeline/audit/*'

bench: $(STAMP) ## ratios of whole processes, measured in one run
	$(PYTEST) -q -s -m bench tests

soak: $(STAMP) ## every promise in full measure; minutes
	PDFDOCKET_HYPOTHESIS=soak $(PYTEST) -n 2 --dist loadfile -m soak

goldens: $(STAMP) ## run the golden questions again and show what changed
	$(PYTEST) -q tests/golden --goldens=write
	git --no-pager diff --stat -- fixtures/golden

docs: $(STAMP) ## write the generated pages and the catalogue of rules again, and show what changed
	$(BIN)/python -m docs.generate
	git --no-pager diff --stat -- docs rules/README.md

clean: ## remove everything that a target made
	rm -rf .venv build dist fixtures/built .pdfdocket .coverage .coverage.* htmlcov
	rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
