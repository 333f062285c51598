"""Both losses of the laws of `benches/convergence.rs` until they are known to a relative half-width of 1e-2 and 1e-3 at alpha = 1e-6.

Prints seconds for 10, 100 and 1000 classes, by each way that is installed:
  numpy  blocks of draws, products by BLAS, log-sum-exp
  numba  the same loops compiled, on all threads
  jax    blocks of draws compiled by XLA, in doubles
Compiling is not counted. Samples double until the empirical Bernstein inequality of Maurer and Pontil (2009) gives the width; look number r spends
alpha/2^r, so that the answer holds however late one stops, as that of the Rust program does. An observation of L_sup^mu is the loss of one anchor; that of
the Rust program has its first-order expansion at the class mean as control variate, and with it a much shorter range. This, not the processor's speed,
is most of the ratio.

usage: python benches/peers/convergence.py [--threads T] [--quick] [--write]
(needs numpy, takes numba and jax if they are there; run it beside `cargo bench --bench convergence`, or let `--write` run both and write
the table of docs/benchmarks.md)
"""
import argparse
import math
import platform
import subprocess
import time
from pathlib import Path

import numpy as np

try:
    import numba
except ImportError:
    numba = None
try:
    import jax

    jax.config.update("jax_enable_x64", True)
except ImportError:
    jax = None

DIMENSION, RADIUS, NOISE, NEGATIVES, ALPHA = 32, 1.5, 0.25, 15, 1e-6
LONGEST = RADIUS + NOISE * math.sqrt(DIMENSION)
ROOT = Path(__file__).resolve().parents[2]
END = "<!-- end of the table of losses known to a width -->"


