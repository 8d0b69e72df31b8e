"""Bugs in what people who share a server have of each other: whose numbers stay where, and whose turn it is."""

from tests.mutants.mutant import Mutant

_VIEW, _CACHE, _SERVING = "dpot_app/kit/view.py", "dpot_app/kit/cache.py", "dpot_app/shell/serving.py"
_WORKERS, _HOSTILE = "tests/kit/test_workers.py", "tests/hostile/test_forgetting.py"

MUTANTS = [
    Mutant(
        "what-is-found-in-a-file-goes-to-any-worker",
        _VIEW,
        "if not own:\n                small",
        "if True:\n                small",
        (f"{_WORKERS}::test_side_results_go_to_the_next_worker_except_those_of_a_file",),
        "what was worked out of one reader's file is told to the worker of the next reader",
    ),
    Mutant(
        "workers-remember-own-files",
        _VIEW,
        "(self.key, config, given, known), alone=own)",
        "(self.key, config, given, known))",
        (f"{_WORKERS}::test_a_readers_file_ends_the_process_that_has_read_it",),
        "a worker that has read a reader's file stays, with all that it has worked out of it",
    ),
    Mutant(
        "forgets-by-keys-alone",
        _CACHE,
        "if digest in self._files.get(key, ()) or _holds(key, digest)]",
        "if _holds(key, digest)]",
        (f"{_HOSTILE}::test_all_that_was_worked_out_on_the_way_from_a_file_is_forgotten",),
        "what was worked out of a file on the way stays after 'Forget it'",
    ),
    Mutant(
        "first-of-two-files-only",
        _CACHE,
        "if files := files | under_way.digests:",
        "if files := files or under_way.digests:",
        (f"{_HOSTILE}::test_numbers_used_by_two_sessions_are_forgotten_with_either",),
        "of two files with the same data only the first takes the results with it",
    ),
    Mutant(
        "work-under-way-outlives-its-file",
        _CACHE,
        "        if under_way.forgotten:\n            return\n",
        "",
        (f"{_HOSTILE}::test_work_under_way_is_not_kept_when_its_file_is_forgotten",),
        "what is computed ahead while 'Forget it' is pressed is kept under the forgotten file",
    ),
    Mutant(
        "a-pressed-button-keeps-the-file",
        "dpot_app/shell/files.py",
        "    own.empty()\n",
        "",
        (f"{_HOSTILE}::test_nothing_holds_a_file_that_was_forgotten",),
        "Streamlit holds the file in a button that is gone",
    ),
    Mutant(
        "what-is-taken-off-the-board-leaves-results",
        "dpot_app/shell/pins.py",
        "            cache.forget(cache.file_digest(content))\n",
        "",
        (f"{_HOSTILE}::test_the_board_keeps_a_file_that_it_needs_and_says_so",),
        "what the board computed from a file that it reads no more stays",
    ),
    Mutant(
        "the-board-outlives-its-session",
        "dpot_app/shell/pins.py",
        "            cache.forget_with(self, cache.file_digest(files[tag]))\n",
        "",
        (f"{_HOSTILE}::test_numbers_of_the_board_from_a_file_go_with_its_session",),
        "what the board computed from a file stays in the server when the session has ended",
    ),
    Mutant(
        "frames-do-not-wait-for-scripts",
        _SERVING,
        "while Running.count or (heavy",
        "while (heavy",
        ("tests/live/test_serving.py::test_frames_wait_for_scripts",),
        "frames that no reader may look at take the time of those who wait",
    ),
    Mutant(
        "points-push-out-pages",
        _CACHE,
        "= 200_000_000, 10_000, 5_000",
        "= 200_000_000, 500, 250",
        ("tests/kit/test_cache.py::test_points_of_curves_push_out_no_results_of_a_page",),
        "points of curves push out what readers are looking at: a room computes its curves again at every move",
    ),
    Mutant(
        "workers-in-a-session-of-their-own",
        "dpot_app/kit/workers/local.py",
        "_told[_PROCESS] = os.getpid()",
        "_told[_PROCESS] = os.getpid(); os.setsid()",
        (f"{_WORKERS}::test_workers_are_nicer_in_the_session_of_the_server_and_no_key_at_its_terminal_reaches_them",),
        "Linux gives workers as much of the processor as the server, however nice they are",
    ),
]
