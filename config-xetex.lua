testfiledir  = "./tests/latex/l3build/xetex"
stdengine    = "xetex"
checkengines = { "xetex" }
