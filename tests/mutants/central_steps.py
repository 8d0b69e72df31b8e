"""Bugs in what private barycenters are made of: noise, cells, chunks, groups."""

from tests.mutants.mutant import Mutant

_BALL = "dpot_core/mechanisms/central/ball_region.py"
_REGIONS = "tests/mechanisms/central/test_regions.py"

MUTANTS = [
    Mutant(
        "ball-with-half-its-diameter",
        _BALL,
        "self.diameter = 2.0 * self.radius",
        "self.diameter = self.radius",
        ("tests/mechanisms/central/test_fixed_noise.py::test_from_end_to_end_of_a_ball_a_mean_moves_by_its_diameter",),
        "half the noise that a replaced point needs",
    ),
    Mutant(
        "ball-clips-to-the-edge",
        _BALL,
        "(self._within * (1.0 - 2.0**-bits))",
        "(self._within * (1.0 + 2.0**-20))",
        (f"{_REGIONS}::test_what_a_ball_lets_in_is_within_its_radius_in_exact_arithmetic",),
        "clipped points lie outside of the region",
    ),
    Mutant(
        "ball-forgets-what-rounding-lets-in",
        _BALL,
        "self._within * (1.0 + (self.centre.size + 8) * 2.0**-52)",
        "self._within",
        (f"{_REGIONS}::test_what_a_ball_lets_in_is_within_its_radius_in_exact_arithmetic",),
        "a point just outside counts for more than the sensitivity",
    ),
    Mutant(
        "cells-counts-without-noise-seen-by-fixed-noise",
        "dpot_core/mechanisms/central/cells.py",
        "sums = gaussian(sums, noise, rng, secure=secure)",
        "sums[:, 1:] = gaussian(sums[:, 1:], noise, rng, secure=secure)",
        (
            "tests/mechanisms/central/test_tape_of_noise.py::test_nothing_but_the_noisy_values_is_published[cells-seeded]",
        ),
        "exact numbers of people in every cell are published (survived once)",
    ),
    Mutant(
        "cells-found-on-the-people",
        "dpot_core/mechanisms/central/cells.py",
        "psi = stand_in.potentials(atoms)",
        "psi = StandIn(points, times / times.sum()).potentials(atoms)",
        (
            "tests/mechanisms/central/test_tape_of_noise.py::test_nothing_but_the_noisy_values_is_published[cells-seeded]",
        ),
        "cells whose borders follow the raw points (survived once)",
    ),
    Mutant(
        "cells-corrected-by-true-shares",
        "dpot_core/mechanisms/central/cells.py",
        "better, lack = stand_in.corrected(atoms, psi, told.shares)",
        "better, lack = stand_in.corrected(atoms, psi, sums[:, 0] / sums[:, 0].sum())",
        (
            "tests/mechanisms/central/test_tape_of_noise.py::test_nothing_but_the_noisy_values_is_published[cells-seeded]",
        ),
        "the stand-in is corrected by counts without noise",
    ),
    Mutant(
        "cells-divide-by-the-secret-size",
        "dpot_core/mechanisms/central/cells.py",
        "told = noisy_cells(sums, noise, weight, rng, secure=secure, size=None if sizes is None else sizes[number])",
        "told = noisy_cells(sums, noise, weight, rng, secure=secure, size=int(times.sum()))",
        (
            "tests/mechanisms/central/test_tape_of_noise.py::test_nothing_but_the_noisy_values_is_published[cells-hidden-size-seeded]",
        ),
        "n is read under add-remove, where it is secret (survived once)",
    ),
    Mutant(
        "measure-bound-from-the-secret-size",
        "dpot_core/mechanisms/central/private_measure.py",
        'bounded = adjacency == "replace" and place.exact',
        "bounded = place.exact",
        (
            "tests/mechanisms/central/test_tape_of_noise.py::test_nothing_but_the_noisy_values_is_published[measure-hidden-size-seeded]",
        ),
        "a bound that follows from n is published under add-remove",
    ),
    Mutant(
        "measure-looks-where-people-are",
        "dpot_core/mechanisms/central/private_measure.py",
        "alive = levels[-1].private > 0",
        "alive = (levels[-1].private > 0) & (_counts(populated >> (cells.depth - j + 1), held, levels[-1].codes) > 0)",
        (
            "tests/mechanisms/central/test_tape_of_noise.py::test_nothing_but_the_noisy_values_is_published[measure-seeded]",
        ),
        "empty cells are left out: which ones there are tells where nobody is",
    ),
    Mutant(
        "half-the-noise-of-cells",
        "dpot_core/mechanisms/central/cells.py",
        "sums = gaussian(sums, noise, rng, secure=secure)",
        "sums = gaussian(sums, noise / 2, rng, secure=secure)",
        (
            "tests/audits/test_whole_mechanisms.py::test_a_central_mechanism_keeps_its_promise_and_half_the_noise_would_not[cells]",
        ),
        "half the noise in every step",
    ),
    Mutant(
        "half-the-noise-of-chunks",
        "dpot_core/mechanisms/central/perturbed_barycenter.py",
        "gaussian(means, sigma,",
        "gaussian(means, sigma / 2,",
        (
            "tests/audits/test_whole_mechanisms.py::test_a_central_mechanism_keeps_its_promise_and_half_the_noise_would_not[chunks]",
        ),
        "half the noise in every step",
    ),
    Mutant(
        "half-the-noise-of-the-tree",
        "dpot_core/mechanisms/central/private_measure.py",
        "scales[j], rng, secure=secure)",
        "scales[j] / 2, rng, secure=secure)",
        (
            "tests/audits/test_whole_mechanisms.py::test_a_central_mechanism_keeps_its_promise_and_half_the_noise_would_not[tree]",
        ),
        "half the noise on the counts of a level",
    ),
    Mutant(
        "sums-not-centred",
        "dpot_core/mechanisms/central/cells.py",
        "return exact_sums(points - region.centre,",
        "return exact_sums(points + 2 * region.centre + 3 * region.radius,",
        ("tests/mechanisms/central/test_steps.py",),
        "positions from an origin far away: the sensitivity is no longer 2 R",
    ),
    Mutant(
        "replace-counts-as-one-row",
        "dpot_core/mechanisms/central/cells.py",
        '(2.0 if adjacency == "replace" else math.sqrt(2.0)) * region.radius',
        "math.sqrt(2.0) * region.radius",
        ("tests/mechanisms/central/test_steps.py",),
        "sensitivity of add-remove used for replace",
    ),
    Mutant(
        "clip-does-not-clip-anywhere",
        "dpot_core/mechanisms/central/groups.py",
        "    moved[missing] = region.clip(data[missing])\n",
        "    region.clip(data[missing])\n",
        ("tests/mechanisms/central/test_groups.py",),
        "one far point moves the sums by any amount (survived once)",
    ),
    Mutant(
        "exploration-noise-in-a-release",
        "dpot_core/mechanisms/central/noise.py",
        "    if secure is not None:\n        dp = _opendp(secure)\n        return np.asarray(dp.m.make_gaussian",
        "    if secure is not None and noise < 0:\n        dp = _opendp(secure)\n        return np.asarray(dp.m.make_gaussian",
        ("tests/mechanisms/central/test_noise.py",),
        "a release draws seeded noise that can be repeated",
    ),
    Mutant(
        "half-the-gaussian",
        "dpot_core/mechanisms/central/noise.py",
        "return values + noise * rng.standard_normal",
        "return values + noise / 2 * rng.standard_normal",
        ("tests/mechanisms/central/test_noise.py",),
        "half the noise everywhere",
    ),
    Mutant(
        "half-the-gaussian-of-a-release",
        "dpot_core/mechanisms/central/noise.py",
        "make_gaussian(*_reals(), scale=noise)",
        "make_gaussian(*_reals(), scale=noise / 2)",
        ("tests/mechanisms/central/test_noise.py",),
        "half the noise in a release, where no seed shows it",
    ),
    Mutant(
        "half-the-laplace-of-a-release",
        "dpot_core/mechanisms/central/noise.py",
        "make_laplace(*_integers(), scale=scale)",
        "make_laplace(*_integers(), scale=scale / 2)",
        ("tests/mechanisms/central/test_noise.py",),
        "half the noise in a release, where no seed shows it",
    ),
    Mutant(
        "laplace-of-one-side",
        "dpot_core/mechanisms/central/noise.py",
        "rng.geometric(success, counts.size) - rng.geometric(success, counts.size)",
        "rng.geometric(success, counts.size)",
        ("tests/mechanisms/central/test_noise.py",),
        "noise that never lowers a count: some outputs are impossible for a neighbour",
    ),
    Mutant(
        "scale-rounded-down",
        "dpot_core/mechanisms/central/noise.py",
        "return scale if Fraction(scale) >= exact else math.nextafter(scale, math.inf)",
        "return scale if Fraction(scale) <= exact else math.nextafter(scale, 0.0)",
        ("tests/mechanisms/central/test_noise.py",),
        "rounding of the scale spends privacy",
    ),
    Mutant(
        "levels-spend-all-each",
        "dpot_core/mechanisms/central/partition.py",
        "return tuple(total * Fraction(part, SHARES) for part in parts)",
        "return tuple(total if part else Fraction(0) for part in parts)",
        ("tests/mechanisms/central/test_partition.py",),
        "forgotten composition: every level of the tree spends the whole epsilon",
    ),
]
