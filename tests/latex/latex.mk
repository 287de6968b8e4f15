# The tests of built papers, for the Makefile to include: `make test-latex`, `make test-latex-full`, `make test-texlives`.
# PITH_TEXLIVES is the folder for the debootstrap roots (about 4 GB each), outside the repository.

# The TeX side, also installed into the other TeX Lives by tests/latex/texlives.
DEBIAN_TEX = texlive-latex-base texlive-latex-recommended texlive-latex-extra texlive-publishers texlive-science \
  texlive-pictures texlive-plain-generic texlive-bibtex-extra texlive-fonts-recommended texlive-luatex texlive-xetex \
  texlive-lang-french texlive-lang-german texlive-lang-spanish texlive-lang-italian texlive-lang-portuguese \
  texlive-lang-european texlive-lang-czechslovak texlive-lang-polish texlive-lang-greek texlive-lang-cyrillic \
  texlive-lang-other texlive-lang-arabic texlive-lang-cjk texlive-lang-chinese latex-cjk-common \
  latex-cjk-chinese-arphic-gkai00mp lmodern cm-super tex-gyre latexmk ghostscript
# What makes and looks at HTML; for the full set also the samples that the publishers' classes ship, and their fonts.
# lwarp takes ifptex from the Japanese collection.
DEBIAN_LATEX = $(DEBIAN_TEX) texlive-lang-japanese texlive-extra-utils latexml poppler-utils chromium
DEBIAN_LATEX_FULL = $(DEBIAN_LATEX) texlive-publishers-doc texlive-fonts-extra texlive-fonts-extra-links \
  texlive-humanities texlive-pstricks

PITH_TEXLIVES ?= $(HOME)/.cache/pith-texlives

.PHONY: test-latex test-latex-full test-texlives print-debian-tex
test-latex: .venv/.dev
	tools/debian-packages "the LaTeX tests" $(DEBIAN_LATEX)
	l3build check --show-log-on-error
	.venv/bin/pytest tests/latex -n 2 -m "not full" -q --durations 10

test-latex-full: .venv/.dev
	tools/debian-packages "the LaTeX tests" $(DEBIAN_LATEX_FULL)
	l3build check --show-log-on-error
	.venv/bin/pytest tests/latex -n 2 -q --durations 20

test-texlives: .venv/.dev
	tools/debian-packages "the LaTeX tests" $(DEBIAN_LATEX) debootstrap
	tests/latex/texlives "$(PITH_TEXLIVES)"

print-debian-tex:
	@echo $(DEBIAN_TEX)
