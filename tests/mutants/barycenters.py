"""Bugs in the central barycenters, their accounting, and what the population page exports."""

from tests.mutants.mutant import Mutant

_CENTRAL = "dpot_core/mechanisms/central"
_PAGE = "dpot_core/studies/population"
_FIXED = "tests/mechanisms/central/test_fixed_noise.py"
_AGREE = f"{_FIXED}::test_neighbours_whose_noisy_values_agree_are_published_alike"
_MEASURE = "tests/mechanisms/central/test_private_measure.py"
_DISCLOSED = "tests/studies/population/test_disclosed.py"
_AREAS = f"{_DISCLOSED}::test_areas_of_a_release_are_those_of_its_private_copies"

MUTANTS = [
    Mutant(
        "cells-counts-without-noise",
        f"{_CENTRAL}/cells.py",
        "held = sums[:, 0] / weight",
        "held = np.bincount(power_labels(points, atoms, psi), times, m)",
        (_AGREE,),
        "the cells' counts of people are published as they are",
    ),
    Mutant(
        "stand-ins-from-raw-points",
        f"{_CENTRAL}/perturbed_barycenter.py",
        "[measure.thin(keep, chance) for measure in coreset.measures]",
        "[points[:keep] for points, _ in people]",
        (_AGREE,),
        "the cells follow from people's own points",
    ),
    Mutant(
        "sizes-used-where-they-are-secret",
        f"{_CENTRAL}/perturbed_barycenter.py",
        "known_sizes = None if hidden else sizes",
        "known_sizes = sizes",
        (_AGREE,),
        "n decides what is published under add-remove",
    ),
    Mutant(
        "root-count-without-noise",
        f"{_CENTRAL}/private_measure.py",
        "private = np.clip(noisy, 1, MAX_POINTS) if scales[0] else noisy",
        "private = root",
        (_AGREE,),
        "n is published under add-remove",
    ),
    Mutant(
        "clip-does-not-clip",
        f"{_CENTRAL}/groups.py",
        "moved[missing] = region.clip(data[missing])",
        "moved[missing] = data[missing]",
        (_AGREE,),
        "somebody far outside changes a sum by more than the sensitivity",
    ),
    Mutant(
        "secure-chunks-from-the-callers-generator",
        f"{_CENTRAL}/perturbed_barycenter.py",
        'check_count(chunks, "chunks"), adjacency, generator(rng, secure))',
        'check_count(chunks, "chunks"), adjacency, rng or chance)',
        (f"{_FIXED}::test_a_release_leaves_the_callers_generator_alone",),
        "who is in which chunk can be wound back",
    ),
    Mutant(
        "secure-positions-from-the-callers-generator",
        f"{_CENTRAL}/chance.py",
        "        check_opendp()\n        return np.random.default_rng()\n",
        "        check_opendp()\n        return np.random.default_rng() if rng is None else rng\n",
        (f"{_MEASURE}::test_a_release_cannot_be_wound_back_to_the_sample",),
        "the published seed leads back to the generator of the secret sample",
    ),
    Mutant(
        "replace-calibrated-to-sensitivity-one",
        f"{_CENTRAL}/partition.py",
        'SENSITIVITY = {"replace": 2, "add-remove": 1}',
        'SENSITIVITY = {"replace": 1, "add-remove": 1}',
        (f"{_MEASURE}::test_what_is_published_is_epsilon_likely_under_every_neighbour",),
        "half the noise in every count of the tree",
    ),
    Mutant(
        "every-level-spends-everything",
        f"{_CENTRAL}/partition.py",
        "return tuple(total * Fraction(part, SHARES) for part in parts)",
        "return tuple(total * min(part, 1) for part in parts)",
        (f"{_MEASURE}::test_counts_are_whole_non_negative_and_add_up",),
        "composition of the levels forgotten: depth times epsilon",
    ),
    Mutant(
        "halves-look-at-the-truth",
        f"{_CENTRAL}/private_measure.py",
        "private[both] = consistent(m[both], drawn, rng)",
        "private[both] = consistent(m[both], np.where(drawn % 2, drawn, true[both, 0] - true[both, 1]), rng)",
        (_AGREE,),
        "what is rounded looks at the true counts again",
    ),
    Mutant(
        "tree-of-the-start-is-free",
        f"{_CENTRAL}/perturbed_barycenter.py",
        "    if start.trees:\n        sigma",
        "    if not start.trees:\n        sigma",
        (
            "tests/mechanisms/central/test_perturbed_barycenter.py"
            "::test_noise_of_the_steps_and_of_the_start_spend_epsilon_together",
        ),
        "the start is forgotten when the steps' noise is calibrated",
    ),
    Mutant(
        "steps-share-one-budget-each",
        "dpot_core/accounting.py",
        "return size / min(largest_mu_beside_tree(",
        "return size / math.sqrt(steps) / min(largest_mu_beside_tree(",
        ("tests/test_accounting.py::test_noise_beside_a_tree_is_private_by_another_accountant",),
        "every step spends the whole budget",
    ),
    Mutant(
        "below-the-parting-one-place-changes",
        "dpot_core/privacy_loss.py",
        "(1 / (1 + q) ** 2, 2 * q / (1 + q) ** 2, (q / (1 + q)) ** 2)",
        "(0.5 / (1 + q), 0.5, 0.5 * q / (1 + q))",
        ("tests/test_accounting.py::test_losses_of_a_tree_are_those_of_its_noise_rounded_up",),
        "two differences change below the level at which two points part, and one is counted",
    ),
    Mutant(
        "losses-rounded-down",
        "dpot_core/privacy_loss.py",
        "up = [math.ceil(unit / b / step * (1 + 1e-12)) for b in noisy]",
        "up = [max(math.floor(unit / b / step * 0.98), 1) for b in noisy]",
        ("tests/test_accounting.py::test_losses_of_a_tree_are_those_of_its_noise_rounded_up",),
        "the discretisation is on the wrong side",
    ),
    Mutant(
        "delta-by-a-difference-that-cancels",
        "dpot_core/privacy_loss.py",
        "NARROW = 1e-4",
        "NARROW = 0.0",
        ("tests/test_accounting.py::test_the_noise_keeps_its_delta_at_every_scale",),
        "at a small epsilon the true delta is above the promised one",
    ),
    Mutant(
        "amplified-twice",
        "dpot_core/accounting.py",
        "together = reduce(Guarantee.compose, (one.weakest for one in guarantees))",
        "together = reduce(Guarantee.compose, (replace(one, sampled=None) for one in guarantees))",
        ("tests/test_accounting.py::test_releases_from_one_sample_add_up_before_they_are_amplified", _DISCLOSED),
        "releases from one sample add up as if each had drawn its own",
    ),
    Mutant(
        "published-sample-seeded-by-the-config",
        f"{_PAGE}/releases.py",
        "sampled(population, config.n, None)",
        "sampled(population, config.n, __import__('numpy').random.default_rng(config.seed))",
        (f"{_DISCLOSED}::test_a_release_for_real_holds_what_it_pays_for_and_leaves_no_seed",),
        "the secret sample is known to everybody who sees the link",
    ),
    Mutant(
        "noise-shared-between-epsilons",
        f"{_PAGE}/releases.py",
        '{"m": config.m, "epsilon": config.epsilon, "adjacency"',
        '{"m": config.m, "adjacency"',
        (f"{_DISCLOSED}::test_no_two_settings_share_noise",),
        "one noise at two scales cancels",
    ),
    Mutant(
        "atoms-exported-as-matched-to-the-truth",
        f"{_PAGE}/map/results.py",
        "_positions(draw.atoms, areas, barycenter=name",
        "_positions(draw.matched, areas, barycenter=name",
        (f"{_DISCLOSED}::test_the_order_of_released_atoms_does_not_look_at_the_truth",),
        "the order of the released atoms gives away which true atom each is near",
    ),
    Mutant(
        "areas-in-the-order-of-the-search",
        f"{_PAGE}/releases.py",
        "potentials[:, _eastward(result.atoms)]",
        "potentials",
        (_AREAS,),
        "areas belong to other atoms than those that they are drawn around",
    ),
    Mutant(
        "areas-of-the-people",
        f"{_PAGE}/releases.py",
        "atoms, potentials = with_areas(result)",
        "atoms, potentials = in_order(result.atoms), truth.potentials",
        (_AREAS,),
        "areas of a release follow from the people's own points",
    ),
]
