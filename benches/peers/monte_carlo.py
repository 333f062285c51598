"""Plain Monte Carlo for the unsupervised loss with NumPy, on the embeddings of `benches/monte_carlo.rs`.

Prints se * sqrt(seconds) for N = 1, 15, 255, 4096, by three ways of writing it, setting up (but not compiling) included:
  rows   inner products of drawn rows, log-sum-exp
  gram   logits looked up in the Gram matrix, log-sum-exp
  table  ratios looked up in a table of exponentials, log1p of their sum: the trick of the Rust program
and, where numba is installed, by two compiled loops over the same table:
  numba  with np.random.randint, as one would write it
  tuned  with a SplitMix64 generator in the loop, four numbers of 16 bits from each word (not exactly uniform)

usage: python benches/peers/monte_carlo.py [--threads T] [--seconds S]
(needs numpy, takes numba if it is there; run it beside `cargo bench --bench monte_carlo`)
"""
import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

try:
    import numba
except ImportError:
    numba = None

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


if numba:

    @numba.njit(nogil=True, fastmath=True)
    def idiomatic(table, counts, begin, size, negatives, seed):
        np.random.seed(seed)
        n = len(begin)
        total = squares = 0.0
        for _ in range(size):
            i = np.random.randint(n)
            j = begin[i] + np.random.randint(counts[i])
            s = 0.0
            for _ in range(negatives):
                s += table[i, np.random.randint(n)]
            x = np.log1p(s / table[i, j])
            total += x
            squares += x * x
        return total, squares

    @numba.njit(nogil=True, fastmath=True)
    def tuned(table, counts, begin, size, negatives, seed):
        n = len(begin)
        bound = np.uint64(n)
        low = np.uint64(0xFFFF)
        shift = np.uint64(16)
        state = np.uint64(seed) * np.uint64(0xD1342543DE82EF95) + np.uint64(1)
        total = squares = 0.0
        for _ in range(size):
            s = 0.0
            i = 0
            own = 1.0
            # Anchor, positive and two negatives from the first word, then four negatives from each.
            first = True
            done = 0
            while done < negatives:
                state += np.uint64(0x9E3779B97F4A7C15)
                z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
                z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
                z = z ^ (z >> np.uint64(31))
                if first:
                    i = np.int64(((z & low) * bound) >> shift)
                    z >>= shift
                    own = table[i, begin[i] + np.int64(((z & low) * np.uint64(counts[i])) >> shift)]
                    z >>= shift
                k = 2 if first else 4
                first = False
                for _ in range(min(k, negatives - done)):
                    s += table[i, np.int64(((z & low) * bound) >> shift)]
                    z >>= shift
                done += k
            x = np.log1p(s / own)
            total += x
            squares += x * x
        return total, squares


def measure_compiled(loop, negatives, threads, seconds):
    size = max(8, (1 << 22) // (negatives + 8))
    warm = Model("table")
    loop(warm.table, warm.counts, warm.begin, 8, negatives, 1)
    start = time.perf_counter()
    model = Model("table")

    def work(thread):
        count = total = squares = 0.0
        seed = thread
        while time.perf_counter() - start < seconds:
            seed += threads
            a, b = loop(model.table, model.counts, model.begin, size, negatives, seed)
            count, total, squares = count + size, total + a, squares + b
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
    parser.add_argument("--seconds", type=float, default=1.3)
    parser.add_argument("--markdown", action="store_true", help="a short table for docs/benchmarks.md")
    arguments = parser.parse_args()
    threads, seconds = arguments.threads, arguments.seconds
    if arguments.markdown:
        ways = ["rows", "gram", "table"]
        print(f"| N, `se sqrt(s)`, {threads} threads | best of NumPy {np.__version__} | Numba, as one writes it | Numba, tuned |")
        print("|---|---|---|---|")
        for negatives in (1, 15, 255, 4096):
            best = min(measure(way, negatives, threads, seconds)[2] for way in ways)
            compiled = [
                f"{measure_compiled(loop, negatives, threads, seconds)[2]:.2e}" for loop in ((idiomatic, tuned) if numba else ())
            ]
            print(f"| {negatives} | {best:.2e} | {' | '.join(compiled or ['', ''])} |")
        return
    print(f"{'N':>6} {'way':>8} {'mean':>12} {'draws / s':>12} {'se sqrt(s)':>12}   ({threads} threads)")
    for negatives in (1, 15, 255, 4096):
        for way in ("rows", "gram", "table"):
            mean, rate, figure = measure(way, negatives, threads, seconds)
            print(f"{negatives:>6} {way:>8} {mean:>12.6f} {rate:>12.3e} {figure:>12.3e}", flush=True)
        for way, loop in (("numba", idiomatic), ("tuned", tuned)) if numba else ():
            mean, rate, figure = measure_compiled(loop, negatives, threads, seconds)
            print(f"{negatives:>6} {way:>8} {mean:>12.6f} {rate:>12.3e} {figure:>12.3e}", flush=True)


if __name__ == "__main__":
    main()
