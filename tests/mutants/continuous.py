"""Bugs in continuous sampling: densities, their draws, and the sphere."""

from tests.mutants.mutant import Mutant

_OUTPUTS = "dpot_core/mechanisms/continuous/outputs.py"
_DENSITIES = "dpot_core/mechanisms/continuous/densities.py"
_GRIDS = "dpot_core/mechanisms/continuous/grids.py"
_HOSTILE = "tests/mechanisms/continuous/test_hostile_densities.py"
_ERRORS = "tests/views/mixture/test_random_many.py::test_errors_are_below_what_is_stated_where_each_part_of_it_counts"
_LOSS = f"{_HOSTILE}::test_no_input_whatever_is_refused_or_shifts_the_odds_by_more_than_epsilon"

MUTANTS = [
    Mutant(
        "prior-band-twice-as-wide",
        _DENSITIES,
        "    low, high = level * math.exp(-used / 2), level * math.exp(used / 2)\n    gain,",
        "    low, high = level * math.exp(-used), level * math.exp(used)\n    gain,",
        ("tests/views/mixture/test_near_prior.py::test_no_two_inputs_are_told_apart_by_more_than_epsilon",),
        "twice the privacy loss that is promised",
    ),
    Mutant(
        "kpm-mass-not-repaired",
        _GRIDS,
        "        s = np.clip(s + room * (missing / whole), low, high)",
        "        s = np.clip(s, low, high)",
        (_LOSS,),
        "an input without mass keeps an integral of its own: two of them are told apart by more than e^epsilon",
    ),
    Mutant(
        "kpm-input-read-between-nodes",
        _OUTPUTS,
        "        return np.clip(self.grid.between(self.multiples, points) * h, lower, upper), lower, upper",
        "        return np.clip(self.grid.between(self.ratios, points) / self.r * h, lower, upper), lower, upper",
        (_LOSS,),
        "clipped where it is drawn and not at the nodes: the integral is no longer the finite sum",
    ),
    Mutant(
        "kpm-band-twice-as-wide",
        _DENSITIES,
        "    low, high = level * math.exp(-width / 2), level * math.exp(width / 2)",
        "    low, high = level * math.exp(-width), level * math.exp(width)",
        (f"{_HOSTILE}::test_integrals_of_single_gaussians_are_one_within_the_tolerance",),
        "multiples between e^-epsilon and e^epsilon, cut again when they are drawn: integrals are not 1",
    ),
    Mutant(
        "kpm-refuses-by-the-input",
        _DENSITIES,
        "    bad = ~(values >= 0.0) | np.isposinf(values)\n",
        "    bad = ~(values >= 0.0) | np.isposinf(values)\n"
        '    if bad.any():\n        raise ValueError("the input is not finite")\n',
        (_LOSS,),
        "a refusal tells that the person's density is not finite",
    ),
    Mutant(
        "kpm-input-that-raises",
        _DENSITIES,
        "    except Exception as error:",
        "    except ValueError as error:",
        (f"{_HOSTILE}::test_without_a_density_h_is_released",),
        "what the input raises is seen from outside",
    ),
    Mutant(
        "kpm-tolerance-not-spent",
        _DENSITIES,
        "    used = math.nextafter(epsilon - spent, 0.0)",
        "    used = epsilon",
        ("tests/mechanisms/continuous/test_densities.py::test_the_tolerance_is_taken_off_epsilon",),
        "the error of public integrals is not paid for",
    ),
    Mutant(
        "kpm-draws-accept-half-of-the-low",
        _OUTPUTS,
        "points[happens(accepted, rng)]",
        "points[happens(accepted**1.5, rng)]",
        (f"{_HOSTILE}::test_audits_of_the_worst_pair",),
        "draws by another density than was promised: a loss of 1.5 epsilon",
    ),
    Mutant(
        "kpm-release-without-the-polytope",
        _OUTPUTS,
        "        return polytope.repair((self.multiples * self.grid.masses).ravel()), polytope",
        "        own = Polytope((self.multiples * self.grid.masses).ravel(), max(self.width, EPSILON_RANGE[0]))\n"
        "        return own.repair((self.multiples * self.grid.masses).ravel()), own",
        (f"{_HOSTILE}::test_the_weights_of_a_real_release_are_whole_numbers_within_e_epsilon",),
        "a polytope around the person's own output: no promise at all",
    ),
    Mutant(
        "draws-share-noise",
        "dpot_app/views/mixture/densities.py",
        '        "epsilon": config.epsilon,\n        "means"',
        '        "means"',
        ("tests/views/mixture/test_results.py::test_draws_share_nothing_between_settings",),
        "one noise at two epsilon",
    ),
    Mutant(
        "divergence-errors-without-the-input",
        _OUTPUTS,
        "grid.bends(s * here) / 2 + s * moved))",
        "grid.bends(s * here) / 2))",
        (_ERRORS,),
        "where the output follows the input, a divergence is off by a million times what is stated",
    ),
    Mutant(
        "divergence-errors-without-bends",
        _OUTPUTS,
        "grid.bends(s * here) / 2 + s * moved))",
        "s * moved))",
        (_ERRORS,),
        "near an output that is the input, squared Hellinger and chi2 are off by ten times what is stated",
    ),
    Mutant(
        "draws-count-as-one",
        "dpot_app/views/mixture/disclosed.py",
        "{count:,} ε.",
        "ε.",
        ("tests/views/mixture/test_results.py::test_draws_of_one_picture_are_disclosed_together",),
        "a thousand draws of one person told as one",
    ),
    Mutant(
        "distance-to-the-input-published",
        "dpot_app/views/mixture/disclosed.py",
        '"line-numbers": ("mechanism", "low", "high", "acceptance")',
        '"line-numbers": ("mechanism", "r", "low", "high", "acceptance")',
        ("tests/views/mixture/test_results.py::test_public_columns_are_the_same_for_every_input",),
        "r, computed from the input as it is, passes for public",
    ),
    Mutant(
        "sphere-outside-by-complement",
        "dpot_core/mechanisms/sphere.py",
        "        return min(self.scale * math.exp(-self.epsilon / 2) * outside, 1.0)",
        "        return 1.0 - min(self.scale * math.exp(self.epsilon / 2) * (1.0 - outside), 1.0)",
        ("tests/mechanisms/test_sphere.py::test_outside_the_cap_keeps_its_probability_at_large_epsilon",),
        "outside the cap becomes impossible: an infinite loss",
    ),
    Mutant(
        "sphere-refuses-by-the-input",
        "dpot_core/mechanisms/sphere.py",
        "    lost = ~np.isfinite(units).all(axis=1)\n",
        '    lost = ~np.isfinite(units).all(axis=1)\n    if lost.any():\n        raise ValueError("no direction")\n',
        ("tests/mechanisms/test_sphere.py::test_an_input_without_a_direction_is_not_refused",),
        "a refusal tells that the person's vector is 0",
    ),
    Mutant(
        "chances-rounded-up",
        "dpot_core/mechanisms/exact_bernoulli.py",
        "    found = np.asarray(drawn < digit)\n",
        "    found = np.asarray(drawn <= digit)\n",
        ("tests/mechanisms/test_exact_bernoulli.py",),
        "small probabilities rounded up to 2^-53",
    ),
]
