"""Other provers on a statement: Z3 and cvc5 through SMT-LIB, Coq's `psatz` (with csdp) and `interval`.

A statement is handed over as its conditions and its negation, which a prover is to find contradictory, or as a goal for a tactic. Where a side is not
defined, a statement says nothing, so that every divisor differs from zero and every root and logarithm has a value among the conditions.
"""
import shutil
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

from typed import Typed, Untaken, visit

ALGEBRAIC = {"+", "-", "neg", "*", "/", "^", "sqrt", "abs", "max", "min"}
SMT_FUNCTIONS = {"exp": "exp", "sin": "sin", "cos": "cos", "tan": "tan", "asin": "arcsin", "acos": "arccos", "atan": "arctan"}
COQ_FUNCTIONS = {
    "exp": "exp", "log": "ln", "sqrt": "sqrt", "abs": "Rabs", "sin": "sin", "cos": "cos", "tan": "tan", "atan": "atan",
}


class Smt:
    """A statement as SMT-LIB; roots and logarithms become numbers of their own with what defines them."""

    def __init__(self, typed, transcendental):
        self.transcendental = transcendental
        self.declared, self.asserted = [], []
        for name in typed.names:
            self.declared.append(f"v_{name}")
        for relation in typed.given:
            self.asserted.append(self.comparison(*relation))
        wanted = [self.comparison(*relation) for relation in typed.wanted]
        self.asserted.append(f"(not (and true {' '.join(wanted)}))")

    def text(self):
        logic = ["(set-logic QF_NRAT)"] if self.transcendental else []
        names = [f"(declare-const {name} Real)" for name in self.declared]
        return "\n".join([*logic, *names, *(f"(assert {a})" for a in self.asserted), "(check-sat)"])

    def comparison(self, relation, left, right):
        return f"({relation} {self.of(left)} {self.of(right)})"

    def fresh(self):
        self.declared.append(f"f_{len(self.declared)}")
        return self.declared[-1]

    def root(self, of, order):
        found = self.fresh()
        self.asserted += [f"(>= {found} 0.0)", f"(= {self.product(found, order)} {of})"]
        return found

    @staticmethod
    def product(of, times):
        return "1.0" if times == 0 else of if times == 1 else f"(* {' '.join([of] * times)})"

    def power(self, base, exponent):
        if isinstance(exponent, tuple) and exponent[0] == "neg" and isinstance(exponent[1], Fraction):
            exponent = -exponent[1]
        if isinstance(exponent, tuple) and exponent[0] == "/" and all(isinstance(t, Fraction) for t in exponent[1:]):
            exponent = exponent[1] / exponent[2]
        if not isinstance(exponent, Fraction) or abs(exponent.numerator) > 32 or exponent.denominator > 12:
            raise Untaken("a power")
        of = self.of(base)
        if exponent.denominator > 1:
            of = self.root(of, exponent.denominator)
        found = self.product(of, abs(exponent.numerator))
        return self.quotient("1.0", found) if exponent < 0 else found

    def quotient(self, above, below):
        self.asserted.append(f"(not (= {below} 0.0))")
        return f"(/ {above} {below})"

    def of(self, tree):
        if isinstance(tree, Fraction):
            return f"(/ {tree.numerator}.0 {tree.denominator}.0)" if tree.denominator > 1 else f"{tree.numerator}.0"
        if isinstance(tree, str):
            return self.name(tree)
        operation, *operands = tree
        if operation == "^":
            return self.power(*operands)
        each = [self.of(o) for o in operands]
        if operation in ("+", "-", "*"):
            return f"({operation} {' '.join(each)})"
        if operation == "neg":
            return f"(- {each[0]})"
        if operation == "/":
            return self.quotient(*each)
        if operation == "sqrt":
            return self.root(each[0], 2)
        if operation == "abs":
            return f"(ite (>= {each[0]} 0.0) {each[0]} (- {each[0]}))"
        if operation in ("max", "min") and len(each) == 2:
            return f"(ite ({'>=' if operation == 'max' else '<='} {each[0]} {each[1]}) {each[0]} {each[1]})"
        return self.function(operation, each)

    def name(self, name):
        if f"v_{name}" in self.declared:
            return f"v_{name}"
        if not self.transcendental:
            raise Untaken(name)
        return "real.pi" if name == "pi" else "(exp 1.0)"

    def function(self, operation, each):
        if not self.transcendental:
            raise Untaken(operation)
        if operation in SMT_FUNCTIONS:
            return f"({SMT_FUNCTIONS[operation]} {each[0]})"
        if operation == "log":
            found = self.fresh()
            self.asserted.append(f"(= (exp {found}) {each[0]})")
            return found
        if operation in ("sinh", "cosh"):
            sign = "-" if operation == "sinh" else "+"
            return f"(/ ({sign} (exp {each[0]}) (exp (- {each[0]}))) 2.0)"
        raise Untaken(operation)


