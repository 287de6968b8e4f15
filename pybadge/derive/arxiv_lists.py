"""arXiv's closed lists: the licences that it records, its categories, and its archives of old.

What a person types is held against them. What arXiv's own metadata says is hashed as it stands.

Taken from arXiv's own definitions (https://github.com/arXiv/arxiv-base: ``arxiv/license`` and
``arxiv/taxonomy``, state of June 2026); see also https://arxiv.org/category_taxonomy and
https://info.arxiv.org/help/license/.
"""

from __future__ import annotations

__all__ = ["CATEGORIES", "LICENSES", "MOST_CATEGORIES", "OLD_ARCHIVES", "SAME_CATEGORIES"]

LICENSES = {
    "http://creativecommons.org/licenses/by/4.0/": (
        "CC BY 4.0",
        "CC BY: Creative Commons Attribution",
        "Creative Commons Attribution 4.0 International",
    ),
    "http://creativecommons.org/licenses/by-sa/4.0/": (
        "CC BY-SA 4.0",
        "CC BY-SA: Creative Commons Attribution-ShareAlike",
        "Creative Commons Attribution-ShareAlike 4.0 International",
    ),
    "http://creativecommons.org/licenses/by-nc-sa/4.0/": (
        "CC BY-NC-SA 4.0",
        "CC BY-NC-SA: Creative Commons Attribution-Noncommercial-ShareAlike",
        "Creative Commons Attribution-NonCommercial-ShareAlike 4.0 International",
    ),
    "http://creativecommons.org/licenses/by-nc-nd/4.0/": (
        "CC BY-NC-ND 4.0",
        "CC BY-NC-ND: Creative Commons Attribution-Noncommercial-NoDerivatives",
        "Creative Commons Attribution-NonCommercial-NoDerivatives 4.0 International",
    ),
    "http://creativecommons.org/publicdomain/zero/1.0/": (
        "CC0 1.0",
        "CC0",
        "CC Zero",
        "CC Zero: No Rights Reserved",
        "CC0 1.0 Universal",
        "Creative Commons Zero 1.0",
    ),
    "http://arxiv.org/licenses/nonexclusive-distrib/1.0/": (
        "arXiv.org perpetual non-exclusive license",
        "arXiv.org perpetual, non-exclusive license to distribute this article",
        "arXiv non-exclusive license",
        "arXiv nonexclusive-distrib 1.0",
        "nonexclusive-distrib",
        "nonexclusive-distrib/1.0",
        "arXiv",
        "arXiv.org",
    ),
    # No longer offered, but recorded for older papers
    "http://arxiv.org/licenses/assumed-1991-2003/": (
        "assumed-1991-2003",
        "Assumed arXiv.org perpetual non-exclusive license",
    ),
    "http://creativecommons.org/licenses/by/3.0/": (
        "CC BY 3.0",
        "Creative Commons Attribution 3.0 Unported",
    ),
    "http://creativecommons.org/licenses/by-nc-sa/3.0/": (
        "CC BY-NC-SA 3.0",
        "Creative Commons Attribution-NonCommercial-ShareAlike 3.0 Unported",
    ),
    "http://creativecommons.org/licenses/publicdomain/": (
        "CC Public Domain Declaration",
        "Creative Commons Public Domain Declaration",
    ),
}
"""Each licence by the address that arXiv records, with its names, the usual one first."""

_ACTIVE = """
astro-ph.CO astro-ph.EP astro-ph.GA astro-ph.HE astro-ph.IM astro-ph.SR
cond-mat.dis-nn cond-mat.mes-hall cond-mat.mtrl-sci cond-mat.other cond-mat.quant-gas cond-mat.soft
cond-mat.stat-mech cond-mat.str-el cond-mat.supr-con
cs.AI cs.AR cs.CC cs.CE cs.CG cs.CL cs.CR cs.CV cs.CY cs.DB cs.DC cs.DL cs.DM cs.DS cs.ET cs.FL
cs.GL cs.GR cs.GT cs.HC cs.IR cs.IT cs.LG cs.LO cs.MA cs.MM cs.MS cs.NA cs.NE cs.NI cs.OH cs.OS
cs.PF cs.PL cs.RO cs.SC cs.SD cs.SE cs.SI cs.SY
econ.EM econ.GN econ.TH
eess.AS eess.IV eess.SP eess.SY
gr-qc hep-ex hep-lat hep-ph hep-th math-ph
math.AC math.AG math.AP math.AT math.CA math.CO math.CT math.CV math.DG math.DS math.FA math.GM
math.GN math.GR math.GT math.HO math.IT math.KT math.LO math.MG math.MP math.NA math.NT math.OA
math.OC math.PR math.QA math.RA math.RT math.SG math.SP math.ST
nlin.AO nlin.CD nlin.CG nlin.PS nlin.SI
nucl-ex nucl-th
physics.acc-ph physics.ao-ph physics.app-ph physics.atm-clus physics.atom-ph physics.bio-ph
physics.chem-ph physics.class-ph physics.comp-ph physics.data-an physics.ed-ph physics.flu-dyn
physics.gen-ph physics.geo-ph physics.hist-ph physics.ins-det physics.med-ph physics.optics
physics.plasm-ph physics.pop-ph physics.soc-ph physics.space-ph
q-bio.BM q-bio.CB q-bio.GN q-bio.MN q-bio.NC q-bio.OT q-bio.PE q-bio.QM q-bio.SC q-bio.TO
q-fin.CP q-fin.EC q-fin.GN q-fin.MF q-fin.PM q-fin.PR q-fin.RM q-fin.ST q-fin.TR
quant-ph
stat.AP stat.CO stat.ME stat.ML stat.OT stat.TH
"""
# Closed since, and archives that were categories themselves
_CLOSED = """
acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas
cond-mat dg-ga funct-an mtrl-th patt-sol plasm-ph q-alg q-bio solv-int supr-con
"""
CATEGORIES = (*_ACTIVE.split(), *_CLOSED.split())
"""All categories that a paper can have, those of old included."""

MOST_CATEGORIES = 64
"""More than any paper has. Sources give one more at most, however many there are."""

SAME_CATEGORIES = (
    ("math.MP", "math-ph"),
    ("math.IT", "cs.IT"),
    ("math.ST", "stat.TH"),
    ("math.NA", "cs.NA"),
    ("cs.SY", "eess.SY"),
    ("q-fin.EC", "econ.GN"),
)
"""Categories that arXiv lists under two names."""

_WITH_SUBJECTS = "cs math nlin physics"
OLD_ARCHIVES = frozenset(
    [
        *_CLOSED.split(),
        *_WITH_SUBJECTS.split(),
        *(name for name in _ACTIVE.split() if "." not in name),
    ]
)
"""The archives that stand before the slash of ids of before April 2007."""
