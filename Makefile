# The commands of this project; `make help` lists them.
# Each sets up .venv first, once, and says nothing when there is nothing to set up.
# Set-up talks on stderr and leaves stdin alone, so that `printf '...' | make chat` prints the chat and nothing else.

PYTHON ?= python3

VENV := .venv
PY := $(VENV)/bin/python
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help chat contracts workshop test soak check eval compare eval-hostile compare-hostile eval-workshop bench recording fix lock clean
export PIP_DISABLE_PIP_VERSION_CHECK = 1

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-15s %s\n", $$1, $$2}' Makefile

chat: $(READY) ## talk to the shop's support; gets a local model first when no Ollama answers
	@$(PY) -m model setup </dev/null >&2
	@exec $(PY) main.py

contracts: $(READY) ## start a demo shop and its tools, which are data; says how to talk to it, and gets the model for it
	@$(PY) -m model setup </dev/null >&2
	@exec $(PY) -m contracts demo

workshop: $(READY) ## have a small program written and tested by a local model; gets the model first
	@$(PY) -m model setup </dev/null >&2
	@exec $(PY) -m workshop

# Two at once: many tests wait for a process. A file's tests stay together, since they share what they start.
test: $(READY) ## run every test; needs no model and no network
	@$(PY) -m pytest -n 2 --dist loadfile

soak: $(READY) ## run the long tests: hundreds of kills and crashes
	@$(PY) -m pytest -m soak

check: $(READY) ## format, lint, types, dependencies, and every test: what .ci/run runs
	@echo "== format"
	@$(PY) -m ruff format --check .
	@echo "== lint"
	@$(PY) -m ruff check --no-cache .
	@echo "== types"
	@$(PY) -m pyright
	@echo "== dependencies"
	@$(PY) -m deptry .
	@echo "== tests, with the direction of imports, sizes, settings and documents"
	@$(MAKE) --no-print-directory test

eval: $(READY) ## measure right tools and true answers on the configured model
	@$(PY) -m model setup </dev/null >&2
	@exec $(PY) -m evals

COMPARED := pydantic-ai openai-agents

compare: $(READY) $(COMPARED:%=var/compare/%/.ready) ## play the written messages through other agent frameworks
	@LLM_PROVIDER=embedded $(PY) -m model setup </dev/null >&2
	@exec $(PY) -m evals.frameworks

eval-hostile: $(READY) ## play every attack of a hostile model and say what gets through; needs no model
	@exec $(PY) -m evals.hostile

compare-hostile: $(READY) $(COMPARED:%=var/compare/%/.ready) ## the same attacks through other agent frameworks
	@exec $(PY) -m evals.hostile --limit 20 --only shopkart $(COMPARED:%=--only %)

# Each framework has an environment of its own: their pins are not ours.
var/compare/%/.ready: evals/frameworks/%/requirements.txt | $(READY)
	@echo "Setting up var/compare/$*, once; this can take a minute." >&2
	@$(PY) -m venv --clear --without-pip var/compare/$*/.venv </dev/null >&2
	@$(PY) -m pip --quiet --python var/compare/$*/.venv/bin/python install -r $< </dev/null >&2
	@touch $@

eval-workshop: $(READY) ## measure what the workshop's loop brings over one answer of the same model; takes hours
	@$(PY) -m model setup </dev/null >&2
	@exec $(PY) -m evals.workshop

bench: $(READY) ## measure what the bridge, the server and the agent cost
	@exec $(PY) -m bench

recording: $(READY) ## play a session with the configured model; writes docs/session.txt and docs/session.svg
	@$(PY) -m model setup </dev/null >&2
	@exec $(PY) -m tests.terminal.recording

fix: $(READY) ## format, and repair what the linter can
	@$(PY) -m ruff check --fix-only --quiet .
	@$(PY) -m ruff format .

RANGES := import tomllib; p = tomllib.load(open("pyproject.toml", "rb")); \
	print(*p["project"]["dependencies"], *sum(p["dependency-groups"].values(), []), sep="\n")

lock: $(READY) ## make requirements.txt again from the ranges in pyproject.toml
	@rm -rf var/lock && $(PY) -m venv var/lock
	@$(PY) -c '$(RANGES)' > var/lock/ranges.txt
	@var/lock/bin/python -m pip install --quiet -r var/lock/ranges.txt
	@{ sed -n '/^#/p' requirements.txt; var/lock/bin/python -m pip freeze --local; } > var/lock/requirements.txt
	@mv var/lock/requirements.txt requirements.txt && rm -rf var/lock

clean: ## remove .venv, caches and measurements; a downloaded model stays in your cache folder
	@rm -rf $(VENV) var .pytest_cache .ruff_cache .hypothesis .coverage
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A machine may have pip without ensurepip (Debian splits them): then pip is put in from outside.
$(READY): requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "ShopKart needs Python 3.11 or newer; '$(PYTHON)' answers: $$($(PYTHON) --version 2>&1 || true)" >&2; \
		echo "Install it, or name one that is there: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11" >&2; exit 1; }
	@echo "Setting up $(VENV), once; this can take a minute." >&2
	@$(PY) -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv $(VENV) >/dev/null 2>&1 </dev/null || { \
		$(PYTHON) -m venv --clear --without-pip $(VENV) </dev/null >&2 && \
		$(PYTHON) -m pip --quiet --python $(PY) install pip </dev/null >&2; }
	@$(PY) -m pip install --quiet -r requirements.txt </dev/null >&2
	@touch $@
