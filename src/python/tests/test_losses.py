"""Losses, bounds and views of arrays, compared with NumPy."""

import inspect

import numpy as np
import pytest
from sklearn.datasets import load_digits

import contrapositive as cp


@pytest.fixture(scope="module")
def digits():
    data = load_digits()
    return data.data / 16.0, data.target


def by_quadrature(X, y, negatives, temperature):
    """log(1 + S/w) is the integral of e^(-t w) (1 - e^(-t S)) dt/t, and of N independent weights E e^(-t S) is a power."""
    logits = X @ X.T / temperature
    u = np.linspace(-60.0, 80.0, 7001)
    total = 0.0
    for i in range(len(X)):
        weights = np.exp(logits[i] - logits[i].max())
        inner = np.exp(-np.outer(np.exp(u), weights))
        positive = inner[:, y == y[i]].mean(axis=1)
        total += np.sum(positive * (1.0 - inner.mean(axis=1) ** negatives)) * (u[1] - u[0])
    return total / len(X)


@pytest.mark.parametrize("negatives", [1, 15, 255])
def test_losses_of_digits_are_those_of_numpy(digits, negatives):
    X, y = digits
    X, y = X[:100], y[:100]
    loss = cp.losses(X, y, negatives, temperature=0.5)[negatives]
    assert loss.grade == "exact" and loss.width < 1e-10
    assert abs(loss.mid - by_quadrature(X, y, negatives, 0.5)) < 1e-8


def test_one_negative_by_plain_sums(digits):
    X, y = digits
    X, y = X[:200], y[:200]
    logits = X @ X.T / 0.1
    total = 0.0
    for i in range(len(X)):
        positives = logits[i, y == y[i]]
        total += np.logaddexp(0.0, logits[i][None, :] - positives[:, None]).mean()
    loss = cp.losses(X, y, 1, temperature=0.1)[1]
    assert abs(loss.mid - total / len(X)) < 1e-10


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, np.int8, np.uint64, bool, ">f4"])
def test_every_type_and_order_of_memory_is_the_same_numbers(dtype):
    values = np.arange(60).reshape(20, 3) % 2
    y = np.arange(20) % 4
    expected = cp.losses(values.astype(float), y, 7)[7]
    for array in (
        values.astype(dtype),
        np.asfortranarray(values.astype(dtype)),
        np.repeat(values.astype(dtype), 2, axis=0)[::2],
    ):
        found = cp.losses(array, y, 7)[7]
        assert (found.lo, found.hi) == (expected.lo, expected.hi)


def test_labels_by_any_name():
    X = np.arange(24.0).reshape(12, 2) / 10
    y = np.arange(12) % 3
    expected = cp.losses(X, y, 3)[3].mid
    words = np.array(["cat", "dog", "eel"])[y]
    for labels in (
        y.tolist(),
        y[:, None],
        y.astype(float),
        words,
        words.astype(object),
        words.astype("S3"),
        y.astype(np.uint8),
    ):
        assert cp.losses(X, labels, 3)[3].mid == expected
    assert [row["name"] for row in cp.bounds(X, words, 3).classes] == ["cat", "dog", "eel"]


