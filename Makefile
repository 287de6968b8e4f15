# `make` alone lists the targets. Each says what it installs: Python packages into .venv, Node's into tests/browser, and
# Debian packages with apt-get where it runs as root (tools/needs is the list).

SHELL := /bin/sh
PYTHON ?= python3
export PYTHON
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
PIP := $(BIN)/python -m pip --quiet --quiet
# Everything from requirements/*.txt is checked against its hash; what has no wheel is built with the tools of .venv.
PINNED := install --require-hashes --no-build-isolation --requirement
EDITABLE := install --no-deps --no-build-isolation --no-index --editable .
PYTEST := $(BIN)/python -m pytest -n 2 -q

RECORD := tests/data/record-XR2UHLWN.json
ABSTRACT := tests/data/abstract-2402.15627.txt
DEMO := build/demo
NODE := tests/browser/node_modules
COMPONENT := pybadge/embed/component
SHELL_SCRIPTS := tools/need tools/pins tools/test-bare tools/test-wheel tests/latex/texlives .ci/run

# Roots of other Debian releases, outside the repository: `make test-bare` needs about 8 GB, `make test-texlives` 4 GB each.
PITH_ROOTS ?= $(HOME)/.cache/pith-roots
PITH_TEXLIVES ?= $(HOME)/.cache/pith-texlives

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# The recipes run apt-get, pip and tests with two processes: side by side they would only wait for each other.
.NOTPARALLEL:

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

##@ Set-up

.venv/bin/python:
	@tools/need "make .venv" venv
	@echo "Making .venv"
	@$(PYTHON) -m venv .venv

.venv/.build: requirements/build.txt | .venv/bin/python
	@$(PIP) install --require-hashes --requirement requirements/build.txt
	@touch $@

.venv/.demo: requirements/run.txt pyproject.toml .venv/.build
	@echo "Installing pybadge and what it needs into .venv: 20 MB to download, 80 MB on disk"
	@$(PIP) $(PINNED) requirements/run.txt
	@$(PIP) $(EDITABLE)
	@touch $@

.venv/.dev: requirements/dev.txt pyproject.toml .venv/.build
	@echo "Installing pybadge and the test tools into .venv: 160 MB to download, 650 MB on disk"
	@$(PIP) $(PINNED) requirements/dev.txt
	@$(PIP) $(EDITABLE)
	@touch .venv/.demo $@

# Node's part: the minifier of the web component, and what the browser tests check with.
$(NODE)/.installed: tests/browser/package.json tests/browser/package-lock.json
	@tools/need "make $@" node
	@echo "Installing the browser tests' Node packages into $(NODE)"
	@mkdir -p build
	@npm ci --prefix tests/browser --ignore-scripts --no-audit --no-fund --loglevel=error >build/npm.log || { cat build/npm.log; exit 1; }
	@touch $@

.PHONY: demo need-demo
need-demo:
	@tools/need "make demo" venv demo

demo: need-demo .venv/.demo ## set-up, then the main job on a real record, offline: see build/demo
	@mkdir -p $(DEMO)
	@echo "Verifying the real record, offline"
	@$(BIN)/pybadge verify $(RECORD) --offline --abstract-file $(ABSTRACT)
	@$(BIN)/pybadge verify $(RECORD) --offline --abstract-file $(ABSTRACT) --json > $(DEMO)/report.json
	@echo "Drawing the badge and its snippets"
	@$(BIN)/pybadge badge $(RECORD) --offline -o $(DEMO)/badge.svg
	@$(BIN)/pybadge badge $(RECORD) --offline -o $(DEMO)/badge.png
	@$(BIN)/pybadge embed $(RECORD) --offline --format html > $(DEMO)/embed.html
	@$(BIN)/pybadge embed $(RECORD) --offline --format markdown > $(DEMO)/embed.md
	@echo "Compiling a paper that carries the number"
	@cp pith.sty $(DEMO)/pith.sty
	@{ printf '%s\n' '\documentclass{article}'; $(BIN)/pybadge latex $(RECORD) --offline; cat tests/data/paper-body.tex; } > $(DEMO)/paper.tex
	@cd $(DEMO) && { pdflatex -interaction=batchmode -halt-on-error paper.tex >/dev/null || { tail -n 20 paper.log; exit 1; }; }
	@pdftoppm -r 110 -f 1 -l 1 -singlefile -png $(DEMO)/paper.pdf $(DEMO)/paper
	@printf '\nMade in %s:\n' $(DEMO)
	@printf '  %-13s %s\n' report.json 'every check, for machines' badge.svg 'the badge: open it in a browser' badge.png 'the same as an image' \
	  embed.html 'the snippet for a web page' embed.md 'the snippet for a README' paper.tex 'a paper with the two lines' paper.pdf 'the paper with its badge: xdg-open $(DEMO)/paper.pdf' paper.png 'its first page as an image'

.PHONY: test need-test test-python test-browser test-latex test-latex-full test-lowest test-wheel test-texlives test-bare
# Says in one go what all the parts of `make test` need.
need-test:
	@tools/need "make test" venv demo lint python browser node tex html