def centres(classes):
    """The centres of the Rust program."""
    with np.errstate(over="ignore"):
        z = np.arange(1, classes * DIMENSION + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = (z ^ (z >> np.uint64(31))) >> np.uint64(11)
    rows = (z.astype(np.float64) / 2.0**53 - 0.5).reshape(classes, DIMENSION)
    return rows * (RADIUS / np.linalg.norm(rows, axis=1, keepdims=True))


def length_of_range(means, loss):
    if loss == "L_un^15":
        k, most = NEGATIVES, 2 * LONGEST**2
    else:
        squares = (means**2).sum(axis=1)
        apart = math.sqrt((squares[:, None] + squares[None, :] - 2 * means @ means.T).max())
        k, most = len(means) - 1, LONGEST * apart
    return math.log1p(k * math.exp(most)) - math.log1p(k * math.exp(-most))


def of_numpy(means, loss):
    rng = np.random.default_rng(1)
    classes = len(means)

    def drawn(which):
        return means[which] + NOISE * (2 * rng.random((*which.shape, DIMENSION)) - 1)

    def unsupervised(size):
        own = rng.integers(classes, size=size)
        anchors, positives = drawn(own), drawn(own)
        negatives = drawn(rng.integers(classes, size=(size, NEGATIVES)))
        logits = np.einsum("sd,snd->sn", anchors, negatives) - (anchors * positives).sum(axis=1)[:, None]
        return np.log1p(np.exp(logits).sum(axis=1))

    def supervised(size):
        own = rng.integers(classes, size=size)
        anchors = drawn(own)
        logits = anchors @ means.T
        most = logits.max(axis=1)
        return most + np.log(np.exp(logits - most[:, None]).sum(axis=1)) - (anchors * means[own]).sum(axis=1)

    return unsupervised if loss == "L_un^15" else supervised


def of_numba(means, loss):
    classes = len(means)

    @numba.njit(parallel=True, fastmath=True)
    def unsupervised(size, seed, out):
        for s in numba.prange(size):
            if s % 64 == 0:
                np.random.seed(seed + s)
            own = np.random.randint(classes)
            anchor = means[own] + NOISE * (2 * np.random.random(DIMENSION) - 1)
            positive = means[own] + NOISE * (2 * np.random.random(DIMENSION) - 1)
            against = np.dot(anchor, positive)
            total = 0.0
            for _ in range(NEGATIVES):
                other = np.random.randint(classes)
                dot = 0.0
                for i in range(DIMENSION):
                    dot += anchor[i] * (means[other, i] + NOISE * (2 * np.random.random() - 1))
                total += np.exp(dot - against)
            out[s] = np.log1p(total)

    @numba.njit(parallel=True, fastmath=True)
    def supervised(size, seed, out):
        for s in numba.prange(size):
            if s % 64 == 0:
                np.random.seed(seed + s)
            c = np.random.randint(classes)
            anchor = means[c] + NOISE * (2 * np.random.random(DIMENSION) - 1)
            own = np.dot(anchor, means[c])
            total = 0.0
            for other in range(classes):
                total += np.exp(np.dot(anchor, means[other]) - own)
            out[s] = np.log(total)

    seeds = iter(range(1, 1 << 40, 1 << 24))
    loop = unsupervised if loss == "L_un^15" else supervised

    def block(size):
        out = np.empty(size)
        loop(size, next(seeds), out)
        return out

    return block


def of_jax(means, loss):
    import jax.numpy as jnp

    classes, table = len(means), jnp.asarray(means)

    def noise(key, shape):
        return NOISE * (2 * jax.random.uniform(key, (*shape, DIMENSION), dtype=jnp.float64) - 1)

    def unsupervised(key, size):
        a, b, c, d, e = jax.random.split(key, 5)
        own = jax.random.randint(a, (size,), 0, classes)
        anchors, positives = table[own] + noise(b, (size,)), table[own] + noise(c, (size,))
        others = jax.random.randint(d, (size, NEGATIVES), 0, classes)
        logits = jnp.einsum("sd,snd->sn", anchors, table[others] + noise(e, (size, NEGATIVES)))
        return jax.nn.softplus(jax.nn.logsumexp(logits, axis=1) - (anchors * positives).sum(axis=1))

    def supervised(key, size):
        a, b = jax.random.split(key)
        own = jax.random.randint(a, (size,), 0, classes)
        anchors = table[own] + noise(b, (size,))
        return jax.nn.logsumexp(anchors @ table.T, axis=1) - (anchors * table[own]).sum(axis=1)

    compiled = jax.jit(unsupervised if loss == "L_un^15" else supervised, static_argnums=1)
    keys = iter(jax.random.split(jax.random.key(1), 1 << 14))
    return lambda size: np.asarray(compiled(next(keys), size))


def known(block, size, length, relative):
    """The mean, once it is known as well as asked."""
    count = total = squares = 0.0
    look = 0
    while True:
        look += 1
        for _ in range(1 << max(0, look - 2)):
            x = block(size)
            count, total, squares = count + size, total + x.sum(), squares + (x * x).sum()
        mean = total / count
        variance = max(0.0, (squares - count * mean**2) / (count - 1))
        bits = math.log(4 * 2.0**look / ALPHA)
        if math.sqrt(2 * variance * bits / count) + 7 * length * bits / (3 * (count - 1)) <= relative * mean:
            return mean


def rust():
    """The rows of the Rust program, as its bench prints them."""
    run = subprocess.run(["cargo", "bench", "--bench", "convergence"], cwd=ROOT, capture_output=True, text=True, check=True)
    fields = [line.split() for line in run.stdout.splitlines() if " rust " in line]
    return [(loss, int(classes), float(width), way, float(mean), float(seconds)) for loss, classes, width, way, mean, seconds in fields]


def peers(quick):
    """The rows of every way that is installed, printed as they come."""
    ways = [("numpy", of_numpy)] + [("numba", of_numba)] * bool(numba) + [("jax", of_jax)] * bool(jax)
    print(f"{'loss':>9} {'classes':>8} {'width':>7} {'way':>6} {'mean':>9} {'seconds':>9}")
    for classes in (10,) if quick else (10, 100, 1000):
        means = centres(classes)
        for loss in ("L_un^15", "L_sup^mu"):
            size = 4096 if loss == "L_un^15" else max(256, 262_144 // classes)
            for name, way in ways:
                block = way(means, loss)
                block(size)
                for relative in (1e-2,) if quick else (1e-2, 1e-3):
                    start = time.perf_counter()
                    mean = known(block, size, length_of_range(means, loss), relative)
                    seconds = time.perf_counter() - start
                    print(f"{loss:>9} {classes:>8} {relative:>7} {name:>6} {mean:>9.5f} {seconds:>9.4f}", flush=True)
                    yield loss, classes, relative, name, mean, seconds


def table(rows, threads):
    """Seconds of every way, and those of the best other program over ours."""
    ways = list(dict.fromkeys(way for _, _, _, way, _, _ in rows))
    seconds = {(loss, classes, width, way): taken for loss, classes, width, way, _, taken in rows}
    lines = [
        f"<!-- written by `python benches/peers/convergence.py --write` on {platform.machine()}, {threads} threads -->",
        "| loss | classes | half-width | " + " | ".join(f"{way}, s" for way in ways) + " | best other / rust |",
        "|---|---|---|" + "---|" * (len(ways) + 1),
    ]
    for loss, classes, width in dict.fromkeys(row[:3] for row in rows):
        taken = [seconds[loss, classes, width, way] for way in ways]
        ratio = min(t for t, way in zip(taken, ways) if way != "rust") / seconds[loss, classes, width, "rust"]
        numbers = [f"{t:.2g}" for t in [*taken, ratio]]
        lines.append(f"| {loss} | {classes} | {width} | " + " | ".join(numbers) + " |")
    return [*lines, END]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="10 classes and 1e-2 alone, for a look")
    parser.add_argument("--write", action="store_true", help="run the Rust bench, too, and write the table of docs/benchmarks.md")
    arguments = parser.parse_args()
    if numba:
        numba.set_num_threads(arguments.threads)
    if not arguments.write:
        list(peers(arguments.quick))
        return
    rows = [*rust(), *peers(False)]
    page = ROOT / "docs" / "benchmarks.md"
    lines = page.read_text(encoding="utf-8").split("\n")
    begin = next(i for i, line in enumerate(lines) if line.startswith("<!-- written by `python benches/peers/convergence.py"))
    end = lines.index(END, begin)
    page.write_text("\n".join(lines[:begin] + table(rows, arguments.threads) + lines[end + 1 :]), encoding="utf-8")


if __name__ == "__main__":
    main()