ASK_Z3 = """
import sys, z3
solver = z3.Solver()
solver.from_string(open(sys.argv[1]).read().replace("(check-sat)", ""))
import time
start = time.perf_counter()
solver.set("timeout", int(sys.argv[2]))
print(solver.check(), time.perf_counter() - start)
"""
ASK_CVC5 = """
import sys, time, cvc5
solver = cvc5.Solver()
solver.setOption("tlimit-per", sys.argv[2])
parser = cvc5.InputParser(solver)
parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.argv[1])
symbols = parser.getSymbolManager()
start = time.perf_counter()
while not (command := parser.nextCommand()).isNull():
    answer = command.invoke(solver, symbols).strip()
    if answer:
        print(answer, time.perf_counter() - start)
"""


def asked(script, text, seconds):
    """The first word of the answer, and the time of the question alone."""
    with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
        file.write(text)
        file.flush()
        command = [sys.executable, "-c", script, file.name, str(int(1000 * seconds))]
        try:
            # Loading takes a while, and a limit is not always kept.
            run = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 3)
        except subprocess.TimeoutExpired:
            return False, seconds
    words = run.stdout.split()
    if len(words) != 2 or words[0] not in ("unsat", "sat", "unknown"):
        return False, seconds
    took = float(words[1])
    return words[0] == "unsat" and took <= seconds, took


def z3(typed, seconds):
    if not typed.operations <= ALGEBRAIC or typed.constants:
        raise Untaken("not algebraic")
    return asked(ASK_Z3, Smt(typed, False).text(), seconds)


def cvc5(typed, seconds):
    return asked(ASK_CVC5, Smt(typed, True).text(), seconds)


