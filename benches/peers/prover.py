"""What `contrapositive try` proves of lists of true inequalities, beside Z3, cvc5 and Coq's `psatz` and `interval`; writes docs/prover.md.

A list is a table with tabs whose columns are id, source, statement, for, where. Peers are asked what they take, and only those that are installed: Z3 and cvc5
from PyPI (`z3-solver`, `cvc5`), Coq with its library of intervals and csdp from a distribution.

usage: python benches/peers/prover.py BINARY [LIST ...] [--seconds S] [--page FILE]
       BINARY is the program `contrapositive`; without a list it is fixtures/statements/known.tsv; without a page, the table goes to the screen
"""
import argparse
import collections
import csv
import os
import platform
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import provers
from typed import Untaken

ROOT = Path(__file__).resolve().parents[2]
OURS = "contrapositive"
# Printed in full, as examples of what can be checked again.
SHOWN = ["cosh-369", "atan-problem-9", "sos-34", "dr-aircraft", "sos-3"]


def ours(binary, row):
    """The first word of the answer, how it was proved, the whole text, and the time."""
    command = [binary, "try", row["statement"], "--output", "-"]
    for option in ("for", "where"):
        if row[option]:
            command += [f"--{option}", row[option]]
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    took = time.perf_counter() - start
    word = run.stdout.split(maxsplit=1)[0] if run.stdout else run.stderr.strip()
    how = [line for line in run.stdout.splitlines() if line.startswith("  how ")]
    return word, how[0].split(maxsplit=1)[1] if how else "", run.stdout, took


def kind(typed):
    """What a statement is made of."""
    if typed is None:
        return "sums, vectors, whole numbers"
    if typed.constants or not typed.operations <= provers.ALGEBRAIC:
        return "functions, one variable" if len(typed.names) <= 1 else "functions, several variables"
    if typed.operations & {"sqrt", "abs", "max", "min"} or any(not isinstance(d, provers.Fraction) for d in typed.divisors):
        return "quotients, roots, absolute values"
    fractional = any(not isinstance(p, provers.Fraction) or p.denominator > 1 for p in typed.powers)
    return "quotients, roots, absolute values" if fractional else "polynomials"


class Answers:
    """What everybody said of a statement."""

    def __init__(self, row, options):
        self.row = row
        self.typed = provers.typed_or_none(row)
        self.kind = kind(self.typed)
        self.word, self.how, self.text, took = ours(options.binary, row)
        self.proved = {OURS: self.word == "proved"}
        self.took = {OURS: took}
        for name, peer in options.peers.items():
            if self.typed is None:
                continue
            try:
                self.proved[name], self.took[name] = peer(self.typed, options.seconds)
            except Untaken:
                pass

    def within(self, name, seconds):
        return self.proved.get(name, False) and self.took[name] <= seconds


def share(answers, name):
    taken = [a for a in answers if name in a.proved]
    return f"{sum(a.proved[name] for a in taken)} of {len(taken)}" if taken else "–"


def median(answers, name):
    took = [a.took[name] for a in answers if a.proved.get(name)]
    return f"{statistics.median(took):.2f} s" if took else "–"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def grouped(answers, key):
    groups = collections.defaultdict(list)
    for a in answers:
        groups[key(a)].append(a)
    return groups


def shares(answers, key, title, names):
    rows = [[group, *(share(of, name) for name in names)] for group, of in grouped(answers, key).items()]
    rows.append(["all", *(share(answers, name) for name in names)])
    return table([title, *(provers.NAMES.get(name, name) for name in names)], rows)


def beside(answers, names, seconds):
    """Everybody on what one peer takes."""
    rows = []
    for name in names[1:]:
        taken = [a for a in answers if name in a.proved]
        both = [sum(a.within(who, seconds) for a in taken) for who in (name, OURS)]
        rows.append([provers.NAMES[name], str(len(taken)), str(both[0]), str(both[1]), median(taken, name), median(taken, OURS)])
    return table(["peer", "takes", "proves", f"{OURS} proves of these", "its median", "our median"], rows)


