testfiledir  = "./tests/latex/l3build/luatex"
stdengine    = "luatex"
checkengines = { "luatex" }
