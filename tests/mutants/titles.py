"""Bugs in what titles and tables say: claims within the noise of runs, circles around another place, texts of a file."""

from tests.mutants.mutant import Mutant

_MAPS = "tests/views/geolocation/test_figures.py"
_TITLES = "tests/views/test_titles_in_numbers.py"
_CROWD = "dpot_app/views/geolocation/crowd/figures.py"

MUTANTS = [
    Mutant(
        "title-claims-within-the-noise",
        "dpot_app/figures/findings.py",
        "gaps.mean() > errors * gaps.std(ddof=1)",
        "gaps.mean() > 0.0 * errors * gaps.std(ddof=1)",
        (f"{_MAPS}::test_the_finding_holds_beyond_the_runs_own_noise_and_wherever_the_slider_stands",),
        "five runs by chance make a mechanism the nearest",
    ),
    Mutant(
        "title-counts-where-the-slider-stands",
        _CROWD,
        "[point for point in curve.points if point.epsilon in EPSILONS] or curve.points",
        "curve.points",
        (f"{_MAPS}::test_the_finding_holds_beyond_the_runs_own_noise_and_wherever_the_slider_stands",),
        "one claim about all values of epsilon is another one at another value of the slider",
    ),
    Mutant(
        "circles-around-what-is-released",
        "dpot_app/views/geolocation/person/results.py",
        "away = _away(points, home)",
        "away = _away(points, points[nu.argmax()])",
        (f"{_MAPS}::test_a_release_s_distance_is_from_home_wherever_it_is_likeliest",),
        "a release far from the person is said to be near, because the others are there too",
    ),
    Mutant(
        "hardly-matters-where-one-does-not",
        "dpot_app/views/population/map/results.py",
        "return max(self.shares(name).extra",
        "return min(self.shares(name).extra",
        ("tests/views/population/test_results.py::test_the_page_says_when_epsilon_hardly_matters",),
        "epsilon is said not to matter where one of the releases would gain by it",
    ),
    Mutant(
        "a-tie-has-one-winner",
        "dpot_app/views/decide/searched.py",
        "for name, epsilon in others.items() if in_words(epsilon) == self.said",
        "for name, epsilon in others.items() if in_words(epsilon) < (self.said or 0.0)",
        (f"{_TITLES}::test_a_title_says_what_the_numbers_say[decide.epsilon-1]",),
        "of two mechanisms with one smallest epsilon the title names one",
    ),
    Mutant(
        "exported-python-without-the-second-view",
        "dpot_app/kit/script.py",
        '"tables |= results.tables()',
        '"tables = results.tables()',
        ("tests/kit/test_script.py::test_each_view_of_a_script_has_its_own_settings_and_leaves_its_numbers",),
        "the program that is taken away lacks the tables of the view above",
    ),
    Mutant(
        "a-table-on-the-screen-says-other-numbers",
        "dpot_app/views/movies/everyone/text.py",
        "number(point.mass[name]) for point",
        "number(1.01 * point.mass[name]) for point",
        ("tests/test_taken_tables.py::test_tables_that_are_taken_hold_what_is_drawn[movies-everyone]",),
        "what is read on the screen is not what is taken away",
    ),
    Mutant(
        "a-map-draws-another-run-than-its-table",
        _CROWD,
        "{name: runs[run] for name, runs in crowd.estimates.items()}",
        "{name: runs[run - 1] for name, runs in crowd.estimates.items()}",
        ("tests/test_taken_tables.py::test_tables_that_are_taken_hold_what_is_drawn[geolocation-crowd]",),
        "the map that is looked at is not the one that is taken away",
    ),
]
