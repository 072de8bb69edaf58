# Everything from nothing but Python (3.11 or newer) and make.
PYTHON ?= python3
PORT ?= 5006
VENV ?= .venv
# One process a core; each that runs browser tests has a server and a browser of its own.
PARALLEL ?= --numprocesses auto --dist worksteal
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help serve test test-core lint bench screenshots weights clean

help:
	@echo "make serve        serve the labs at http://localhost:$(PORT)/ (PORT= moves it)"
	@echo "make test         install what the tests need, a browser and LaTeX too, and run all of them"
	@echo "make lint         ruff and mypy"
	@echo "make bench        measure speed: slider, session start, core"
	@echo "make screenshots  pictures of every lab into screenshots/"
	@echo "make weights      train the models that ship again; goes on where it was stopped"
	@echo "make clean        remove what make made"

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -c "import sys; sys.exit(0 if sys.version_info >= (3, 11) else 'RNNScope needs Python 3.11 or newer: make PYTHON=python3.12 ...')"
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet --upgrade pip "setuptools>=77"
	$(PIP) install --quiet --editable .
	touch $@

$(VENV)/.tests: $(VENV)/.installed
	$(PIP) install --quiet --editable ".[test]"
	touch $@

serve: $(VENV)/.installed
	@exec $(BIN)/rnnscope serve --port $(PORT)

test: lint
	$(BIN)/python tests/browser/find_browser.py
	$(BIN)/python tests/find_latex.py
	$(BIN)/python -m pytest $(PARALLEL)

# The tests that need no browser: for a second Python.
test-core: $(VENV)/.tests
	$(BIN)/python tests/find_latex.py
	$(BIN)/python -m pytest $(PARALLEL) --ignore=tests/browser

lint: $(VENV)/.tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.tests
	$(BIN)/python tests/browser/find_browser.py
	$(BIN)/python -m tests.bench

screenshots: $(VENV)/.tests
	$(BIN)/python tests/browser/find_browser.py
	$(BIN)/python tests/browser/screenshots.py

weights: $(VENV)/.installed
	@exec $(BIN)/python -m rnnscope.app.weights

clean:
	rm -rf $(VENV) .venv-* build dist *.egg-info screenshots .pytest_cache .mypy_cache .ruff_cache .hypothesis
