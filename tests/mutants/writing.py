"""Bugs in how files and folders are written: what stays of an earlier run, where links lead, what a full disk leaves."""

from tests.mutants.mutant import Mutant

_FILE = "dpot_core/datasets/writing.py"
_FOLDER = "tests/datasets/test_writing.py::test_a_folder_is_the_old_or_the_new_wherever_it_goes_wrong"

MUTANTS = [
    Mutant(
        "interrupted-between-two-names",
        _FILE,
        """    finally:
        _discard(stage)
""",
        """    finally:
        shutil.rmtree(stage, ignore_errors=True)
""",
        (_FOLDER,),
        "Ctrl-C between the two names of a swap removes the earlier run with the unfinished one",
    ),
    Mutant(
        "killed-run-s-folder-removed",
        _FILE,
        "            if not os.path.lexists(place):\n",
        "            if os.path.lexists(place):\n",
        (_FOLDER,),
        "what a run that was killed had set aside is thrown away by the next one",
    ),
    Mutant(
        "promise-before-its-table",
        _FILE,
        """            for name in without:
                (folder / name).unlink(missing_ok=True)
            for path, unfinished in ready.items():
                with _naming(path):
                    os.replace(unfinished, path)
""",
        """            for path, unfinished in ready.items():
                with _naming(path):
                    os.replace(unfinished, path)
            for name in {*without} - {*contents}:
                (folder / name).unlink(missing_ok=True)
""",
        ("tests/datasets/test_writing.py::test_files_that_belong_together_are_all_written_before_one_has_its_name",),
        "for a moment, or forever after a power cut, an old promise stands beside new numbers",
    ),
    Mutant(
        "new-folder-open-to-all",
        _FILE,
        "            new.chmod(stat.S_IMODE(aside.stat().st_mode))\n",
        "            aside.chmod(stat.S_IMODE(aside.stat().st_mode))\n",
        ("tests/datasets/test_writing.py::test_a_new_folder_is_no_more_open_than_the_one_it_replaces",),
        "unprotected numbers in a folder that only its owner could read are open to everybody after the next run",
    ),
    Mutant(
        "what-came-meanwhile-is-lost",
        _FILE,
        "            checked(place, foreign, aside)\n",
        "            checked(place, lambda _: None, aside)\n",
        ("tests/datasets/test_writing.py::test_files_that_appear_meanwhile_are_not_lost",),
        "a file that was put into the folder during a long run is deleted",
    ),
    Mutant(
        "any-folder-with-a-scenario-is-a-run-s",
        "dpot_app/batch/scenarios/folders.py",
        "    ours: set[str] = set()\n",
        "    ours: set[str] = {SCENARIO}\n",
        ("tests/batch/scenarios/test_run_folders.py::test_a_folder_is_an_earlier_run_s_by_its_numbers_only",),
        "a scenario written by hand is replaced by its own output",
    ),
    Mutant(
        "links-are-a-run-s",
        "dpot_app/batch/scenarios/folders.py",
        "if not (path.name in ours and path.is_file() and is_real(path))",
        "if not (path.name in ours)",
        ("tests/batch/scenarios/test_run_folders.py::test_links_lead_nowhere",),
        "a folder prepared with links is taken for an earlier run's",
    ),
    Mutant(
        "a-run-s-promise-beside-a-sweep",
        "dpot_app/batch/sweeps/running.py",
        "    if os.path.lexists(folder / NUMBERS):\n",
        "    if os.path.islink(folder / NUMBERS):\n",
        (
            "tests/batch/sweeps/test_sweep_folders.py::test_files_with_names_of_ours_that_no_sweep_wrote_are_refused_before_anything_is_computed",
        ),
        "the promise of a sweep stands beside the numbers of a run",
    ),
]
