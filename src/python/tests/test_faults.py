"""What should never hang, abort or be silent: forks, functions that ask for work themselves, sizes beyond any memory, Ctrl-C."""

import copy
import multiprocessing
import os
import pickle
import resource
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import contrapositive as cp

X, Y = np.arange(24.0).reshape(12, 2) / 10, np.arange(12) % 3


def in_a_process(program: str, seconds: float = 1200.0) -> subprocess.CompletedProcess[str]:
    """A program of its own: what hangs or aborts takes nothing else with it. What hangs does so for ever: the limit is for no machine under load."""
    words = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(program)]
    return subprocess.run(words, capture_output=True, text=True, timeout=seconds)


def _loss(_):
    return cp.losses(X, Y, [3])[3].mid


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_children_of_a_fork_work_as_their_parent():
    done = in_a_process(
        """
        import os
        import numpy as np, contrapositive as cp
        X, y = np.arange(24.0).reshape(12, 2) / 10, np.arange(12) % 3
        before = cp.losses(X, y, [3])[3].mid
        for _ in range(3):
            child = os.fork()
            if child == 0:
                same = cp.losses(X, y, [3])[3].mid == before
                same = same and cp.try_("x^2 >= x", budget="quick").outcome == "refuted"
                # A child of a child, too.
                grandchild = os.fork()
                if grandchild == 0:
                    os._exit(0 if cp.losses(X, y, [3])[3].mid == before else 1)
                os._exit(0 if same and os.waitpid(grandchild, 0)[1] == 0 else 1)
            assert os.waitpid(child, 0)[1] == 0
            assert cp.losses(X, y, [3])[3].mid == before
        print("done")
        """
    )
    assert done.stdout == "done\n", done.stderr


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="forks")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_pool_of_forks_works():
    expected = _loss(0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(_loss, range(6)).get(timeout=1200) == [expected] * 6


def test_a_function_that_is_tried_may_ask_for_work_itself():
    done = in_a_process(
        """
        import threading
        import numpy as np, contrapositive as cp

        @cp.claim("x in R")
        def inner(x):
            return x <= x + 1

        @cp.claim("x in R", search=False)
        def typed(x):
            assert cp.try_("y <= y + 1", budget="quick").outcome == "proved"
            return x <= x + 1

        @cp.claim("x in R", search=False)
        def written(x):
            assert inner.tried().verdict == "holds"
            return x <= x + 1

        @cp.claim("x in R", search=False)
        def on_a_thread(x):
            X, y = np.arange(24.0).reshape(12, 2) / 10, np.arange(12) % 3
            thread = threading.Thread(target=lambda: cp.losses(X, y, [3]))
            thread.start()
            thread.join()
            return x <= x + 1

        for claim in (typed, written, on_a_thread):
            print(claim.tried().verdict)
        """
    )
    assert done.stdout.split() == ["holds"] * 3, done.stderr


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("y", "cp.losses(wide((2**40, 4)), y)"),
        ("y", "cp.bounds(wide((2**40, 4)), y)"),
        ("y", "cp.losses(wide((2**20, 2**10)), y)"),
        ("X", "cp.losses(wide((60, 2**31)), y)"),
        ("X", "cp.bounds(wide((60, 2**31)), y)"),
        ("X", "cp.losses(wide((2**20, 2**10)), np.broadcast_to(np.int8(0), 2**20))"),
        ("b", "cp.info_nce(wide((2**40, 4)), wide((60, 4)))"),
        ("b", "cp.info_nce(wide((60, 4)), wide((2**40, 4)))"),
        ("a", "cp.info_nce(wide((2**40, 4)), wide((2**40, 4)))"),
        ("a", "cp.info_nce(wide((2**20, 2**10)), wide((2**20, 2**10)))"),
        ("X", "cp.losses(wide((60, 2**22)), y)"),
        ("a", "cp.info_nce(wide((60, 2**22)), wide((60, 2**22)))"),
    ],
)
def test_sizes_beyond_memory_are_refused_by_name(name, call):
    done = in_a_process(
        f"""
        import resource
        import numpy as np, contrapositive as cp
        # What is left for arrays: less than a GiB.
        resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
        wide = lambda shape: np.broadcast_to(np.float32(1), shape)
        y = np.arange(60) % 3
        try:
            {call}
        except ValueError as error:
            print(error)
        """
    )
    assert done.returncode == 0 and done.stdout.startswith(f"{name}: "), (done.returncode, done.stdout, done.stderr)


def settled() -> float:
    """Seconds of the processors that this process takes from now on until it rests: work of other processes is not among them."""
    begun = last = time.process_time()
    quiet = 0
    for _ in range(600):
        time.sleep(0.1)
        now = time.process_time()
        # A thread that waits for a processor rests for a moment, too.
        quiet = quiet + 1 if now - last < 0.005 else 0
        last = now
        if quiet == 10:
            break
    return last - begun


RNG = np.random.default_rng(0)
BIG, CLASSES = RNG.standard_normal((20_000, 128)), RNG.integers(0, 10, 20_000)


