"""Other programs on the statements of `benches/refuter`, at equal numbers of evaluations.

Each sees what the benchmark's own search sees: the box from which the family draws, and the statement as a black box that answers with the
relative margin (negative: violated beyond doubt) or with nan outside the hypotheses.

  uniform     points drawn from the box
  hypothesis  Hypothesis with `target(-margin)` on floats of the box (integers are floats that the statement rounds)
  evolution   SciPy's differential evolution, default settings, begun anew when it has converged
  cma         pycma in the unit box, begun anew with twice the population when it has converged

usage: python benches/peers/refuter.py BINARY [--evaluations N] [--seeds S] [--methods a,b] [--csv FILE]
       BINARY is what `cargo bench --bench refuter --no-run` names
(needs numpy, scipy, cma, hypothesis)
"""
import argparse
import collections
import math
import random
import subprocess
import sys
import warnings

import numpy as np

OUTSIDE = 1e9


class Refuted(Exception):
    """The statement fell."""


class Spent(Exception):
    """All evaluations are used up."""


class Statement:
    """One statement behind the pipe, with a count of the questions."""

    def __init__(self, server, name, kind, ranges):
        self.server, self.name, self.kind, self.ranges = server, name, kind, ranges
        self.left = self.asked = 0

    def begin(self, evaluations):
        self.left, self.asked = evaluations, 0

    def __call__(self, x):
        if self.left == 0:
            raise Spent
        self.left -= 1
        self.asked += 1
        self.server.stdin.write(self.name + " " + " ".join(repr(float(v)) for v in x) + "\n")
        self.server.stdin.flush()
        margin = float(self.server.stdout.readline())
        if margin < 0:
            raise Refuted
        return OUTSIDE if math.isnan(margin) else margin

    def at(self, unit):
        """The value at a point of the unit box."""
        return self([low + (high - low) * u for u, (low, high) in zip(unit, self.ranges)])


def uniform(statement, seed):
    rng = random.Random(seed)
    while True:
        statement([rng.uniform(low, high) for low, high in statement.ranges])


def evolution(statement, seed):
    from scipy.optimize import differential_evolution

    while True:
        differential_evolution(statement, statement.ranges, seed=seed, maxiter=10**6, polish=True)
        seed += 1000003


def adaptation(statement, seed):
    import cma

    dimension, population = len(statement.ranges), None
    rng = np.random.default_rng(seed)
    while True:
        # pycma wants two numbers at least; the second of a single one is ignored.
        free = max(dimension, 2)
        options = {"bounds": [0, 1], "verbose": -9, "seed": seed + 1, "maxfevals": 10**9, "verb_log": 0}
        if population:
            options["popsize"] = population
        search = cma.CMAEvolutionStrategy(rng.uniform(0.0, 1.0, free), 0.3, options)
        population = 2 * search.popsize
        while not search.stop():
            points = search.ask()
            search.tell(points, [statement.at(p[:dimension]) for p in points])
        seed += 1000003


def hypothesis(statement, seed):
    import hypothesis as h
    from hypothesis import strategies as st

    drawn = st.tuples(*(st.floats(low, high) for low, high in statement.ranges))

    @h.seed(seed)
    @h.settings(
        max_examples=statement.left, database=None, deadline=None, phases=[h.Phase.generate, h.Phase.target],
        suppress_health_check=list(h.HealthCheck), verbosity=h.Verbosity.quiet,
    )
    @h.given(drawn)
    def holds(x):
        try:
            margin = statement(x)
        except Spent:
            return
        if margin < OUTSIDE:
            h.target(-margin)

    holds()


METHODS = {"uniform": uniform, "hypothesis": hypothesis, "evolution": evolution, "cma": adaptation}


def refutes(statement, method, seed, evaluations):
    """The number of evaluations after which the statement fell; none if it did not."""
    statement.begin(evaluations)
    try:
        METHODS[method](statement, seed)
    except Refuted:
        return statement.asked
    except Spent:
        return None
    except BaseException as error:  # Hypothesis wraps what it meets in groups of its own
        if isinstance(error, KeyboardInterrupt):
            raise
        met = [error, *getattr(error, "exceptions", [])]
        if any(isinstance(e, Refuted) for e in met):
            return statement.asked
        raise
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--evaluations", type=int, default=600)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--csv")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    server = subprocess.Popen([options.binary, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    server.stdin.write("list\n")
    server.stdin.flush()
    statements = []
    while line := server.stdout.readline().rstrip("\n"):
        name, kind, ranges = line.split("\t")
        numbers = [float(x) for x in ranges.split()]
        statements.append(Statement(server, name, kind, list(zip(numbers[::2], numbers[1::2]))))
    rows = []
    for method in options.methods.split(","):
        shares = collections.defaultdict(list)
        for statement in statements:
            for seed in range(options.seeds):
                fell = refutes(statement, method, seed, options.evaluations)
                rows.append((method, options.evaluations, statement.name, seed, fell))
                shares[statement.kind].append(fell is not None)
        every = [fell for list_ in shares.values() for fell in list_]
        print(f"{method}, {options.evaluations} evaluations, {options.seeds} seeds: {100 * np.mean(every):.1f} % of {len(every)} runs")
        print("  " + ", ".join(f"{kind} {100 * np.mean(fell):.0f} %" for kind, fell in shares.items()), flush=True)
    if options.csv:
        with open(options.csv, "w") as file:
            print("method,evaluations,statement,seed,fell", file=file)
            for row in rows:
                print(",".join("" if x is None else str(x) for x in row), file=file)


if __name__ == "__main__":
    sys.exit(main())
