"""The table of ``benchmarks/movielens.md``: Hit Rate@1 on MovieLens 100K over several random splits.

``python -m benchmarks.movielens_table > benchmarks/movielens.md``, with DPOT_DATA set or after a download; minutes.
"""

import numpy as np

from dpot_app.films.catalogue import Split, make_films
from dpot_app.films.releases import REFERENCES
from dpot_app.films.scores import mean_and_error
from dpot_app.views.movies.everyone.results import CURVES, EPSILONS, SCALES, everyone, everyone_at
from dpot_core.datasets import load_movielens

SPLITS = 5


def main() -> None:
    """Print Markdown."""
    ratings = load_movielens()
    print("# Hit Rate@1 on MovieLens 100K\n")
    print("Made by `python -m benchmarks.movielens_table > benchmarks/movielens.md`.\n")
    print(
        "The paper's setting (wpm_2605.10015, section 5.2): films 80/20, users 80/20, 64 principal components of the "
        "validation users' ratings, not centred, cosine distance, 250 candidates, lambda = 0.01, 40 iterations, exact "
        "hit rates. Mean ± standard error over the test users. The mass of the uniform base is chosen among "
        f"{SCALES} on the validation users at each epsilon. Lead: mean of WPM's hit rate minus the "
        "other's, user by user, with its standard error.\n"
    )
    curves = {name: CURVES[name] for name in ("wpm", "kpm", "em", "krr", "wpm-prior", "wpm-minimax")}
    heads = [
        "split",
        "epsilon",
        *curves.values(),
        "mass WPM",
        "mass KPM",
        "lead over KPM",
        "lead over EM",
        "lead > 2 s.e.",
    ]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    references = []
    for seed in range(SPLITS):
        films = make_films(ratings, Split(seed=seed))
        points = [everyone_at(films, epsilon, 0.01) for epsilon in EPSILONS]
        result = everyone(films, points)
        references.append({name: mean_and_error(hits) for name, hits in result.references.items()})
        for point in result.points:
            leads = [mean_and_error(point.hits["wpm"] - point.hits[other]) for other in ("kpm", "em")]
            clear = all(mean > 2 * error for mean, error in leads)
            cells = [str(seed), f"{point.epsilon:g}"]
            cells += [_cell(*mean_and_error(point.hits[name])) for name in curves]
            cells += [f"{point.mass[name]:.3g}" for name in ("wpm", "kpm")]
            cells += [*(_cell(*lead) for lead in leads), "yes" if clear else "no"]
            print(f"| {' | '.join(cells)} |", flush=True)
    print("\nThe same for all epsilon:\n")
    print(f"| split | {' | '.join(REFERENCES.values())} |\n|{'---|' * (1 + len(REFERENCES))}")
    for seed, row in enumerate(references):
        print(f"| {seed} | {' | '.join(_cell(*row[name]) for name in REFERENCES)} |")
    means = {name: np.mean([row[name][0] for row in references]) for name in REFERENCES}
    print(f"\nMean over the splits: {', '.join(f'{REFERENCES[n]} {mean:.3f}' for n, mean in means.items())}.")


def _cell(mean: float, error: float) -> str:
    return f"{mean:.4f} ± {error:.4f}"


if __name__ == "__main__":
    main()
