# Each target may be run at any time, in any order, again and again; none takes an argument.
.DEFAULT_GOAL := help
.PHONY: help setup demo run test lint pictures bench
python := .venv/bin/python
ours := config reservations telemetry scheduler examples manage.py .ci
beside := MOORAGE_DATA_DIR=.data/lint $(python) manage.py

help:    ## these lines
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile

setup:   ## .venv with exactly what requirements.lock names
	@sh .ci/set_up.sh

demo: setup   ## a living demo fleet on 127.0.0.1; Ctrl-C stops everything
	@HTTPS=0 exec $(python) manage.py demo

run: setup   ## the same processes on your own configuration, without the fleet
	@HTTPS=0 exec $(python) manage.py demo --without-fleet

test: setup   ## everything but the benchmarks, on real servers
	@sh .ci/test_parts.sh
	@MOORAGE_DATA_DIR=$${MOORAGE_DATA_DIR:-.data/test} $(python) manage.py warm_up_allocator
	@$(python) -m pytest -n auto --maxprocesses 4 -m "not benchmark"

lint: setup   ## style, types, import contracts, faults known of what we use, forgotten migrations
	@$(python) -m ruff check .
	@$(python) -m ruff format --check .
	@$(python) -m mypy
	@.venv/bin/lint-imports
	@$(python) -m bandit -q -r $(ours) 2>/dev/null
	@$(python) .ci/audit_dependencies.py
	@$(beside) makemigrations --check --dry-run; found=$$?; $(beside) embedded stop 2>/dev/null; exit $$found

pictures: setup   ## docs/pictures made anew from a demo of its own
	@sh .ci/test_parts.sh
	@MOORAGE_DATA_DIR=.data/pictures HTTPS=0 $(python) .ci/pictures.py "$$(command -v chromium || command -v google-chrome)"

bench: setup   ## how fast collection and pages are, on this machine
	@sh .ci/test_parts.sh
	@$(python) -m pytest -m benchmark tests/benchmarks
