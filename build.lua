-- l3build: `l3build unpack` (makes pith.sty), `l3build check`, `l3build doc` (makes pith.pdf), `l3build ctan`.
bundle       = ""
module       = "pith"
builddir     = "./.l3build"

sourcefiles  = { "pith.dtx" }
unpackfiles  = { "pith.dtx" }
installfiles = { "pith.sty" }
checkfiles   = { "pith-example-*.tex" }
typesetfiles = { "pith.dtx" }
textfiles    = { "LICENSE-LPPL", "CTAN-README.md" }
cleanfiles   = { "*.log", "*.pdf", "*.zip", "*.curlopt" }

-- A folder for each route to the PDF. The routes differ in their annotation, drawing and metadata; what does not depend
-- on the route is tested once, in pdftex.
testfiledir  = "./tests/latex/l3build/pdftex"
testsuppdir  = "./tests/latex/l3build/support"
checkconfigs = { "build", "config-luatex", "config-xetex", "config-dvi" }
stdengine    = "pdftex"
checkengines = { "pdftex" }
checkruns    = 2
asciiengines = { }
forcecheckepoch = true
epoch        = 1700000000

ctanpkg      = "pith"
ctanreadme   = "CTAN-README.md"
packtdszip   = true
flatten      = true

-- The version and its date stand once, in \ProvidesPackage of pith.dtx.
local function provided()
  local source = assert(io.open("pith.dtx", "rb"))
  local text = source:read("*a")
  source:close()
  local year, month, day, version =
    text:match("\\ProvidesPackage{pith}%[(%d+)/(%d+)/(%d+) v([%d.]+)")
  return version, year .. "-" .. month .. "-" .. day
end
local version, date = provided()
-- Whoever uploads gives name and address: `l3build upload --email ADDRESS`.
uploadconfig = {
  pkg         = "pith",
  version     = version .. " " .. date,
  author      = "the pith project",
  uploader    = "the pith project",
  license     = "lppl1.3c",
  summary     = "Verifiable identifiers on papers",
  description = "Prints the Pith Number of a paper as a small linked badge below the title, and writes it into the "
    .. "metadata of the PDF. One file for every engine and class, without a dependency but iftex.",
  topic       = { "identification", "pdf-feat" },
  ctanPath    = "/macros/latex/contrib/pith",
  home        = "https://pith.science",
  update      = false,
}

-- pith.sty is committed, so `unpack` also writes it beside its source.
local unpack_all = target_list.unpack.func
target_list.unpack.func = function (...)
  local status = unpack_all(...)
  if status == 0 then status = cp("pith.sty", unpackdir, ".") end
  return status
end
