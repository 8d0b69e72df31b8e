"""Bugs in particles: what rains on the map of one person's release, and what walks along a plan between two data sets.

What the browser does with them is JavaScript, which these bugs do not reach: `tests/browser/` looks at it.
"""

from tests.mutants.mutant import Mutant

_DRAWS = "dpot_app/kit/particles.py"
_TESTS = "tests/kit/test_particles.py"
_PLAN = "dpot_app/views/sinkhorn/release"
_WALK = "tests/views/sinkhorn/test_figures.py::test_particles_walk_along_the_plan"

MUTANTS = [
    Mutant(
        "particles-of-all-names-are-one",
        _DRAWS,
        "stream(SEED, name)",
        'stream(SEED, name and "particles")',
        (f"{_TESTS}::test_uniforms_are_known_and_those_of_another_name_are_others",),
        "two demonstrations share their randomness, and can be solved for the data",
    ),
    Mutant(
        "particles-stop-where-there-is-no-mass",
        _DRAWS,
        "np.where(masses > 0, np.arange(masses.shape[1]), 0)",
        "np.where(masses >= 0, np.arange(masses.shape[1]), 0)",
        (f"{_TESTS}::test_the_last_uniform_has_a_step_with_mass",),
        "rounding puts a release where the mechanism never puts one",
    ),
    Mutant(
        "particles-begin-where-there-is-no-mass",
        _DRAWS,
        'np.searchsorted(reached[0], aim, "right")',
        'np.searchsorted(reached[0], aim, "left")',
        (f"{_TESTS}::test_the_first_uniform_has_a_step_with_mass",),
        "a uniform of 0 is a release that the mechanism never makes",
    ),
    Mutant(
        "particles-of-rows-from-the-south",
        _DRAWS,
        "np.lexsort((points[:, 1], east))",
        "np.lexsort((-points[:, 1], east))",
        (f"{_TESTS}::test_particles_are_the_inverse_along_x_and_then_along_y",),
        "places are those of the inverse along y turned over: particles jump where they should walk",
    ),
    Mutant(
        "particles-with-the-first-ones-distribution",
        _DRAWS,
        "np.arange(len(uniform)) * (len(masses) > 1)",
        "np.zeros(len(uniform), dtype=np.intp)",
        (f"{_TESTS}::test_each_particle_may_have_a_distribution_of_its_own", _WALK),
        "all particles of a column go where the plan takes its first one",
    ),
    Mutant(
        "particles-not-spread-inside-their-step",
        _DRAWS,
        "(aim - reached[row, step] + mass) / mass, 0.0, 1.0)",
        "aim - reached[row, step] + mass, 0.0, 1.0)",
        (f"{_TESTS}::test_particles_of_a_cell_are_spread_evenly_over_it",),
        "particles crowd at one side of their cell: a density that is not there",
    ),
    Mutant(
        "particles-around-a-corner",
        _DRAWS,
        "np.column_stack([left, below]) - 0.5)",
        "np.column_stack([left, below]))",
        (f"{_TESTS}::test_every_output_is_drawn_as_often_as_it_is_likely",),
        "every release is drawn half a cell north-east of where it is",
    ),
    Mutant(
        "rain-of-one-mechanism-under-all-names",
        "dpot_app/views/geolocation/person/results.py",
        "_drops(city, nu) for name, nu in",
        "_drops(city, next(iter(outputs.values()))) for name, nu in",
        ("tests/views/geolocation/test_figures.py::test_possible_releases_fall_from_home_as_often_as_they_are_likely",),
        "the rain of the best mechanism is shown for its rivals",
    ),
    Mutant(
        "particles-go-where-the-second-set-is",
        f"{_PLAN}/results.py",
        "fallen(plan[cells], ",
        "fallen(plan.sum(axis=0), ",
        (_WALK,),
        "starts and ends are drawn apart: what walks is the plan that ignores distance",
    ),
    Mutant(
        "particles-of-the-exact-plan-under-a-private-name",
        f"{_PLAN}/figures.py",
        "starts, ends = result.particles(name)",
        'starts, ends = result.particles("exact" if name else name)',
        (_WALK,),
        "what is not private is shown as released",
    ),
    Mutant(
        "particles-of-a-plan-share-their-ends-numbers",
        f"{_PLAN}/results.py",
        "random[:, 2:]",
        "random[:, :2]",
        (_WALK,),
        "where a particle ends follows from where in its cell it begins: no draw from the plan",
    ),
]
