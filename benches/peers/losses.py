"""What people use beside the exact losses and heads: InfoNCE of a batch, the loss with every point as a negative, the best linear head.

Prints Markdown: seconds for one evaluation (after compiling, the best of some runs) with NumPy, and with JAX, PyTorch and scikit-learn where they are
installed, on the points of `benches/limits`: unit vectors about random centres, temperature 0.2. Everything in doubles, on the processor.

usage: python benches/peers/losses.py [--points N] [--dimension D]
"""
import argparse
import os
import time

import numpy as np

TEMPERATURE = 0.2


def mixture(n, d, classes, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % classes
    x = 3.0 * rng.standard_normal((n, d)) + rng.standard_normal((classes, d))[labels]
    return x / np.linalg.norm(x, axis=1, keepdims=True), labels


def best(run, seconds=2.0):
    times, start = [], time.perf_counter()
    while time.perf_counter() - start < seconds or len(times) < 2:
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return min(times)


def info_nce_numpy(a, b):
    """As one writes it: all logits of the batch at once."""
    logits = a @ b.T / TEMPERATURE
    top = logits.max(axis=1, keepdims=True)
    return np.mean(np.log(np.exp(logits - top).sum(axis=1)) + top[:, 0] - np.diag(logits))


def full_numpy(x, labels, block=512):
    """Mean over anchors and positives of the loss with every point as a negative, in blocks of anchors, in floating point."""
    total = 0.0
    for first in range(0, len(x), block):
        logits = x[first : first + block] @ x.T / TEMPERATURE
        top = logits.max(axis=1, keepdims=True)
        sums = np.exp(logits - top).sum(axis=1)
        for i, row in enumerate(logits):
            own = row[labels == labels[first + i]]
            total += np.mean(np.log1p(sums[i] * np.exp(top[i, 0] - own)))
    return total / len(x)


def with_jax(a, b):
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)

    def loss(a, b):
        logits = a @ b.T / TEMPERATURE
        return jnp.mean(jax.scipy.special.logsumexp(logits, axis=1) - jnp.diag(logits))

    a, b = jnp.asarray(a), jnp.asarray(b)
    forward, backward = jax.jit(loss), jax.jit(jax.grad(loss))
    return (
        f"JAX {jax.__version__}",
        best(lambda: forward(a, b).block_until_ready()),
        best(lambda: backward(a, b).block_until_ready()),
        float(forward(a, b)),
    )


def with_torch(a, b):
    import torch

    torch.set_num_threads(os.cpu_count())
    a, b = torch.tensor(a, requires_grad=True), torch.tensor(b)
    target = torch.arange(len(a))

    def loss():
        return torch.nn.functional.cross_entropy(a @ b.T / TEMPERATURE, target)

    def backward():
        a.grad = None
        loss().backward()

    def forward():
        with torch.no_grad():
            return loss()

    return f"PyTorch {torch.__version__}", best(forward), best(backward), float(forward())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=4000)
    parser.add_argument("--dimension", type=int, default=64)
    arguments = parser.parse_args()
    n, d = arguments.points, arguments.dimension
    x, labels = mixture(n, d, 10)
    y, _ = mixture(n, d, 10, seed=1)
    b = x + 0.3 * y
    b /= np.linalg.norm(b, axis=1, keepdims=True)
    print(f"| program | InfoNCE of a batch, {n} x {d} | its gradient |")
    print("|---|---|---|")
    value = info_nce_numpy(x, b)
    print(f"| NumPy {np.__version__} | {best(lambda: info_nce_numpy(x, b)):.3f} s | |")
    for program in (with_jax, with_torch):
        try:
            name, forward, backward, other = program(x, b)
        except ImportError:
            continue
        if abs(other - value) > 1e-9 * abs(value):
            raise SystemExit(f"{name} finds {other}, NumPy {value}")
        print(f"| {name} | {forward:.3f} s | {backward:.3f} s |")
    print()
    threads = os.cpu_count()
    print("| NumPy's product of points with themselves | seconds | multiplications a second |")
    print("|---|---|---|")
    for rows, columns in ((1797, 32), (4000, 64), (4000, 128), (2000, 1024)):
        z = np.random.default_rng(0).standard_normal((rows, columns))
        seconds = best(lambda: z @ z.T)
        print(f"| {rows} x {columns}, {threads} threads | {seconds:.4f} s | {rows * rows * columns / seconds:.2e} |")
    print()
    seconds = best(lambda: x @ x.T)
    print(f"NumPy's product of the points with themselves takes {seconds:.4f} s ({n * n * d / seconds:.2e} multiplications a second, {threads} threads).")
    print(f"NumPy takes {best(lambda: full_numpy(x, labels)):.2f} s for the loss with all {n} points as negatives, of which it knows no error.")
    try:
        import sklearn
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        return
    head = LogisticRegression(C=np.inf, fit_intercept=False, max_iter=300)
    seconds = best(lambda: head.fit(x / TEMPERATURE, labels))
    loss = -np.mean(head.predict_log_proba(x / TEMPERATURE)[np.arange(n), labels])
    print(f"scikit-learn {sklearn.__version__} takes {seconds:.2f} s for the best linear head (loss {loss:.6f}).")


if __name__ == "__main__":
    main()
