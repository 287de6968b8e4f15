# make demo   set-up, then the main job on the real record, offline      make test   set-up, then every test
# Both say what they install: Python packages into .venv, and Debian packages with apt where run as root.

SHELL := /bin/sh
PYTHON ?= python3
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

RECORD := tests/data/record-XR2UHLWN.json
NUMBER := XR2UHLWNHHFSD4ZJJXWRU6R6QP
ABSTRACT := tests/data/abstract-2402.15627.txt
DEMO := build/demo
NODE := tests/browser/node_modules
COMPONENT := pybadge/embed/component

DEBIAN_PYTHON := python3-venv
DEBIAN_DEMO := texlive-latex-base poppler-utils
# where l3build is, and what the four routes need
DEBIAN_L3BUILD := texlive-extra-utils texlive-latex-extra texlive-latex-recommended texlive-fonts-recommended texlive-luatex texlive-xetex texlive-plain-generic lmodern ghostscript
DEBIAN_MAN := groff-base
DEBIAN_KEYS := openssl
DEBIAN_SHELLS := fish
DEBIAN_BENCH := jq nodejs npm
DEBIAN_PAGES := librsvg2-bin chromium poppler-utils zbar-tools locales fonts-dejavu-core fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji pandoc asciidoctor ruby-kramdown hugo lmodern

.PHONY: demo test test-python test-browser component pictures lint clean bench dist dist-ctan doc
.DELETE_ON_ERROR:

# The LaTeX package's own targets: test-latex, test-latex-full, test-texlives.
include tests/latex/latex.mk

.venv/bin/python:
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || tools/debian-packages "the Python environment" $(DEBIAN_PYTHON)
	@echo "Making .venv"
	@# --upgrade-deps: the command scripts that older pips write import `re`, which costs as much as the command itself
	@$(PYTHON) -m venv --upgrade-deps .venv

.venv/.demo: pyproject.toml | .venv/bin/python
	@echo "Installing pybadge and what it needs into .venv"
	@$(BIN)/python -m pip install --quiet --quiet --editable .
	@touch $@

.venv/.dev: pyproject.toml | .venv/bin/python
	@echo "Installing pybadge and the test tools into .venv"
	@$(BIN)/python -m pip install --quiet --quiet --editable '.[dev]'
	@touch .venv/.demo $@

demo: .venv/.demo
	@tools/debian-packages "the demo's paper" $(DEBIAN_DEMO)
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

test: lint test-python test-browser test-latex
	@echo "Everything passed."

test-python: .venv/.dev
	@tools/debian-packages "the tests" $(DEBIAN_DEMO) $(DEBIAN_PAGES) $(DEBIAN_MAN) $(DEBIAN_KEYS) $(DEBIAN_SHELLS)
	@$(BIN)/python -m pytest tests/python -n 2 -q

test-browser: .venv/.dev $(NODE)/.installed
	@tools/debian-packages "the browser tests" $(DEBIAN_DEMO) $(DEBIAN_PAGES)
	@$(BIN)/python -m pytest tests/browser -n 2 -q

# Node's part: the minifier of the web component, and what the browser tests check with.
$(NODE)/.installed: tests/browser/package.json
	@command -v npm >/dev/null || tools/debian-packages "the browser tests" nodejs npm
	@echo "Installing the browser tests' Node packages into $(NODE)"
	@npm install --prefix tests/browser --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# The minified web component, committed; a test checks that it is what this makes of the source.
component: $(NODE)/.installed
	@node tools/minify-component.mjs $(NODE) $(COMPONENT)/pith-badge.js $(COMPONENT)/pith-badge.min.js

# docs/embeds.md and its pictures, committed; a test checks that they are what the embeds look like.
pictures: .venv/.dev $(NODE)/.installed
	@tools/debian-packages "the pictures" $(DEBIAN_DEMO) $(DEBIAN_PAGES)
	@PITH_WRITE_PICTURES=1 $(BIN)/python -m pytest tests/browser/test_embed_docs.py -q

# The badge with the lowest versions that pyproject.toml allows; `make test-python` runs it with the newest.
test-lowest: .venv/.dev
	@$(PYTHON) -m venv build/lowest
	@build/lowest/bin/python -m pip install --quiet $$($(BIN)/python tools/lowest-versions paths raster) pytest pytest-xdist hypothesis lxml
	@PYTHONPATH=$(CURDIR) build/lowest/bin/python -m pytest tests/python/badge -n 2 -q -p no:cacheprovider

# The picture of all styles in the README, and its badge.
gallery: .venv/.dev
	@$(BIN)/python tools/gallery-picture

lint: .venv/.dev
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

# The Python distribution. The LaTeX bundle is made by `make dist-ctan`.
dist: .venv/.dev
	@rm -rf dist
	@$(BIN)/python -m build --outdir dist . >/dev/null
	@ls -l dist

# Ratios against the field's own tools, side by side in one run.
bench: .venv/.dev
	@tools/debian-packages "the benchmarks" $(DEBIAN_BENCH)
	@for script in bench/*.py tests/latex/bench.py; do echo "== $$script"; $(BIN)/python "$$script" || exit 1; done

# The LaTeX package's manual, and the man page and README help blocks of the command.
doc: .venv/.dev
	@tools/debian-packages "the manual" $(DEBIAN_L3BUILD)
	l3build doc -q
	@$(BIN)/python -m pybadge.cli.manual --write

# The bundle for CTAN: pith.dtx, its manual, README, and a TDS archive; version and date come from pith.dtx.
dist-ctan:
	@tools/debian-packages "the CTAN bundle" $(DEBIAN_L3BUILD)
	l3build ctan -q
	@ls -l pith-ctan.zip

clean:
	rm -rf build dist .l3build
