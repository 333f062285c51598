"""Statements as text, claims of one's own, and the catalogue."""

import _thread
import json
import threading
import time

import numpy as np
import pytest

import contrapositive as cp


def test_a_false_statement_is_refuted_and_replayed(tmp_path):
    found = cp.try_("log(1 + exp(a)) <= log 2 + a/2", budget="quick")
    assert found.outcome == "refuted" and set(found.counterexample) == {"a"}
    a = found.counterexample["a"]
    assert np.logaddexp(0.0, a) > np.log(2) + a / 2
    assert found.comparison.judgement == "violated"
    assert str(found).startswith("refuted") and "log(1 + exp(a)) &lt;= log 2" in found._repr_html_()
    (again,) = cp.replay(found)
    assert again.refutes and again.comparison.judgement == "violated"
    path = tmp_path / "counterexample.json"
    path.write_text(json.dumps(found.to_dict()["refutation"]))
    assert cp.replay(path)[0].refutes


def test_a_true_one_is_proved_or_stands():
    assert cp.try_("1 - exp(-x) >= x/2", over="x in [0, 3/2]").outcome == "proved"
    stands = cp.try_("tv(p, q)^2 <= 1 - exp(-kl(p, q))", over="n in 2..4, p, q in simplex(n)", budget="quick")
    assert stands.outcome == "stands" and stands.counterexample is None and stands.how
    with pytest.raises(ValueError, match="witness"):
        cp.replay(stands)


def test_what_cannot_be_read_is_shown_in_its_place():
    with pytest.raises(ValueError, match="statement"):
        cp.try_("x <=")
    with pytest.raises(ValueError, match="^budget"):
        cp.try_("x <= x", budget="endless")


def first_lemma():
    @cp.claim("x in R", expect="fails", because="for negative x")
    def first_lemma(x):
        "e^(−x) ≤ 1 − x + x²/2 for all real x"
        return cp.exp(-x) <= 1 - x + x**2 / 2

    @first_lemma.amendment(where="x >= 0")
    def corrected(x):
        "e^(−x) ≤ 1 − x + x²/2 for x ≥ 0"
        return cp.exp(-x) <= 1 - x + x**2 / 2

    @first_lemma.control()
    def a(x):
        "e^(−x) ≤ 1 − x"
        return cp.exp(-x) <= 1 - x

    return first_lemma


def test_the_first_lemma():
    claim = first_lemma()
    found = claim.tried()
    assert found.verdict == "fails" and found.grade == "exact" and found.as_expected
    x = found["printed"].counterexample["x"]
    assert x < 0 and claim.at(x=x).judgement == "violated" and claim.at(x=1.0).judgement == "holds"
    assert found["corrected"].verdict == "holds" and found["a"].verdict == "fails"
    assert found["printed"].instance.startswith("x = -")
    assert "part printed: fails (exact)" in str(found)
    assert list(found.to_frame()["check"]) == ["printed", "corrected", "a"]
    # The same seed, the same evidence.
    assert claim.tried().to_dict() == found.to_dict()


def test_a_probability_with_its_interval():
    def near(d, trial, times):
        samples = trial.samples(16_000)
        v = trial.generator().standard_normal((samples, d))
        squared = v[:, 0] ** 2 * d / np.sum(v**2, axis=1)
        return cp.clopper_pearson(int(np.sum(squared <= times**2)), samples, trial.alpha())

    @cp.claim("d in 1..256", kind="probability-bound", expect="fails", because="about 0.68 for large d")
    def near_orthogonal(d, trial):
        "|⟨u, v⟩| ≤ 1/√d with probability at least 0.9, for all d ≥ 1"
        return near(d, trial, 1) >= 0.9

    @near_orthogonal.amendment(statement="P(|⟨u, v⟩| ≤ 2/√d) ≥ 0.9")
    def two(d, trial):
        return near(d, trial, 2) >= 0.9

    @near_orthogonal.control(statement="P(|⟨u, v⟩| ≤ 2/√d) ≥ 0.99")
    def a(d, trial):
        return near(d, trial, 2) >= 0.99

    found = near_orthogonal.tried()
    assert found.verdict == "fails" and found.grade == "sampled"
    assert found["two"].verdict == "holds" and found["a"].verdict == "fails"
    assert found["printed"].counterexample["d"] > 1