class Tensor:
    """What speaks DLPack and nothing else, as tensors of other libraries do."""

    def __init__(self, array):
        self.array = array

    def detach(self):
        return self

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_tensors_come_in_by_dlpack():
    X = np.arange(24, dtype=np.float32).reshape(12, 2) / 10
    y = np.arange(12) % 3
    assert cp.losses(Tensor(X), Tensor(y), 3)[3].mid == cp.losses(X, y, 3)[3].mid


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("X", {"X": np.zeros(3)}),
        ("X", {"X": [[1.0, np.nan]] * 12}),
        ("X", {"X": [[1.0, "a"]] * 12}),
        ("X", {"X": np.zeros((12, 2), dtype=complex)}),
        ("y", {"y": [0, 1]}),
        ("y", {"y": [0.5] * 12}),
        ("y", {"y": [[0, 1]] * 12}),
        ("negatives", {"negatives": 0}),
        ("negatives", {"negatives": [1.5]}),
        ("negatives", {"negatives": []}),
        ("temperature", {"temperature": 0.0}),
        ("temperature", {"temperature": "warm"}),
        ("temperature", {"temperature": 1e-320}),
        ("work", {"work": 1.0, "exact": True}),
        ("alpha", {"alpha": 2.0}),
        ("seed", {"seed": -1}),
        ("normalize", {"X": np.zeros((12, 2)), "normalize": True}),
        ("gradient", {"gradient": True, "normalize": True}),
        ("negatives", {"negatives": 99, "replacement": False}),
    ],
)
def test_what_is_refused_is_named(name, change):
    arguments = {"X": np.arange(24.0).reshape(12, 2), "y": np.arange(12) % 3, "negatives": [1]} | change
    with pytest.raises(ValueError, match=rf"^{name}\b"):
        cp.losses(**arguments)


@pytest.mark.parametrize("function", [cp.losses, cp.bounds])
def test_settings_are_in_the_signature_and_others_are_refused(function):
    told = inspect.signature(function).parameters
    shown = {name: told[name].default for name in ("temperature", "normalize", "replacement", "exact", "alpha", "seed")}
    assert shown == {
        "temperature": 1.0,
        "normalize": False,
        "replacement": True,
        "exact": False,
        "alpha": 1e-6,
        "seed": 0,
    }
    assert "settings" not in told
    X, y = np.arange(24.0).reshape(12, 2), np.arange(12) % 3
    with pytest.raises(TypeError, match=rf"{function.__name__}\(\) .*temprature"):
        function(X, y, 1, temprature=0.5)


def test_gradients_are_differences(digits):
    X, y = digits[0][:60].copy(), digits[1][:60]
    gradient = cp.losses(X, y, [7, 31], temperature=0.5, gradient=True).gradients[31]
    assert gradient.values.shape == X.shape and gradient.radius < 1e-9
    rng = np.random.default_rng(1)
    way = rng.standard_normal(X.shape)
    loss = lambda step: cp.losses(X + step * way, y, 31, temperature=0.5)[31].mid
    assert abs((loss(1e-5) - loss(-1e-5)) / 2e-5 - np.sum(gradient.values * way)) < 1e-7


def test_sampled_losses_contain_the_exact_one_and_tell_how_far_they_are(digits):
    X, y = digits[0][:400], digits[1][:400]
    exact = cp.losses(X, y, 15)[15]
    sampled = cp.losses(X, y, 15, work=1e7, half_width=2e-2)[15]
    assert sampled.grade == "sampled" and sampled.alpha <= 1e-6
    assert sampled.lo <= exact.hi and exact.lo <= sampled.hi


def test_an_exception_of_progress_ends_the_work(digits):
    class Enough(Exception):
        pass

    def progress(stage, share, known):
        raise Enough(stage)

    with pytest.raises(Enough):
        cp.bounds(np.tile(digits[0], (4, 1)), np.tile(digits[1], 4), progress=progress)


