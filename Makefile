# Thin verbs over the commands that do the work. Needs Python 3.11+, git, make and the package registries.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
SHELL := /bin/sh

# The first interpreter that can make a virtual environment; set PYTHON to choose another.
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11 python; do \
	if $$python -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; \
	then echo $$python; break; fi; done)

# Everything below runs on the locked Python, node and command-line tools, whatever the machine has.
export VIRTUAL_ENV := $(CURDIR)/.venv
export PATH := $(CURDIR)/.venv/bin:$(CURDIR)/node_modules/.bin:$(PATH)
export JSII_NODE := $(CURDIR)/.venv/bin/node
export CDK_DISABLE_VERSION_CHECK := true
export CDK_DISABLE_CLI_TELEMETRY := true
unexport PYTHONHOME PYTHONPATH PYTHONDONTWRITEBYTECODE

FOLDER = $(or $(DPD_ENVIRONMENTS),environments)
ENVIRONMENTS = $(sort $(wildcard $(FOLDER)/*.yaml $(FOLDER)/*.yml))
STEP := tools/step
QUICK := tests/unit
PYTHON_READY := .venv/locked
NODE_READY := node_modules/locked

# A checkout that was moved or copied holds programs that point to the old place: set it up again.
ifneq ($(shell cat .venv/locked 2>/dev/null),$(CURDIR))
$(PYTHON_READY): moved
.PHONY: moved
moved:
endif

.PHONY: help setup synth test quick check lint format-check types check-environments format docs bench mutation snapshots \
	lock clean distclean

help: ## list the verbs
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-20s %s\n", $$1, $$2}' Makefile

setup: $(PYTHON_READY) $(NODE_READY) ## create .venv and node_modules from the locks (every verb does it)
	@:

$(PYTHON_READY): requirements.lock pyproject.toml tools/setup.py
	@test -n "$(PYTHON)" || { echo 'set-up: no Python 3.11 or later with venv and ensurepip found on PATH' \
		'(Debian and Ubuntu: install python3-venv); or name one: make PYTHON=/path/to/python3' >&2; exit 1; }
	@$(PYTHON) tools/setup.py python

$(NODE_READY): package.json package-lock.json .npmrc $(PYTHON_READY)
	@.venv/bin/python tools/setup.py node

synth: setup ## check every environment, write cdk.out/ and dist/, check the pair (ARGS=--explain lists all)
	@$(STEP) 'Checking the environments' dpd check $(ENVIRONMENTS)
	@rm -rf cdk.out
	@$(STEP) --without '^(Successfully synthesized to|Supply a stack id) ' 'CDK synthesis' \
		cdk synth -q --no-notices '**'
	@$(STEP) --without '^(Synthesizing application|No manifests synthesized|  - .*|.*, 0 removed)$$' 'cdk8s synthesis' \
		cdk8s synth --check-upgrade=false
	@$(STEP) 'Checking templates and manifests together' python tools/synth_summary.py $(ARGS) $(ENVIRONMENTS)

# Tests of one file share what they synthesise, so a file stays in one process.
test: setup ## run the whole test suite, in parallel (ARGS='-k name' goes to pytest, ARGS='-n 0' in one process)
	@python -m pytest -n auto --maxprocesses 4 --dist loadfile $(ARGS)

quick: setup ## the edit loop: the unit tests, without starting a program (ARGS='-k name' goes to pytest)
	@python -m pytest -q $(QUICK) $(ARGS)

check: lint format-check types check-environments ## ruff, mypy --strict and dpd check

lint: setup ## ruff check
	@$(STEP) 'Lint' ruff check -q

format-check: setup ## ruff format, telling only
	@$(STEP) 'Format' ruff format --check -q

types: setup ## mypy --strict
	@$(STEP) 'Types' mypy --strict

check-environments: setup ## dpd check on every environment
	@$(STEP) 'Checking the environments' dpd check $(ENVIRONMENTS)

format: setup ## rewrite the sources as ruff wants them
	@ruff check -q --fix --select I
	@ruff format -q

docs: setup ## write the generated pages of docs/ (catalogue of rules, conditions, divergences, questions)
	@python tools/rules_doc.py

bench: setup ## measure synthesis and `dpd check` against empty apps; prints ratios (ARGS='--environments dev prod')
	@python tools/bench.py $(ARGS)

mutation: setup ## spoil rendered manifests one field at a time and print what the rules catch
	@python -m pytest -q -s -m mutation tests/rules $(ARGS)

snapshots: setup ## accept what synthesis renders now as the committed snapshots of the tests' documents
	@python tools/update_snapshots.py

lock: $(PYTHON_READY) ## resolve both lock files anew (ARGS=--upgrade takes the newest versions that fit)
	@tools/lock $(ARGS)

clean: ## remove what synth, test and check wrote
	@rm -rf cdk.out dist .build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -not -path './.venv/*' -not -path './node_modules/*' -prune -exec rm -rf {} +

distclean: clean ## also remove .venv and node_modules
	@rm -rf .venv node_modules