# Each takes a minute of the processors or more where nobody interrupts it.
@pytest.mark.parametrize(
    "call",
    [
        lambda progress: cp.losses(BIG, CLASSES, [15], progress=progress),
        lambda progress: cp.losses(BIG, CLASSES, [15], gradient=True, work=1e13, progress=progress),
        lambda progress: cp.losses(BIG, CLASSES, [15], self_positive=False, progress=progress),
        lambda progress: cp.losses(BIG, CLASSES, [15], work=6e10, half_width=1e-9, progress=progress),
        lambda progress: cp.bounds(BIG, CLASSES, [15], progress=progress),
        lambda progress: cp.info_nce(BIG, BIG[::-1], work=1e13, progress=progress),
    ],
    ids=["losses", "gradient", "another positive", "sampled", "bounds", "views"],
)
def test_what_was_interrupted_ends_at_once(call):
    small = cp.losses(X, Y, [3])[3].mid
    shares = []
    handler = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with pytest.raises(KeyboardInterrupt):
            call(lambda stage, share, known: shares.append(share))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
    # Counted is work, and not time, which a machine under load has not to give; what is left to do would take a minute of it.
    before = time.process_time()
    assert cp.losses(X, Y, [3])[3].mid == small
    # A piece that has begun may take seconds on a slow machine.
    assert time.process_time() - before + settled() < 12.0
    assert all(share < 0.9 for share in shares)


def test_runs_of_the_catalogue_tell_as_others_do(capsys):
    told = []
    run = cp.verify("merad2020.lemma-4", progress=lambda *news: told.append(news))
    assert run.as_expected
    assert cp.verify("merad2020.lemma-4", progress=False).as_expected
    assert capsys.readouterr().err == ""
    with pytest.raises(ValueError, match="^progress"):
        cp.verify("merad2020.lemma-4", progress="yes")


def test_results_are_pickled_and_copied():
    @cp.claim("x in R")
    def drops(x):
        return x <= x / 2

    comparisons = [
        cp.measured(1.5) <= cp.pi(),
        cp.equal(1, 1.5, within=0.25).with_margin(cp.pi()).on_scale(4.0),
        cp.all_of(cp.pi() <= 4, cp.pi() > 3),
        cp.Trend([(n, n**1.5) for n in (10, 20, 40, 80)]).grows_at_most(2.0),
        (1 / (cp.Enclosure(-1.0, 1.0) + 0)) <= 1,
    ]
    for one in comparisons:
        for again in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
            assert repr(again) == repr(one) and again.judgement == one.judgement and again.note == one.note
    results = [cp.try_("x^2 >= x", budget="quick"), cp.try_("x <= x + 1", budget="quick"), drops.tried()]
    results += [cp.losses(X, Y, [3]), cp.bounds(X, Y, [3]), cp.verify("merad2020.lemma-4")]
    results += cp.replay("merad2020.cc-variance")
    for one in results:
        for again in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one)):
            assert str(again) == str(one) and again.to_dict() == one.to_dict()
    with pytest.raises(ValueError, match="^record"):
        cp._native.recalled("compared", b"\x00\xff")


class Hostile:
    def __dlpack__(self, **_):
        raise ZeroDivisionError("of its own")

    def __dlpack_device__(self):
        return (1, 0)


MASKED = np.ma.masked_array(X, mask=X > 2.0)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("X", lambda: cp.losses(MASKED, Y)),
        ("y", lambda: cp.losses(X, np.ma.masked_array(Y, mask=Y > 1))),
        ("X", lambda: cp.losses(Hostile(), Y)),
        ("statement", lambda: cp.try_("\ud800 >= 1")),
        ("over", lambda: cp.try_("x >= 1", "x in \ud800")),
        ("where", lambda: cp.try_("x >= 1", where="\ud800")),
        ("budget", lambda: cp.try_("x >= 1", budget="\ud800")),
        ("claims", lambda: cp.verify("\ud800")),
        ("claims", lambda: cp.claims("\ud800")),
        ("witness", lambda: cp.replay("\ud800")),
        ("successes", lambda: cp.clopper_pearson(-1, 10, 0.05)),
        ("successes", lambda: cp.clopper_pearson(11, 10, 0.05)),
        ("successes", lambda: cp.clopper_pearson(2**70, 10, 0.05)),
        ("trials", lambda: cp.clopper_pearson(0, -10, 0.05)),
        ("trials", lambda: cp.clopper_pearson(0, 0, 0.05)),
        ("alpha", lambda: cp.clopper_pearson(1, 10, 0.0)),
        ("b", lambda: cp.info_nce(X, X[:5])),
        ("b", lambda: cp.info_nce(X, X[:, :1])),
        ("b", lambda: cp.info_nce(X, np.where(X > 2.0, np.nan, X))),
        ("a", lambda: cp.info_nce(np.where(X > 2.0, np.nan, X), X)),
        ("alpha", lambda: cp.losses(X, Y, [1], work=1e3, alpha=1e-320)),
        ("alpha", lambda: cp.bounds(X, Y, [1], work=1e3, alpha=1e-320)),
    ],
)
def test_what_is_refused_begins_with_the_name_of_the_argument(name, call):
    with pytest.raises(ValueError, match=rf"^{name}\b"):
        call()


def test_a_mask_that_masks_nothing_is_none():
    assert cp.losses(np.ma.masked_array(X, mask=False), Y, [3])[3].mid == cp.losses(X, Y, [3])[3].mid


@pytest.mark.skipif(sys.platform != "linux", reason="the size of a process is told in pages of Linux")
def test_two_thousand_calls_take_no_more_memory_than_two_hundred():
    def resident() -> int:
        with open("/proc/self/statm") as sizes:
            return int(sizes.read().split()[1]) * resource.getpagesize()

    def calls(count: int) -> None:
        for _ in range(count):
            cp.losses(X, Y, [3])
            cp.info_nce(X, X)
            pickle.loads(pickle.dumps(cp.pi() <= 4))

    calls(200)
    before = resident()
    calls(2000)
    assert resident() - before < 8 << 20
