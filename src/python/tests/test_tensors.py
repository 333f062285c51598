"""Tensors of other libraries, as they come: the same numbers as NumPy's, whatever their type, order and state."""

import numpy as np
import pytest

import contrapositive as cp


@pytest.fixture(scope="module")
def arrays():
    values = (np.arange(60).reshape(20, 3) ** 2 % 17) / 8.0 - 1.0
    return values, np.arange(20) % 4


def same(found, expected):
    assert list(found) == list(expected)
    for negatives, mine in found.items():
        theirs = expected[negatives]
        assert (mine.lo, mine.hi, mine.grade) == (theirs.lo, theirs.hi, theirs.grade)


class TestJax:
    jax = None

    @pytest.fixture(autouse=True)
    def library(self):
        self.jax = pytest.importorskip("jax")

    @pytest.mark.parametrize("dtype", ["float32", "float16", "int32", "bool"])
    def test_arrays_of_every_type(self, arrays, dtype):
        X, y = arrays
        X = X.astype(dtype)
        expected = cp.losses(X, y, [1, 15], temperature=0.5)
        same(cp.losses(self.jax.numpy.asarray(X), self.jax.numpy.asarray(y), [1, 15], temperature=0.5), expected)

    def test_transposed_and_sliced_arrays(self, arrays):
        X, y = arrays
        expected = cp.losses(X.astype("float32")[::2], y[::2], 7)
        transposed = self.jax.numpy.asarray(X.T.astype("float32")).T
        same(cp.losses(transposed[::2], self.jax.numpy.asarray(y)[::2], 7), expected)

    def test_what_numpy_has_no_type_for_is_named(self, arrays):
        X, y = arrays
        with pytest.raises(ValueError, match="^X: .*bfloat16"):
            cp.losses(self.jax.numpy.asarray(X, dtype="bfloat16"), y, 7)

    def test_views_in_a_loop_of_training(self, arrays):
        """InfoNCE as it is trained, in single precision, beside its enclosure."""
        jnp = self.jax.numpy
        a = jnp.asarray(arrays[0].astype("float32"))
        b = a + 0.1

        def info_nce(a, b):
            logits = a @ b.T / 0.5
            return jnp.mean(self.jax.nn.logsumexp(logits, axis=1) - jnp.diag(logits))

        value, gradient = self.jax.value_and_grad(info_nce)(a, b)
        enclosed = cp.info_nce(a, b, temperature=0.5)
        assert abs(enclosed.loss.mid - float(value)) < 1e-4
        moved = cp.info_nce(a - 0.1 * gradient, b, temperature=0.5)
        assert moved.loss.hi < enclosed.loss.lo


class TestTorch:
    torch = None

    @pytest.fixture(autouse=True)
    def library(self):
        self.torch = pytest.importorskip("torch")

    @pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int32"])
    def test_tensors_of_every_type(self, arrays, dtype):
        X, y = arrays
        X = X.astype(dtype)
        expected = cp.losses(X, y, [1, 15], temperature=0.5)
        same(cp.losses(self.torch.tensor(X), self.torch.tensor(y), [1, 15], temperature=0.5), expected)

    def test_a_tensor_that_takes_part_in_a_gradient(self, arrays):
        X, y = arrays
        tensor = self.torch.tensor(X, requires_grad=True)
        same(cp.losses(tensor, y, 7), cp.losses(X, y, 7))
        assert tensor.requires_grad and tensor.grad is None
        same(cp.losses(tensor.T.contiguous().T[::2], y[::2], 7), cp.losses(X[::2], y[::2], 7))
