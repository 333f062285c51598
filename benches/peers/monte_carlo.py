"""Plain Monte Carlo for the unsupervised loss with NumPy, on the embeddings of `benches/monte_carlo.rs`.

Prints se * sqrt(seconds) for N = 1, 15, 255, 4096, by three ways of writing it, setting up included:
  rows   inner products of drawn rows, log-sum-exp
  gram   logits looked up in the Gram matrix, log-sum-exp
  table  ratios looked up in a table of exponentials, log1p of their sum: the trick of the Rust program

usage: python benches/peers/monte_carlo.py [--threads T]      (needs numpy; run it beside `cargo bench --bench monte_carlo`)
"""
import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

SQUARE = 5.0


def embeddings():
    """1797 rows of dimension 32 with norm sqrt(5), and their labels."""
    folder = Path(__file__).resolve().parents[2] / "fixtures" / "digits"
    images = np.load(folder / "digits_images.npy").reshape(1797, 64) / 16.0
    rows = images.reshape(1797, 32, 2).mean(axis=2)
    rows -= rows.mean(axis=0)
    rows *= np.sqrt(SQUARE) / np.linalg.norm(rows, axis=1, keepdims=True)
    labels = np.load(folder / "digits_labels.npy").ravel().astype(np.int64)
    order = np.argsort(labels, kind="stable")
    return np.ascontiguousarray(rows[order]), labels[order]


class Model:
    def __init__(self, way):
        self.way = way
        self.rows, labels = embeddings()
        self.n = len(labels)
        self.counts = np.bincount(labels)[labels]
        self.begin = np.searchsorted(labels, labels)
        if way != "rows":
            self.gram = self.rows @ self.rows.T
        if way == "table":
            self.table = np.exp(self.gram - self.gram.max(axis=1, keepdims=True))

    def losses(self, rng, size, negatives):
        i = rng.integers(0, self.n, size)
        j = self.begin[i] + rng.integers(0, self.counts[i])
        y = rng.integers(0, self.n, (size, negatives), dtype=np.uint16)
        if self.way == "table":
            # One flat look-up; the row offset is added once.
            flat = y + (i * self.n)[:, None]
            return np.log1p(self.table.ravel().take(flat).sum(axis=1) / self.table[i, j])
        if self.way == "gram":
            flat = y + (i * self.n)[:, None]
            a = self.gram.ravel().take(flat) - self.gram[i, j][:, None]
        else:
            x = self.rows[i]
            own = np.einsum("sd,sd->s", x, self.rows[j])
            a = np.matmul(self.rows[y], x[:, :, None])[:, :, 0] - own[:, None]
        if negatives == 1:
            return np.logaddexp(0.0, a[:, 0])
        m = np.maximum(a.max(axis=1), 0.0)
        return m + np.log(np.exp(-m) + np.exp(a - m[:, None]).sum(axis=1))


def measure(way, negatives, threads, seconds=2.0):
    size = max(8, {"rows": 1 << 15}.get(way, 1 << 17) // negatives)
    start = time.perf_counter()
    model = Model(way)

    def work(seed):
        rng = np.random.Generator(np.random.SFC64(seed))
        count = total = squares = 0.0
        while time.perf_counter() - start < seconds:
            x = model.losses(rng, size, negatives)
            count, total, squares = count + size, total + x.sum(), squares + x @ x
        return np.array([count, total, squares])

    with ThreadPoolExecutor(threads) as pool:
        count, total, squares = sum(pool.map(work, range(threads)))
    elapsed = time.perf_counter() - start
    mean = total / count
    se = np.sqrt((squares / count - mean**2) / count)
    return mean, count / elapsed, se * np.sqrt(elapsed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    threads = parser.parse_args().threads
    print(f"{'N':>6} {'way':>8} {'mean':>12} {'draws / s':>12} {'se sqrt(s)':>12}   ({threads} threads)")
    for negatives in (1, 15, 255, 4096):
        for way in ("rows", "gram", "table"):
            mean, rate, figure = measure(way, negatives, threads)
            print(f"{negatives:>6} {way:>8} {mean:>12.6f} {rate:>12.3e} {figure:>12.3e}", flush=True)


if __name__ == "__main__":
    main()