def code(text):
    return f"`{text}`" if text else ""


def page(answers, names, options):
    left = [a for a in answers if not a.proved[OURS]]
    soon = sum(a.within(OURS, options.seconds) for a in answers)
    shown = [a for wanted in SHOWN for a in answers if a.row["id"] == wanted and a.proved[OURS]]
    methods = collections.Counter()
    for a in answers:
        if a.proved[OURS]:
            methods["boxes that cover the domain" if a.how.startswith("the whole domain") else a.how.split(", in ")[0]] += 1
    lists = " ".join(str(path) for path in options.lists)
    parts = [
        "# What is proved",
        f"`contrapositive try` proves {sum(a.proved[OURS] for a in answers)} of {len(answers)} inequalities that others state or prove to be true, {soon} of them within {options.seconds:g} seconds, "
        f"including the search for counterexamples. It refutes {sum(a.word == 'refuted' for a in answers)}. The budget is standard. Other provers get the statements that they can read, and "
        f"{options.seconds:g} seconds for each. This page is written by",
        f"```sh\npython3 -m venv peers && peers/bin/pip install z3-solver cvc5\n"
        f"apt-get install coq libcoq-interval coinor-csdp   # for the peers in Coq\n"
        f"peers/bin/python benches/peers/prover.py target/debug/contrapositive {lists} --page docs/prover.md\n```",
        "The statements and where they come from: [fixtures/statements](../fixtures/statements/README.md). "
        f"Times are wall times of one run ({platform.machine()}, {options.processors} processors, debug profile of this workspace). Those of peers exclude the loading of their libraries; ours are for the whole command.",
        "## By source", shares(answers, lambda a: a.row["source"].split(" (")[0], "source", names),
        "## By kind", shares(answers, lambda a: a.kind, "kind", names),
        "A peer is counted only on statements that it can read: Z3 on algebraic ones, `psatz` on polynomials without divisions by variables, `interval` on those with bounded ranges, cvc5 on all without sums, vectors and whole numbers.",
        "## Side by side", beside(answers, names, options.seconds),
        "Proofs count within the time limit, ours as well. Each median is over the statements that the program proves.",
        "## By method", table(["method", "proofs"], [[m, str(n)] for m, n in methods.most_common()]),
        "## What a proof prints",
        "What a reader needs to check it: substitutions, the identity that makes a polynomial a sum of squares, the leading term next to each point at which the sides touch and how far it decides, the number of "
        "boxes between. An identity can be given to `try` as an equation.",
        *(f"```text\n{a.text.rstrip()}\n```" for a in shown),
        "## Not proved",
        table(["id", "statement", "for", "where", "kind", "proved by"], [
            [a.row["id"], code(a.row["statement"].replace("|", "\\|")[:160]), code(a.row["for"] or ""), code(a.row["where"] or ""), a.kind,
             ", ".join(provers.NAMES[name] for name in names[1:] if a.proved.get(name))] for a in left
        ]) if left else "All are proved.",
    ]
    return "\n\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("lists", nargs="*", type=Path, default=[Path("fixtures/statements/known.tsv")])
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--page", type=Path)
    options = parser.parse_args()
    options.peers = provers.available()
    options.processors = os.cpu_count()
    rows = []
    for path in options.lists:
        with open(path if path.exists() else ROOT / path, newline="") as file:
            rows += csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
    answers = []
    for row in rows:
        answers.append(Answers(row, options))
        told = " ".join(f"{name}: {'proved' if answers[-1].proved[name] else 'open'} {took:.2f} s" for name, took in answers[-1].took.items())
        print(f"{row['id']:24} {answers[-1].word:8} {told}", flush=True)
    names = [OURS, *options.peers]
    if options.page:
        options.page.write_text(page(answers, names, options))
    print(shares(answers, lambda a: a.row["source"], "source", names))


if __name__ == "__main__":
    main()
