# Everything a contributor runs. Needs Python 3.11 or newer, pip and make; the rest is set up here.
#
#   make play GAME=roma ARGS="--seed 7"
#   make test ARGS="-k grammar -n 0"
#   make fuzz MINUTES=60
#   make check PYTHON=python3.13 VENV=.venv-3.13

PYTHON ?= python3
VENV ?= .venv
GAME ?= roma
ARGS ?=
MINUTES ?= 10
LOCK_ARGS ?=

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
LOCK_VENV := .venv-lock
BENCH_VENV := .venv-bench
DOCS_VENV := .venv-docs

.DEFAULT_GOAL := help
.PHONY: help setup play test test-slow services test-services page-types check fuzz bench docs format tables lock clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(VENV)/.installed ## create or refresh the environment; the other commands do this too

play: setup ## play GAME in a browser; with ARGS="...", or where there is no screen, in the terminal
	@if [ -z '$(ARGS)' ] && [ -t 1 ] && { [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || [ "$$(uname)" = Darwin ]; }; \
	then $(BIN)/rulewright serve $(GAME); \
	else $(BIN)/rulewright play $(GAME) $(ARGS); fi

test: setup ## run the tests but the slow and the long ones; ARGS="-m long" runs those, ARGS="-m ''" all
	$(BIN)/python -m pytest $(ARGS)

test-slow: setup ## run the tests that take seconds each, tests/slow.txt
	$(BIN)/python -m pytest -m "slow and not (long or browser or postgresql)" $(ARGS)

services: setup ## install Chromium, PostgreSQL and pyarrow, which some tests need
	tools/services
	$(PIP) install --quiet "pyarrow>=18"

test-services: setup ## run the tests that need Chromium, PostgreSQL or pyarrow
	$(BIN)/python -m pytest -m "(browser or postgresql or parquet) and not long" $(ARGS)

page-types: setup ## check the types of the pages with TypeScript; needs npm
	$(BIN)/python tools/check_page.py

check: setup ## all that must hold before a change lands: format, lint, types, imports, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m pytest -m "not (long or browser or postgresql)"

fuzz: setup ## try inputs at random: MINUTES=60, ARGS="rulesets lockstep --seed 7"
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES) $(ARGS)

bench: $(BENCH_VENV)/.installed ## measure beside the peers, in an environment of its own; ARGS="--help"
	$(BENCH_VENV)/bin/python -m benchmarks $(ARGS)

docs: setup $(DOCS_VENV)/.installed ## build the documentation as a site in build/site; ARGS="--games pig"
	$(BIN)/python tools/site.py $(ARGS)
	NO_MKDOCS_2_WARNING=1 $(DOCS_VENV)/bin/mkdocs build --quiet

format: setup ## format the code and mend what the linter can mend
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

tables: setup ## write the parser's tables anew, after a change of dsl/rules.lark or of Lark
	$(BIN)/python -m pytest -n 0 --bless tests/spec/test_tables.py

lock: ## write requirements.lock from pyproject.toml; LOCK_ARGS=--upgrade takes newer releases
	$(PYTHON) -m venv --clear $(LOCK_VENV)
	$(LOCK_VENV)/bin/python -m pip --disable-pip-version-check install --quiet uv
	$(LOCK_VENV)/bin/uv pip compile pyproject.toml --extra dev --universal --fork-strategy fewest \
		--python-version 3.11 --generate-hashes --quiet --output-file requirements.lock $(LOCK_ARGS)
	rm -rf $(LOCK_VENV)

clean: ## remove the environment and everything that can be made again
	rm -rf $(VENV) $(LOCK_VENV) $(BENCH_VENV) $(DOCS_VENV) build dist benchmarks/build benchmarks/c/build
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find dsl interpreter validators rulewright tests -name __pycache__ -prune -exec rm -rf {} +

# The environment comes in two steps, so that an edit of pyproject.toml does not fetch everything
# again. A new lock starts from an empty environment: what it no longer names is really gone.

$(VENV)/.locked: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Rulewright needs Python 3.11 or newer: make PYTHON=python3.12" >&2; exit 1; }
	@if $(PYTHON) -c 'import ensurepip' 2>/dev/null; then \
		echo "$(PYTHON) -m venv --clear $(VENV)"; \
		$(PYTHON) -m venv --clear $(VENV); \
	else \
		echo "$(PYTHON) -m venv --clear --without-pip $(VENV)"; \
		$(PYTHON) -m venv --clear --without-pip $(VENV) \
			&& $(PYTHON) -m pip --python $(BIN)/python install --quiet pip; \
	fi
	$(PIP) install --quiet --require-hashes --requirement requirements.lock
	@touch $@

$(VENV)/.installed: $(VENV)/.locked pyproject.toml
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@$(PIP) check
	$(BIN)/python -m compileall -q dsl interpreter validators rulewright
	@touch $@

# What builds the site is needed for nothing else.

$(DOCS_VENV)/.installed: docs/requirements.txt
	$(PYTHON) -m venv --clear $(DOCS_VENV)
	$(DOCS_VENV)/bin/python -m pip --disable-pip-version-check install --quiet --requirement $<
	@touch $@

# The peers that the benchmarks measure are many and large; nothing else needs them.

$(BENCH_VENV)/.installed: requirements.lock benchmarks/requirements.txt pyproject.toml
	$(PYTHON) -m venv --clear $(BENCH_VENV)
	$(BENCH_VENV)/bin/python -m pip --disable-pip-version-check install --quiet \
		--require-hashes --requirement requirements.lock
	$(BENCH_VENV)/bin/python -m pip --disable-pip-version-check install --quiet \
		--requirement benchmarks/requirements.txt
	$(BENCH_VENV)/bin/python -m pip --disable-pip-version-check install --quiet \
		--no-deps --no-build-isolation --editable .
	@touch $@
