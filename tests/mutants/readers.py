"""Bugs in the readers of what people bring: bounds, what is left out, what is said of it."""

from tests.mutants.mutant import Mutant

MUTANTS = [
    Mutant(
        "long-lines-reach-the-parser",
        "dpot_core/datasets/csv_bounds.py",
        "if widths[wide] > columns + 1:",
        "if widths[wide] > 10**9:",
        ("tests/datasets/test_csv_bounds.py::test_no_parser_sees_a_long_line",),
        "a line of commas takes gigabytes in the server's process",
    ),
    Mutant(
        "unused-numbers-are-not-said",
        "dpot_core/datasets/csv_tables.py",
        "unused = numeric_columns(table, chosen.values())\n    if mapping",
        "unused = ()\n    if mapping",
        ("tests/datasets/test_what_is_left_out.py::test_people_who_are_not_counted_are_said",),
        "a million people count as two without a word",
    ),
    Mutant(
        "no-position-is-a-place",
        "dpot_core/datasets/csv_degrees.py",
        "placed = (lon != 0) | (lat != 0)",
        "placed = (lon != 0) | (lat != 0) | True",
        ("tests/datasets/test_what_is_left_out.py::test_no_position_is_no_place",),
        "the middle of the city lies in the Gulf of Guinea",
    ),
    Mutant(
        "refusals-worked-out-again",
        "dpot_core/studies/_kit/reading.py",
        "return _Refused(problem.with_traceback(None))",
        "raise",
        ("tests/datasets/test_csv_bounds.py::test_a_refusal_is_kept_until_the_file_is_forgotten",),
        "each move of a control reads a hopeless file anew",
    ),
    Mutant(
        "large-files-in-the-server",
        "dpot_core/studies/_kit/reading.py",
        "if is_modest(given.values()):",
        "if True:",
        ("tests/hostile/test_reading_bounds.py::test_a_server_reads_large_files_in_a_process_of_their_own",),
        "a file that a parser cannot swallow takes the server down",
    ),
    Mutant(
        "no-limit-of-memory",
        "dpot_core/studies/_kit/workers/bounded.py",
        'pages * os.sysconf("SC_PAGE_SIZE") + memory',
        'pages * os.sysconf("SC_PAGE_SIZE") * memory',
        ("tests/hostile/test_reading_bounds.py::test_what_takes_too_much_is_refused_in_words_and_once",),
        "a file takes all the memory there is",
    ),
    Mutant(
        "likely-columns-guessed-among-several",
        "dpot_core/datasets/csv_names.py",
        "if len(unused) != 1:",
        "if not unused:",
        ("tests/datasets/test_what_is_left_out.py::test_people_are_counted_where_one_column_can_only_be_their_number",),
        "one of several columns of numbers is taken for the people",
    ),
]
