# Every target sets up what it needs in $(VENV): Python 3.11 or newer with pip and venv is all a machine must have.

PYTHON ?= python3
VENV ?= .venv
DIST ?= dist
# On Linux, PyPI's torch brings gigabytes of CUDA. An index of CPU builds avoids that:
#   make train TORCH_INDEX=https://download.pytorch.org/whl/cpu
TORCH_INDEX ?=
# Passed on to the program behind a target: make test ARGS="-k marriage"
ARGS ?=

RUN = $(VENV)/bin/python -m
PIP_INSTALL = pip install --quiet --constraint constraints.txt $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX))

# A run of a minute or two, for other tables than the default one.
SHORT_TRAINING = --warm-start 1000000 --compared 100000 --decisions 500000 --deals 768 --evaluations 1 \
	--evaluation-deals 500 --final-deals 2000 --seed 1

.PHONY: help venv train train-tables test soak lint format types imports bench package check clean

help:
	@echo "make train    train a bot by self-play"
	@echo "make train-tables   train briefly at tables of two and of four players"
	@echo "make test     run the tests"
	@echo "make soak     run the slow tests, such as the long differential runs"
	@echo "make bench    measure rollouts a second"
	@echo "make check    everything CI runs: lint, types, imports, package, test"
	@echo "make lint | format | types | imports | package | venv | clean"

venv: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, this is " + sys.version.split()[0] + ": set PYTHON=")'
	@echo "installing into $(VENV): this takes a few minutes, once"
	$(PYTHON) -m venv $(VENV)
	$(RUN) $(PIP_INSTALL) --editable '.[dev]'
	touch $@

train: venv
	$(RUN) train.run $(ARGS)

train-tables: venv
	$(RUN) train.run $(SHORT_TRAINING) --rules "core players=2" --run runs/two_players $(ARGS)
	$(RUN) train.run $(SHORT_TRAINING) --rules "core players=4" --run runs/four_players $(ARGS)

test: venv
	$(RUN) pytest $(ARGS)

soak: venv
	$(RUN) pytest -m slow $(ARGS)

lint: venv
	$(RUN) ruff check
	$(RUN) ruff format --check

format: venv
	$(RUN) ruff check --fix
	$(RUN) ruff format

types: venv
	$(RUN) pyright --pythonpath $(VENV)/bin/python

imports: venv
	$(VENV)/bin/lint-imports

bench: venv
	$(RUN) benchmarks.rollouts $(ARGS)

# The wheel and the sdist, each installed into an environment of its own and used outside the checkout.
package: venv
	rm -f $(DIST)/*.whl $(DIST)/*.tar.gz
	$(RUN) build --outdir $(DIST)
	@set -e; scratch=$$(mktemp -d); trap 'rm -rf "$$scratch"' EXIT; cp tests/package_smoke.py "$$scratch"; \
	for file in $(DIST)/*.whl $(DIST)/*.tar.gz; do \
		echo "$$file:"; \
		$(PYTHON) -m venv --clear "$$scratch/venv"; \
		"$$scratch/venv/bin/python" -m $(PIP_INSTALL) "$$file"; \
		(cd "$$scratch" && venv/bin/python -I package_smoke.py); \
	done

check: lint types imports package test

clean:
	rm -rf .venv $(DIST) build .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -not -path './.*' -prune -exec rm -rf {} +
