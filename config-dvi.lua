-- pdfTeX writing DVI, the first half of latex + dvips + ps2pdf.
testfiledir  = "./tests/latex/l3build/dvi"
stdengine    = "etex"
checkengines = { "etex" }