test: need-test lint test-python test-browser test-latex ## set-up, then every test: the four parts below
	@echo "Everything passed."

.PHONY: lint
lint: .venv/.dev ## linters, types, import rules
	@tools/need "make lint" lint
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy
	@# Its cache keeps modules that were renamed.
	@$(BIN)/lint-imports --no-cache
	@shellcheck $(SHELL_SCRIPTS)

test-python: .venv/.dev ## the tests of the Python package and the command
	@tools/need "make test-python" python
	@$(PYTEST) tests --ignore tests/browser --ignore tests/javascript --ignore tests/latex

test-browser: .venv/.dev $(NODE)/.installed ## the badge, the snippets and the web component in Chromium, its verifier in Node
	@tools/need "make test-browser" python browser
	@$(PYTEST) tests/browser tests/javascript

test-latex: .venv/.dev ## built papers: l3build, then the short set of classes and packages
	@tools/need "make test-latex" tex html
	@l3build check --show-log-on-error
	@$(PYTEST) tests/latex -m "not full" --durations 10

test-latex-full: .venv/.dev ## built papers: the full set (hours, and 4 GB more of TeX Live)
	@tools/need "make test-latex-full" tex html full
	@l3build check --show-log-on-error
	@$(PYTEST) tests/latex --durations 20

# `make test-python` runs the badge with the newest versions.
test-lowest: .venv/.dev ## the badge with the lowest versions that pyproject.toml allows
	@$(PYTHON) -m venv build/lowest
	@build/lowest/bin/python -m pip install --quiet --require-hashes --requirement requirements/lowest.txt
	@PYTHONPATH="$(CURDIR)" build/lowest/bin/python -m pytest tests/unit/badge -n 2 -q -p no:cacheprovider

test-wheel: .venv/.build ## the wheel without and with each of its extras
	@tools/test-wheel

test-texlives: .venv/.dev ## built papers under TeX Live 2020, 2024 and the newest, in roots (root only)
	@tools/need "make test-texlives" tex html roots
	@tests/latex/texlives "$(PITH_TEXLIVES)"

test-bare: ## the set-up and the tests on bare Debian machines, in roots (root only; two hours)
	@tools/need "make test-bare" roots
	@tools/test-bare "$(PITH_ROOTS)" $(BARE)

.PHONY: format
format: .venv/.dev ## bring the Python files into their form
	@$(BIN)/ruff check --quiet --select I --fix .
	@$(BIN)/ruff format --quiet .

.PHONY: doc manual pictures gallery component
doc: .venv/.demo ## write the man page and the README's help blocks anew
	@$(BIN)/python tools/manual.py --write

manual: ## typeset the manual of the LaTeX package: pith.pdf
	@tools/need "make manual" manual
	@mkdir -p build
	@l3build doc -q >build/manual.log 2>&1 || { tail -n 20 build/manual.log; exit 1; }
	@ls -l pith.pdf

# A test checks that the committed pictures are what the embeds look like.
pictures: .venv/.dev $(NODE)/.installed ## write docs/embeds.md and its pictures anew
	@tools/need "make pictures" python browser
	@PITH_WRITE_PICTURES=1 $(BIN)/python -m pytest tests/browser/test_embed_docs.py -q

gallery: .venv/.dev ## draw the README's badge and its picture of all styles anew
	@$(BIN)/python tools/gallery-picture

# Tests check that the committed files are what this makes of the sources.
component: .venv/.demo $(NODE)/.installed ## write the rules that JavaScript shares, minify the verifier and the web component
	@$(BIN)/python tools/rules.py --write
	@node tools/minify-component.mjs $(NODE) $(COMPONENT)

.PHONY: bench
bench: .venv/.dev ## ratios against the field's own tools, side by side in one run
	@tools/need "make bench" bench
	@for script in bench/[a-z]*.py; do echo "== $$script"; PYTHONPATH="$(CURDIR)" $(BIN)/python "$$script" || exit 1; done

.PHONY: dist dist-ctan
dist: .venv/.dev ## the Python distribution, in dist
	@rm -rf dist
	@$(BIN)/python -m build --no-isolation --outdir dist . >/dev/null
	@ls -l dist

# Version and date come from pith.dtx.
dist-ctan: ## the bundle for CTAN: pith-ctan.zip
	@tools/need "make dist-ctan" manual
	@mkdir -p build
	@l3build ctan -q >build/ctan.log 2>&1 || { tail -n 20 build/ctan.log; exit 1; }
	@ls -l pith-ctan.zip

.PHONY: pins
pins: ## choose the newest versions of all that is pinned: requirements/*.txt, package-lock.json
	@tools/need "make pins" venv node
	@tools/pins

.PHONY: clean distclean
clean: ## remove what was built
	@rm -rf build dist .l3build pith.pdf *.zip *.log *.aux *.out *.toc *.idx *.ind *.ilg *.glo *.gls *.hd

distclean: clean ## remove what was built and what was installed
	@rm -rf .venv $(NODE) .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find . -name __pycache__ -prune -exec rm -rf {} +
