"""Ctrl-C keeps the best so far; progress is shown; the interpreter goes on meanwhile."""

import os
import signal
import threading
import time

import pytest

import lookalike as la

# Would search for hours.
ENDLESS = 1e6


@pytest.fixture(autouse=True)
def ctrl_c_is_heard():
    """Who starts these tests in the background of a shell has SIGINT ignored in all that it starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt_after(seconds):
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


@pytest.fixture
def many(hospital):
    return hospital, {"quasi": ["sex", "age", "postcode", "nights"], "k": 5, "seed": 1}


def test_ctrl_c_keeps_the_best_so_far_audited(many):
    frame, run = many
    interrupt_after(1)
    with pytest.warns(la.Stopped):
        release = la.anonymize(frame, effort=ENDLESS, method="annealing", **run)
    assert release.stopped and release.status == "cancelled" and release.audit["passed"]
    assert la.check(release.table, quasi=run["quasi"], k=5)


def test_a_second_ctrl_c_ends_the_call_at_once(many):
    frame, run = many

    def interrupted(report):
        # The second report comes while the search is still on its way to its end.
        reports.append(report)
        raise KeyboardInterrupt

    reports = []
    try:
        with pytest.warns(la.Stopped):
            la.anonymize(frame, effort=ENDLESS, method="annealing", progress=interrupted, **run)
    except KeyboardInterrupt:
        assert len(reports) == 2
    else:
        assert len(reports) == 1


def test_what_progress_raises_ends_the_run(many):
    frame, run = many

    def broken(report):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        la.anonymize(frame, effort=ENDLESS, method="annealing", progress=broken, **run)


def test_progress_reports_and_other_threads_run(many):
    frame, run = many
    reports, ticks = [], []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=tick, daemon=True)
    thread.start()
    la.anonymize(frame, effort=20, method="annealing", progress=reports.append, **run)
    done.set()
    assert {"phase", "fraction", "incumbent", "bound", "moves", "seconds"} == set(reports[0])
    assert any(report["incumbent"] for report in reports) and len(ticks) > 10


def test_solve_hears_it_too():
    interrupt_after(1)
    points = [[(7919 * i % 1009) / 10, (104729 * i % 997) / 10] for i in range(2000)]
    with pytest.warns(la.Stopped):
        solution = la.solve(points, k=5, effort=ENDLESS, method="annealing")
    assert solution.stopped and min(solution.labels.count(label) for label in set(solution.labels)) >= 5
