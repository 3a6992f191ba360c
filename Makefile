# Foundation Portal. Needs Python 3.11 or 3.12 and make, nothing else. `make help` explains.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run test proof proof-full lint types messages bench bench-page lighthouse docs lock fresh clean logins

PYTHON ?= $(shell for p in python3.12 python3.11 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info[:2] not in [(3, 11), (3, 12)])' 2>/dev/null && echo $$p && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest
SLOWEST := --durations 20 --durations-min 5
WORKERS ?= 2
ONLY ?=
WHO ?=
COVERAGE ?=
OTHER_PROOFS := releases governance feedback benchmarks tests
# All workers of a run share one PostgreSQL, so who kills it runs alone.
KILLS_POSTGRESQL := tests/test_crash_payments.py

help: ## this text
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/run.stamp ## the whole portal on http://localhost:8000 (PORT, DATABASE_URL, REDIS_URL are honoured)
	@$(BIN)/python -m portal.launcher

logins: $(VENV)/run.stamp ## its demonstration logins with the codes of this moment (WHO="hiro kemi" for others)
	@$(BIN)/python manage.py logins $(WHO)

test: $(VENV)/dev.stamp ## all ordinary tests on real PostgreSQL and Redis (COVERAGE=yes: which branches ran)
	@scripts/install_system_programs.sh
	$(PYTEST) -m "not proof and not proof_full" -n $(WORKERS) --dist loadgroup --no-loadscope-reorder $(if $(COVERAGE),--cov --cov-report=term)

proof: $(VENV)/dev.stamp ## the slower proofs, scaled and seeded
	@scripts/install_system_programs.sh
	@ended=0; \
	$(PYTEST) $(SLOWEST) -m proof -n $(WORKERS) --dist worksteal portal || ended=1; \
	$(PYTEST) $(SLOWEST) -m proof -n $(WORKERS) --dist loadgroup $(OTHER_PROOFS) --ignore $(KILLS_POSTGRESQL) || ended=1; \
	$(PYTEST) -m proof $(KILLS_POSTGRESQL) || ended=1; \
	exit $$ended

proof-full: $(VENV)/dev.stamp ## the proofs at their full numbers (may take hours)
	@scripts/install_system_programs.sh
	$(PYTEST) -m proof_full

lint: $(VENV)/dev.stamp ## style, templates, import directions, forgotten migrations and translations
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/djade --check $$(git ls-files 'templates/*.html' '*/templates/*.html')
	$(BIN)/djlint --lint --quiet templates
	$(BIN)/django-upgrade --target-version 5.2 $$(git ls-files '*.py')
	$(BIN)/python manage.py makemigrations --check --dry-run
	@if command -v msgcmp >/dev/null; then $(BIN)/python manage.py makemessages --check --verbosity 0; \
	else echo "GNU gettext is not installed: whether every text is translated was not looked at."; fi

messages: $(VENV)/dev.stamp ## collect the texts into locale/, compile them, say what is not translated
	$(BIN)/python manage.py makemessages

types: $(VENV)/dev.stamp ## mypy, strict
	$(BIN)/mypy .

bench: $(VENV)/dev.stamp ## measurements against peers into bench/results (ONLY=releases for one domain, ONLY=feedback.month for one part)
	$(BIN)/python -m bench $(ONLY)

lighthouse: ## Lighthouse over ten pages of a demonstration that runs (BASE=http://localhost:8000); fetches the npm package
	scripts/lighthouse.sh

bench-page: $(VENV)/dev.stamp ## docs/benchmarks.md and its picture from the results there are
	$(BIN)/python -m bench --page

docs: $(VENV)/dev.stamp ## the tests that compare the documents with the code
	$(PYTEST) tests/test_documents.py

lock: $(VENV)/dev.stamp ## write requirements*.txt with hashes from the short .in lists
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-emit-find-links --output-file requirements.txt requirements.in
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-emit-find-links --output-file requirements-dev.txt requirements-dev.in

fresh: ## forget the data of `make run`
	rm -rf var

clean: ## forget the data and the Python environment
	rm -rf var $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .coverage*

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or 3.12 is needed; none was found. Set PYTHON=/path/to/python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)

# One stamp for each list: made again only when the list changed.
$(VENV)/run.stamp: requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.txt
	@touch $@

$(VENV)/dev.stamp: requirements-dev.txt $(VENV)/run.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-dev.txt
	@touch $@