def test_bounds_conclude_about_digits(digits):
    X, y = digits
    found = cp.bounds(X, y, [1, 15, 255], temperature=0.1, normalize=True, center=True)
    assert found.conclusion.startswith("Says nothing") and "right on" in found.reality
    assert found.best["limit"].lo > found.chance.hi > found.best_head.hi
    separated = cp.bounds(3.0 * np.eye(10)[y], y, [1, 15])
    assert separated.conclusion.startswith("Informative") and separated.rows[0]["worth"] == "informative"
    assert separated.best_head.hi <= separated.best["limit"].hi < separated.chance.lo
    assert set(found.sharp) >= {1, 15, 255}
    losses = cp.losses(X, y, [1, 15, 255], temperature=0.1, normalize=True, center=True)
    for n, loss in losses.items():
        assert (found.unsupervised[n].lo, found.unsupervised[n].hi) == (loss.lo, loss.hi)
    # Lemma 2 with the sharp factor, by hand.
    shares = np.bincount(y) / len(y)
    for n in (1, 15, 255):
        collisions = np.sum(shares ** (n + 1)) * np.log(n + 1)
        by_hand = (losses[n].mid - collisions) / (1 - (1 - shares.min()) ** n)
        assert abs(found.sharp[n].mid - by_hand) < 1e-9
    assert len(found.classes) == 10
    html = found._repr_html_()
    assert found.conclusion.split(":")[0] in html and html.count("<tr>") > len(found.rows) + 1
    frame = found.to_frame()
    assert len(frame) == len(found.rows) and "limit.hi" in frame and "limit" not in frame
    assert found.to_dict()["format"] == "contrapositive bounds 1"
    assert found.to_dict()["claims"]["merad2020.lemma-2"]["checks"]["rarest-class"] == "holds"
    assert found.rows[0]["headline"] == "holds, exact" and found.rows[0]["grade"] == "exact"


def test_losses_as_trained_and_the_shape_stand_beside_the_bounds(digits):
    X, y = digits[0][:200], digits[1][:200]
    found = cp.bounds(X, y, [15, 255], tasks=2, temperature=0.5, replacement=False, equal_classes=True)
    expected = cp.losses(X, y, 15, temperature=0.5, replacement=False, equal_classes=True)[15]
    assert (found.trained[15].lo, found.trained[15].hi) == (expected.lo, expected.hi)
    assert found.trained[255] is None
    unit = np.sum((X[:, None] - X[None]) ** 2, axis=2)
    np.fill_diagonal(unit, np.inf)
    distances = found.report["geometry"]["distances"]
    assert abs(distances["uniformity"] - np.log(np.exp(-2 * unit).sum() / 200 / 199)) < 1e-9
    assert abs(distances["separation"] - np.sqrt(unit.min())) < 1e-9
    spectrum = found.report["geometry"]["spread"]["eigenvalues"]
    assert np.allclose(spectrum, np.linalg.eigvalsh(np.cov(X.T, bias=True))[::-1], atol=1e-12)
    for text in (str(found), found._repr_html_()):
        assert "Losses as you train" in text and "over tasks" in text and "uniformity" in text
        assert "198 candidates" in text


def test_work_that_takes_long_tells_of_itself(digits, capsys):
    X, y = digits
    cp.bounds(X, y, [15], progress=True)
    assert "contrapositive: " in capsys.readouterr().err
    cp.bounds(X[:200], y[:200], [15], progress=False)
    assert capsys.readouterr().err == ""
    with pytest.raises(ValueError, match="^progress"):
        cp.bounds(X, y, [15], progress="yes")


def test_all_results_are_pages():
    X, y = np.arange(24.0).reshape(12, 2) / 10, np.arange(12) % 3
    found = cp.losses(X, y, [3], gradient=True)
    assert "<code" in found[3]._repr_html_() and "12 x 2" in found.gradients[3]._repr_html_()
    assert len(found.gradients[3].to_dict()["values"]) == 12
    assert "refuted again" in cp.replay("merad2020.cc-variance")[0]._repr_html_()


