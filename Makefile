# Two commands for a newcomer: `make demo` and `make test`. Each sets up what it needs in .venv, once.
# Another Python or the oldest versions: make test PYTHON=python3.13 VENV=.venv-3.13, or CONSTRAINTS=constraints-oldest.txt.
PYTHON ?= python3
VENV ?= .venv
CONSTRAINTS ?= constraints.txt
BIN := $(VENV)/bin
export PYTHONHASHSEED := 0
unexport PYTHONDONTWRITEBYTECODE  # what pip leaves uncompiled is compiled once, when it is first used

.PHONY: demo unit test hooks check bench bench-accuracy test-all machines audit fuzz docs explorer clean

demo: $(VENV)/demo.ready
	$(BIN)/ripost demo demo --force

# Tests that cover the privacy core to the last line. Counting lines takes half as long again, so `make test` does it for
# these alone, and all others run without: no test runs twice.
CORE := tests/privacy tests/release/test_contradictions.py tests/peers/test_p3gm.py

# Tests of functions, which neither publish tables nor start programs.
UNIT := tests/space tests/schema tests/data tests/estimate tests/privacy tests/markup

# Two workers share two cores; threads of OpenBLAS beside them would wait for each other.
unit test test-all: export OPENBLAS_NUM_THREADS ?= 1

unit: $(VENV)/dev.ready
	$(BIN)/python -m pytest -n 2 -m "not slow" $(UNIT)

test: $(VENV)/dev.ready explorer/node_modules/.ready
	$(BIN)/python -m pytest -n 2 -m "not slow" $(CORE) --cov=ripost.privacy --cov-report=term:skip-covered
	$(BIN)/python tests/coverage_floor.py privacy
	$(BIN)/python -m pytest -n 2 -m "not slow" $(addprefix --ignore ,$(CORE))

test-all: $(VENV)/spark.ready explorer/node_modules/.ready check
	$(BIN)/python -m pytest -n 2 tests/audit
	$(BIN)/python -m pytest -n 2 --ignore tests/audit --cov --cov-report=term:skip-covered
	$(BIN)/python tests/coverage_floor.py

check: $(VENV)/dev.ready explorer/node_modules/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/zizmor --offline --pedantic --strict-collection --quiet .github
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-forms $(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml))
	@if [ -d explorer/node_modules/typescript ]; then npm --prefix explorer run --silent check; else echo "no Node: the explorer's sources are not checked"; fi

# Style, types and layers before each commit, proofs before each push, by the tools of this environment.
hooks: $(VENV)/dev.ready
	$(BIN)/pre-commit install

# Builds the script of the explorer's page, which is committed: only who changes its sources needs Node.
explorer: explorer/node_modules/.ready
	npm --prefix explorer run check
	npm --prefix explorer run build
	npm --prefix explorer test

# The explorer's tools, where there is Node; without them the checks and tests that need them are skipped.
explorer/node_modules/.ready: explorer/package.json
	@if command -v npm >/dev/null; then \
		(npm --prefix explorer install --silent --no-audit --no-fund && touch $@) || echo "no tools for the explorer: their tests will skip"; \
	fi

# The tests as other processors and numbers of threads would compute them: about ten minutes each.
machines: $(VENV)/dev.ready
	$(BIN)/python -m tests.machines

audit: $(VENV)/dev.ready
	$(BIN)/python -m tests.audit

fuzz: $(VENV)/dev.ready
	$(BIN)/python -m tests.fuzz --files 100000 --queries 100000 --deep 100000 --heavy 100000 --names 100000 --wide 100000 \
		--overflow 100000 --workers 2

docs: $(VENV)/dev.ready
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "The site is in site/; to read it with its search: $(BIN)/python -m http.server --bind 127.0.0.1 --directory site"

bench: $(VENV)/dev.ready
	$(BIN)/python -m benchmarks

# Errors, intervals, predictions and costs of all methods on tables that packages hold. All tables and ten seeds: --full.
bench-accuracy: $(VENV)/bench.ready
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m experiments bench

$(VENV)/bin/python:
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'ripost needs Python 3.11 or newer; run make PYTHON=python3.11')"
	$(PYTHON) -m venv $(VENV)

$(VENV)/demo.ready: pyproject.toml $(CONSTRAINTS) | $(VENV)/bin/python
	@echo "Setting up $(VENV) (once, about a minute) ..."
	@$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -c $(CONSTRAINTS) -e ".[demo]"
	@touch $@

$(VENV)/dev.ready: pyproject.toml $(CONSTRAINTS) | $(VENV)/bin/python
	@echo "Setting up $(VENV) with the tools for tests (once, about a minute) ..."
	@$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -c $(CONSTRAINTS) -e ".[dev]"
	@touch $@ $(VENV)/demo.ready

$(VENV)/bench.ready: pyproject.toml $(CONSTRAINTS) | $(VENV)/bin/python
	@echo "Setting up $(VENV) with the tables of the benchmark (once, about two minutes) ..."
	@$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -c $(CONSTRAINTS) -e ".[bench]"
	@touch $@ $(VENV)/demo.ready

# Half a gigabyte, so only for the long tests.
$(VENV)/spark.ready: $(VENV)/dev.ready
	@echo "Adding Spark to $(VENV) (once, about a minute) ..."
	@$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -c $(CONSTRAINTS) -e ".[dev,spark]"
	@touch $@

clean:
	rm -rf explorer/node_modules explorer/build
	rm -rf .venv* demo site build dist .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