def test_growth_is_judged_by_a_trend():
    def distances(first, trial):
        repeats, rng = trial.samples(1600), trial.generator()
        sizes = [first << k for k in range(8)]
        return [(n, float(np.mean(np.abs(rng.binomial(n, 0.5, repeats) / n - 0.5)))) for n in sizes]

    @cp.claim("first in 4..16", kind="asymptotic", expect="fails", because="it decays like 1/√n")
    def coins(first, trial):
        "E|X̄_n − ½| = O(1/n)"
        return cp.Trend(distances(first, trial), "n").grows_at_most(-1.0)

    @coins.amendment(statement="E|X̄_n − ½| = Θ(1/√n)", expect="consistent")
    def root(first, trial):
        return cp.Trend(distances(first, trial), "n").grows_like(-0.5)

    @coins.control(statement="E|X̄_n − ½| = Ω(1)")
    def a(first, trial):
        return cp.Trend(distances(first, trial), "n").stays_above_zero()

    found = coins.tried()
    assert found.verdict == "fails" and found.grade == "measured"
    assert found["root"].verdict == "consistent" and "exponent -0." in found["root"].note
    assert found["a"].verdict == "fails"


def test_vectors_conditions_and_what_is_undefined():
    @cp.claim("n in 1..4, u, v in R^n", where="norm(u) <= 2")
    def cauchy_schwarz(u, v):
        "⟨u, v⟩ ≤ ‖u‖ ‖v‖"
        return cp.dot(u, v) <= cp.norm(u) * cp.norm(v)

    assert cauchy_schwarz.variables == ["n", "u", "v"]
    found = cauchy_schwarz.tried()
    assert found.verdict in ("holds", "undecided") and found["printed"].witness is None

    @cp.claim("x in R", expect="fails", because="beyond one")
    def logarithm(x):
        "log x ≤ 0"
        return cp.log(x) <= 0

    found = logarithm.tried()
    assert found.verdict == "fails" and found["printed"].counterexample["x"] > 1 and found.as_expected
    assert found.to_dict()["checks"][0]["instances"]["vacuous"] > 0


def test_floats_and_exceptions_of_a_check_are_not_swallowed():
    @cp.claim("x in [0, 1]")
    def floating(x):
        return x.mid <= 2.0

    with pytest.raises(TypeError, match="returned bool"):
        floating.tried()

    @cp.claim("x in [0, 1]")
    def broken(x):
        return {}["missing"]

    with pytest.raises(KeyError, match="missing") as raised:
        broken.tried()
    assert any(
        "while printed was tried on x = " in note
        for note in getattr(raised.value, "__notes__", ["while printed was tried on x = "])
    )


def test_a_claim_that_cannot_be_read_is_refused_at_once():
    with pytest.raises(ValueError, match="no variable is called z"):
        cp.claim("x in R")(lambda z: z <= 0)
    with pytest.raises(ValueError):
        cp.claim("x in [1, 0]")(lambda x: x <= 0)
    with pytest.raises(ValueError, match="called printed already"):
        cp.claim("x in R")(lambda x: x <= 0).control(id="printed")(lambda x: x <= 0)
    with pytest.raises(ValueError, match="^role"):
        cp.claim("x in R")(lambda x: x <= 0).check("hope")


def interrupted(work):
    """Seconds until a Ctrl-C after a moment is heard."""
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    start = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        timer.cancel()
    return time.monotonic() - start


def test_an_interrupt_is_heard_and_the_lock_is_free():
    beats = []
    stop = threading.Event()

    def beat():
        while not stop.wait(0.02):
            beats.append(time.monotonic())

    thread = threading.Thread(target=beat)
    thread.start()
    try:
        rng = np.random.default_rng(0)
        X, y = rng.standard_normal((4000, 64)), np.arange(4000) % 10
        interrupted(lambda: cp.losses(X, y, 255, work=1e13, half_width=1e-12, exact=True))
        interrupted(lambda: first_lemma().tried("deep"))
    finally:
        stop.set()
        thread.join()
    assert len(beats) > 5


def test_the_catalogue_is_listed_run_and_replayed():
    listed = cp.claims("merad2020.*")
    assert "merad2020.lemma-1" in listed.to_dict() and len(cp.claims()) > len(listed)
    assert listed["merad2020.lemma-2"]["expected"] in ("fails", "holds", "mixed")
    told = []
    run = cp.verify("merad2020.lemma-1", progress=lambda *news: told.append(news))
    found = run["merad2020.lemma-1"]
    assert found.verdict == listed["merad2020.lemma-1"]["expected"] and found.as_expected and run.as_expected
    assert "1 of 1 claims as expected" in str(run) and found.page.startswith("#")
    assert run.to_dict()["claims"][0]["id"] == "merad2020.lemma-1"
    with pytest.raises(ValueError, match="^claims: .*names none"):
        cp.verify("merad2020.no-such")
    refuted = [claim["id"] for claim in cp.claims() if claim["expected"] == "fails"]
    again = cp.replay(refuted[0])
    assert again and all(one.refutes for one in again)
    with pytest.raises(ValueError, match="^witness"):
        cp.replay("merad2020.no-such")