def test_views_are_those_of_numpy():
    rng = np.random.default_rng(0)
    a = rng.standard_normal((40, 5)).astype(np.float32)
    b = (a + 0.3 * rng.standard_normal((40, 5))).astype(np.float32)
    found = cp.info_nce(a, b, temperature=0.5, normalize=True, negatives=[1, 39])
    unit = lambda x: x / np.linalg.norm(x, axis=1, keepdims=True)
    u, v = unit(a.astype(float)), unit(b.astype(float))
    logits = u @ v.T / 0.5
    log_sum = lambda z: np.log(np.exp(z).sum(axis=1))
    forth = np.mean(log_sum(logits) - np.diag(logits))
    back = np.mean(log_sum(logits.T) - np.diag(logits))
    assert abs(found.loss.mid - forth) < 1e-12 and abs(found.back.mid - back) < 1e-12
    assert abs(found.clip.mid - (forth + back) / 2) < 1e-12
    both = np.concatenate([u, v])
    s = both @ both.T / 0.5
    np.fill_diagonal(s, -np.inf)
    partner = np.concatenate([np.arange(40, 80), np.arange(40)])
    assert abs(found.nt_xent.mid - np.mean(log_sum(s) - s[np.arange(80), partner])) < 1e-12
    one = np.mean([np.mean(np.logaddexp(0, np.delete(logits[i], i) - logits[i, i])) for i in range(40)])
    assert abs(found.drawn[1].mid - one) < 1e-10
    assert found.cosines and "NT-Xent" in found.to_frame()["loss"].tolist()
    few = cp.info_nce(np.tile(a, (10, 1)), np.tile(b, (10, 1)), temperature=0.5, normalize=True, work=5e6, alpha=1e-3)
    whole = cp.info_nce(np.tile(a, (10, 1)), np.tile(b, (10, 1)), temperature=0.5, normalize=True)
    assert few.nt_xent.grade == "sampled" and whole.nt_xent.grade == "exact" and few.rows[0]["grade"] == "sampled"
    assert few.nt_xent.lo <= whole.nt_xent.hi and whole.nt_xent.lo <= few.nt_xent.hi
    with pytest.raises(ValueError, match="^work"):
        cp.info_nce(a, b, work=10.0, exact=True)
    with pytest.raises(ValueError, match="^alpha"):
        cp.info_nce(a, b, alpha=2.0)
    with pytest.raises(ValueError, match="second views"):
        cp.info_nce(a, b[:30])
    with pytest.raises(ValueError, match="^b: an array with 1 axes"):
        cp.info_nce(a, b[0])


def test_a_frame_has_the_same_columns_whether_a_row_has_its_enclosure_or_not():
    X = np.arange(24.0).reshape(12, 2) / 10
    # Two negatives of six classes: the tasks of all of them are never drawn, and some bounds are silent.
    found = cp.bounds(X, np.arange(12) % 6, [1, 2], tasks=[2, 6])
    frames = [found.to_frame(), cp.info_nce(X, X + 0.1, negatives=[3]).to_frame()]
    assert any(row["limit"] is None for row in found.rows)
    for frame in frames:
        names = set(frame.columns)
        for name in names:
            assert f"{name}.lo" not in names, name
            assert not frame[name].isna().all(), name


def test_pixels_are_scaled_where_it_is_asked_and_told_of_where_it_is_not():
    pixels = (np.arange(60) * 37 % 256).reshape(20, 3).astype(np.uint8)
    y = np.arange(20) % 4
    plain, scaled = cp.losses(pixels, y, 7, temperature=256.0), cp.losses(pixels, y, 7, temperature=256.0, pixels=True)
    by_hand = cp.losses(pixels / 255.0, y, 7, temperature=256.0)
    assert scaled[7].mid == by_hand[7].mid != plain[7].mid
    assert cp.bounds(pixels, y, pixels=True).conclusion.endswith("Pixels are scaled by 1/255.")
    assert f"whole numbers from 0 to {pixels.max()}," in cp.bounds(pixels, y).conclusion
    assert cp.info_nce(pixels, pixels, pixels=True).conclusion.endswith("Pixels are scaled by 1/255.")
    for call in (lambda X: cp.bounds(X, y, pixels=True), lambda X: cp.info_nce(X, X, pixels=True)):
        with pytest.raises(ValueError, match="^pixels: .*row 0, column 1"):
            call(pixels + 0.5 * (np.arange(3) == 1))