class Coq:
    """A statement as a goal of Coq; with `constant`, as one with a number on one side, as `interval` wants it."""

    def __init__(self, typed, constant=False):
        self.typed, self.constant = typed, constant

    def of(self, tree):
        if isinstance(tree, Fraction):
            return f"({tree.numerator}/{tree.denominator})" if tree.denominator > 1 else str(tree.numerator)
        if isinstance(tree, str):
            return f"v_{tree}" if tree in self.typed.names else "PI" if tree == "pi" else "(exp 1)"
        operation, *operands = tree
        if operation == "^":
            base, exponent = operands
            if not isinstance(exponent, Fraction) or exponent.denominator > 1 or exponent > 64:
                raise Untaken("a power")
            return f"({self.of(base)} ^ {exponent.numerator})"
        each = [self.of(o) for o in operands]
        if operation in ("+", "-", "*", "/"):
            return f"({each[0]} {operation} {each[1]})"
        if operation == "neg":
            return f"(- {each[0]})"
        if operation in COQ_FUNCTIONS:
            return f"({COQ_FUNCTIONS[operation]} {each[0]})"
        if operation in ("sinh", "cosh"):
            sign = "-" if operation == "sinh" else "+"
            return f"((exp {each[0]} {sign} exp (- {each[0]})) / 2)"
        raise Untaken(operation)

    def comparison(self, relation, left, right):
        return f"{self.of(left)} {relation} {self.of(right)}"

    def wanted(self, relation, left, right):
        names = [any(tree in self.typed.names for tree in visit(side) if isinstance(tree, str)) for side in (left, right)]
        if self.constant and all(names):
            left, right = ("-", left, right), Fraction(0)
        return self.comparison(relation, left, right)

    def goal(self):
        given = "".join(f"{self.comparison(*g)} -> " for g in self.typed.given)
        names = f"forall {' '.join('v_' + n for n in self.typed.names)} : R, " if self.typed.names else ""
        wanted = " /\\ ".join(self.wanted(*w) for w in self.typed.wanted)
        return f"Goal {names}{given}{wanted}."

    def asked(self, libraries, tactic, seconds):
        # A tactic for every side, within the time that all of them have.
        proof = f"intros; repeat split; timeout {max(1, int(seconds))} ({tactic})."
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "goal.v"
            text = f"{libraries}\nOpen Scope R_scope.\n{self.goal()}\nProof. Time {proof}\nQed.\n"
            file.write_text(text)
            start = time.perf_counter()
            try:
                run = subprocess.run(["coqc", "-q", file], cwd=folder, capture_output=True, text=True, timeout=30)
            except subprocess.TimeoutExpired:
                return False, time.perf_counter() - start
        told = [line for line in run.stdout.splitlines() if line.startswith("Finished transaction")]
        took = float(told[0].split(" in ")[1].split()[0]) if told else seconds
        return run.returncode == 0 and took <= seconds, took


def psatz(typed, seconds):
    constant = all(isinstance(d, Fraction) for d in typed.divisors)
    whole = all(isinstance(p, Fraction) and p.denominator == 1 for p in typed.powers)
    if not typed.operations <= {"+", "-", "neg", "*", "/", "^"} or typed.constants or not constant or not whole:
        raise Untaken("no polynomial")
    tactic = "first [lra | psatz R 2 | psatz R 3]"
    return Coq(typed).asked("Require Import Reals Psatz.", tactic, seconds)


def interval(typed, seconds):
    if not bounded(typed):
        raise Untaken("a range without an end")
    subdivided = ", ".join(f"i_bisect v_{name}, i_autodiff v_{name}" for name in typed.names[:1])
    others = "".join(f", i_bisect v_{name}" for name in typed.names[1:])
    tactic = f"interval with ({subdivided}{others})" if typed.names else "interval"
    return Coq(typed, constant=True).asked("Require Import Reals. From Interval Require Import Tactic.", tactic, seconds)


def bounded(typed):
    """Whether every name has a number on either side."""
    ends = set()
    for relation, left, right in typed.given:
        small, large = (left, right) if relation in ("<", "<=") else (right, left)
        ends |= {(name, "low") for name in [large] if isinstance(large, str)}
        ends |= {(name, "high") for name in [small] if isinstance(small, str)}
    return all((name, end) in ends for name in typed.names for end in ("low", "high"))


def available():
    """The peers that can be run here, by name."""
    found = {}
    for name, peer in (("z3", z3), ("cvc5", cvc5)):
        probe = subprocess.run([sys.executable, "-c", f"import {name}"], capture_output=True)
        if probe.returncode == 0:
            found[name] = peer
    if shutil.which("coqc"):
        if shutil.which("csdp"):
            found["psatz"] = psatz
        found["interval"] = interval
    return found


NAMES = {"z3": "Z3", "cvc5": "cvc5", "psatz": "Coq's psatz with csdp", "interval": "Coq's interval"}


def typed_or_none(row):
    try:
        return Typed(row["statement"], row["for"] or "", row["where"] or "")
    except Untaken:
        return None
