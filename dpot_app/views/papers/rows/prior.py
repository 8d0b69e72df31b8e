"""Sampling near a public prior: only what its figures plot, of which the authors published the drawings."""

from dpot_app.views.papers.numbers import prior as ours
from dpot_app.views.papers.row import CounterExample, Row

_NEAR = {
    "ring.k": 20,
    "base.kind": "prior",
    "base.prior": (1.0,) * 20,
    "base.gamma": 9.0,
    "epsilon": 1.0,
    "mechanisms": ("wpm", "kpm", "kpm-prior"),
}
_BARS = "the drawings in `hradghoukasian/private_sampling`"
_DENSITIES = {"mechanisms": ("kpm", "kpm-prior"), "gamma": 3.0}
_OUTPERFORMS = "The local minimax sampler outperforms the global one"

ROWS = (
    Row(
        key="prior-fig3",
        place="Figures 3, 5 and 6",
        setting="finite, k = 10, 20, 100, uniform prior, γ = k/2 − 1, pure",
        claim=_OUTPERFORMS,
        source=f"{_BARS}; abstract",
        verdict="agrees",
        kind="claim",
        why="KPM around prior has their worst case, bar by bar.",
        view="ring.worst-case",
        settings=_NEAR,
        tab="divergences",
        pictures=(),
        compute=ours.finite,
    ),
    Row(
        key="prior-fig7",
        place="Figures 7, 8 and 9",
        setting="the same under μ-Gaussian local privacy",
        claim="One minimum over β gives the share of the input that keeps μ",
        source=_BARS,
        verdict="agrees",
        kind="claim",
        why="Ours is KPM around prior at the largest ε whose polytope is μ-private, by its corner. It has their worst "
        "case, without a search over β.",
        view="ring.worst-case",
        settings=_NEAR,
        tab="divergences",
        pictures=(),
        compute=ours.gaussian,
    ),
    Row(
        key="prior-fig4",
        place="Figure 4",
        setting="100 Laplace mixtures of scale 1, centres within 1, pure",
        claim=_OUTPERFORMS,
        source=f"{_BARS}; their program for the inputs",
        verdict="agrees",
        kind="claim",
        why="Their inputs from their seeds. Their program takes the next whole number for γ, 3 instead of e. "
        "The page has it for Gaussian modes.",
        view="mixture.line",
        settings=_DENSITIES,
        pictures=(),
        compute=ours.on_the_line,
        pace="long",
        seed="1 to 4",
    ),
    Row(
        key="prior-fig10",
        place="Figure 10",
        setting="the same under μ-Gaussian local privacy",
        claim="Their linear sampler at each μ",
        source=_BARS,
        verdict="agrees",
        kind="claim",
        why="KPM in the band of the linear sampler is as private and nearer to every input.",
        view="mixture.line",
        settings=_DENSITIES,
        pictures=(),
        compute=ours.gaussian_on_the_line,
        pace="long",
        seed="1 to 4",
    ),
    Row(
        key="prior-fig11",
        place="Figure 11",
        setting="100 Laplace mixtures of scale 1 in the plane, pure, linear sampler",
        claim="“consistently outperforms global minimax samplers”",
        source=f"{_BARS}; abstract",
        verdict="differs",
        kind="error",
        counter=CounterExample(
            "their bar, around the prior, ε = 0.1", "their bar, for a family three times as wide, ε = 0.1"
        ),
        why="True, but not in their total variation at ε = 0.1. Their integrals are means over random points of a box: "
        "at ε = 2 theirs is 0.0936 for 0.0224. By a sum over a grid the local sampler is nearer at every ε. The scale "
        "is 1, as on the line: at 2, which their program takes, it is no mixture at ε = 2.",
        view="mixture.plane",
        settings=_DENSITIES,
        pictures=(),
        compute=ours.in_the_plane,
        pace="long",
        seed="1 to 4",
    ),
)
